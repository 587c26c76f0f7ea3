//! Sorting and filters of the list of tours, and the numbers of its rows.

use traitql::{Id, Page, Viewer, with_batch};
use waypost_api::{Tour, TourOrder, resolve, role};
use waypost_domain::store::new_id;

use super::runs::{event, record, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[derive(Clone, Copy, Default)]
struct Filter<'a> {
    site: Option<&'a Id>,
    without_built_in: bool,
    reverse: bool,
}

struct List {
    test: TestApp,
    admin: Viewer<role::Admin>,
}

impl List {
    async fn page(&self, order: TourOrder, filter: Filter<'_>, first: i32, after: Option<String>) -> Page<Tour> {
        let page = resolve::QueryTours::resolve(
            &self.test.app,
            &anonymous(),
            &self.admin.lower(),
            self.admin.scope().clone(),
            None,
            None,
            None,
            filter.site.cloned(),
            !filter.without_built_in,
            order,
            filter.reverse,
            first,
            after,
        )
        .await;
        page.expect("a page")
    }

    /// Reads the list in pages of two, which must be the same as one page.
    async fn slugs(&self, order: TourOrder, filter: Filter<'_>) -> String {
        let slugs = |page: &Page<Tour>| page.nodes.iter().map(|tour| tour.slug.clone()).collect::<Vec<_>>();
        let whole = self.page(order, filter, 100, None).await;
        assert_eq!(
            whole.total_count,
            Some(i32::try_from(whole.nodes.len()).expect("a small number"))
        );
        let (mut paged, mut after) = (Vec::new(), None);
        loop {
            let page = self.page(order, filter, 2, after).await;
            paged.extend(slugs(&page));
            if !page.has_next_page {
                break;
            }
            after = page.end_cursor().map(str::to_owned);
        }
        assert_eq!(paged, slugs(&whole), "{order:?}");
        paged.join(" ")
    }

    async fn activity(&self, tour: &Tour, site: Option<&Id>) -> (i32, i32, Option<f64>) {
        with_batch(std::slice::from_ref(tour), async |tours| {
            let column = resolve::TourActivity::resolve(&self.test.app, &anonymous(), tours, site.cloned()).await;
            let column = column.expect("activities");
            let activity = column.get(0).expect("one");
            (activity.started, activity.completed, activity.completion_rate)
        })
        .await
    }
}

#[tokio::test]
async fn tours_are_sorted_and_filtered_by_site() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        check(TestApp::over(postgres, |_| {}).await).await;
    }
}

async fn check(test: TestApp) {
    let admin = test.workspace("team", "ada").await;
    let (shop, docs) = (test.site(&admin, "Shop").await, test.site(&admin, "Docs").await);
    let mut tours = Vec::new();
    for slug in ["cart", "basics", "apples", "draft"] {
        test.advance(1000);
        tours.push(test.tour(&admin, slug, &["a", "b"]).await);
    }
    let [cart, basics, apples, draft] = &tours[..] else {
        panic!("four tours")
    };
    let old = test.release(&admin, draft, 2, &shop).await;
    let run = whole(&new_id(), &old, NOW);
    record(&test, &shop, visitor("browser-0", None), run).await;
    let end = resolve::MutationReleaseEnd::resolve(&test.app, &anonymous(), &admin.lower(), old.id, false, None).await;
    end.expect("ended");
    test.advance(30 * DAY_MS);
    let now = NOW + 30 * DAY_MS;
    // Cart: one of three runs completed; basics: one of one, on Docs; apples: none of two.
    for (tour, site, completed, left) in [(cart, &shop, 1, 2), (apples, &shop, 0, 2), (basics, &docs, 1, 0)] {
        test.advance(1000);
        let release = test.release(&admin, tour, 2, site).await;
        for number in 0..completed + left {
            let run = new_id();
            let events = if number < completed {
                whole(&run, &release, now)
            } else {
                use waypost_api::EventKind::{RunDismissed, RunStarted, StepSeen};
                vec![
                    event(&run, &release, 0, RunStarted, Some("a"), now),
                    event(&run, &release, 1, StepSeen, Some("a"), now),
                    event(&run, &release, 2, RunDismissed, Some("a"), now),
                ]
            };
            let who = visitor(&format!("browser-{}-{number}", tour.slug), None);
            record(&test, site, who, events).await;
        }
    }
    let list = List { test, admin };
    let visible = Filter {
        without_built_in: true,
        ..Filter::default()
    };
    let reverse = Filter {
        reverse: true,
        ..visible
    };

    assert_eq!(list.activity(cart, None).await, (3, 1, Some(1.0 / 3.0)));
    assert_eq!(list.activity(cart, Some(&docs.id)).await, (0, 0, None));
    assert_eq!(list.activity(draft, None).await, (0, 0, None), "its run is 30 days old");

    for (order, expected) in [
        (
            TourOrder::Changed,
            ["basics apples cart draft", "draft cart apples basics"],
        ),
        (
            TourOrder::Title,
            ["apples basics cart draft", "draft cart basics apples"],
        ),
        (
            TourOrder::Runs,
            ["cart apples basics draft", "draft basics apples cart"],
        ),
        // The draft has no runs, and is last in both directions.
        (
            TourOrder::Completion,
            ["basics cart apples draft", "apples cart basics draft"],
        ),
    ] {
        let found = [list.slugs(order, visible).await, list.slugs(order, reverse).await];
        assert_eq!(found, expected, "{order:?}");
    }

    let all = list.slugs(TourOrder::Title, Filter::default()).await;
    assert_eq!(all, "apples basics cart draft welcome");
    let on_docs = Filter {
        site: Some(&docs.id),
        ..Filter::default()
    };
    assert_eq!(list.slugs(TourOrder::Runs, on_docs).await, "basics");
}
