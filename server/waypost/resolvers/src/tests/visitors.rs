use futures_util::StreamExt;
use traitql::{DateTime, Id, Viewer, with_batch};
use waypost_api::{ErrorCode, EventKind, Release, RunEvent, Site, Tour, Visitor, VisitorFilterInput, resolve, role};
use waypost_domain::store::{new_id, scalar, sql};

use super::runs::{boot, event, record, report, visit, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous, code, page};

struct Fixture {
    test: TestApp,
    admin: Viewer<role::Admin>,
    site: Site,
    tour: Tour,
    release: Release,
}

async fn fixture() -> Fixture {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    Fixture {
        test,
        admin,
        site,
        tour,
        release,
    }
}

impl Fixture {
    async fn visitors(&self, search: Option<&str>, first: i32, after: Option<String>) -> traitql::Page<Visitor> {
        let (app, site, search) = (&self.test.app, self.site.id.clone(), search.map(str::to_owned));
        let viewer = self.admin.lower();
        let page = resolve::QueryVisitors::resolve(app, &anonymous(), &viewer, site, search, None, first, after).await;
        page.expect("a page")
    }

    async fn author(&self, name: &str) -> Viewer<role::Author> {
        let member = self.test.member(&self.admin, name, waypost_api::Role::Author).await;
        Viewer::for_test(member.account_id, Some(self.admin.scope().clone()))
    }

    async fn tester(&self, who: &Viewer<role::Author>, id: &Id, tester: bool) -> &'static str {
        let app = &self.test.app;
        code(resolve::MutationVisitorTesterSet::resolve(app, &anonymous(), who, id.clone(), tester).await)
    }

    async fn reset(&self, who: &Viewer<role::Author>, id: &Id, tour: Option<Id>) -> &'static str {
        code(resolve::MutationVisitorReset::resolve(&self.test.app, &anonymous(), who, id.clone(), tour).await)
    }
}

#[tokio::test]
async fn visitors_are_listed_latest_first_and_found_by_their_ids() {
    let fixture = fixture().await;
    let (test, site) = (&fixture.test, &fixture.site);
    let mut ids = Vec::new();
    for (browser, name) in [
        ("browser-1", Some("Ada Lovelace")),
        ("browser-2", None),
        ("browser-3", Some("ada@x.org")),
    ] {
        ids.push(boot(test, site, visitor(browser, name)).await.visitor_id);
        test.advance(1000);
    }
    let found = |page: &traitql::Page<Visitor>| page.nodes.iter().map(|p| p.id.clone()).collect::<Vec<_>>();
    let first = fixture.visitors(None, 2, None).await;
    assert_eq!(found(&first), [ids[2].clone(), ids[1].clone()]);
    let rest = fixture.visitors(None, 2, first.end_cursor().map(str::to_owned)).await;
    assert_eq!((found(&rest), rest.has_next_page), (vec![ids[0].clone()], false));
    assert_eq!(
        found(&fixture.visitors(Some("ADA"), 9, None).await),
        [ids[2].clone(), ids[0].clone()]
    );
    assert_eq!(
        found(&fixture.visitors(Some("browser-2"), 9, None).await),
        [ids[1].clone()]
    );
    assert_eq!(
        found(&fixture.visitors(Some(ids[0].as_str()), 9, None).await),
        [ids[0].clone()]
    );
    assert_eq!(found(&fixture.visitors(Some("  "), 9, None).await).len(), 3);
    assert_eq!(
        found(&fixture.visitors(Some("%"), 9, None).await).len(),
        0,
        "wildcards are not special"
    );
    let other = test.site(&fixture.admin, "Docs").await;
    let elsewhere = Fixture { site: other, ..fixture };
    assert_eq!(found(&elsewhere.visitors(None, 9, None).await), [] as [Id; 0]);
}

#[tokio::test]
async fn visitors_have_a_last_page_and_browsers() {
    let fixture = fixture().await;
    let Fixture { test, site, .. } = &fixture;
    let go = async |browser: &str, url: &str| {
        let (key, who) = (site.key.clone(), visitor(browser, Some("ada")));
        let url = url.parse().expect("a URL");
        let boot = resolve::MutationBoot::resolve(&test.app, &page("https://shop.example"), key, who, url).await;
        boot.expect("a boot").visitor_id
    };
    let find = async |id: &Id| {
        let found = resolve::QueryVisitor::resolve(&test.app, &anonymous(), &fixture.admin.lower(), id.clone()).await;
        found.expect("a result").expect("the visitor")
    };
    let last_page = async |id: &Id| find(id).await.last_page.map(|page| page.to_string());

    let id = go("browser-1", "https://ada:secret@shop.example/cart?coupon=1#total").await;
    assert_eq!(last_page(&id).await.as_deref(), Some("https://shop.example/cart"));
    go("browser-1", "https://shop.example/").await;
    test.app.presence.write_or_log(&test.app.store).await;
    assert_eq!(last_page(&id).await.as_deref(), Some("https://shop.example/"));
    go("browser-2", "https://shop.example/").await;
    record(
        test,
        site,
        visitor("browser-2", Some("ada")),
        whole(&new_id(), &fixture.release, NOW),
    )
    .await;
    assert_eq!(
        last_page(&id).await.as_deref(),
        Some("https://shop.example/"),
        "events do not contain the page"
    );

    let visitors = [
        find(&id).await,
        find(&visit(test, site, "browser-3").await.visitor_id).await,
    ];
    let browsers = with_batch(&visitors, async |visitors| {
        let column = resolve::VisitorBrowsers::resolve(&test.app, &anonymous(), visitors).await;
        let column = column.expect("browsers");
        [column.get(0).to_vec(), column.get(1).to_vec()]
    });
    let [of_ada, of_anonymous] = browsers.await;
    assert_eq!(of_ada, [Id::from("browser-1"), "browser-2".into()]);
    assert_eq!(of_anonymous, [Id::from("browser-3")]);
}

#[tokio::test]
async fn the_timeline_contains_every_run_with_its_events() {
    let fixture = fixture().await;
    let Fixture {
        test, site, release, ..
    } = &fixture;
    let id = visit(test, site, "browser-1").await.visitor_id;
    let (first, second) = (new_id(), new_id());
    record(
        test,
        site,
        visitor("browser-1", None),
        whole(&first, release, NOW - 60_000),
    )
    .await;
    let begun = vec![event(&second, release, 0, EventKind::RunStarted, Some("a"), NOW)];
    record(test, site, visitor("browser-1", None), begun).await;
    let visitor = resolve::QueryVisitor::resolve(&test.app, &anonymous(), &fixture.admin.lower(), id).await;
    let visitors = [visitor.expect("a result").expect("the visitor")];
    let (runs, more) = with_batch(&visitors, async |visitors| {
        let page = resolve::VisitorRuns::resolve(&test.app, &anonymous(), visitors, 1, None)
            .await
            .expect("runs");
        let page = page.get(0).expect("a page");
        (page.nodes.clone(), page.has_next_page)
    })
    .await;
    assert_eq!((runs[0].id.clone(), more), (second, true), "newest first");
    let all = with_batch(&visitors, async |visitors| {
        let page = resolve::VisitorRuns::resolve(&test.app, &anonymous(), visitors, 9, None)
            .await
            .expect("runs");
        page.get(0).expect("a page").nodes.clone()
    })
    .await;
    let events: Vec<Vec<RunEvent>> = with_batch(&all, async |runs| {
        let events = resolve::RunEvents::resolve(&test.app, &anonymous(), runs, 4)
            .await
            .expect("events");
        (0..2).map(|at| events.get(at).to_vec()).collect()
    })
    .await;
    let kinds: Vec<_> = events[1].iter().map(|e| (e.seq, e.kind)).collect();
    assert_eq!(events[0].len(), 1);
    use EventKind::*;
    assert_eq!(
        kinds,
        [(0, RunStarted), (1, StepSeen), (2, StepDone), (3, StepSeen)],
        "limited to the requested number"
    );
}

#[tokio::test]
async fn only_the_tester_can_reset_a_test_user() {
    let fixture = fixture().await;
    let Fixture {
        test,
        site,
        release,
        tour,
        ..
    } = &fixture;
    let (bob, eve) = (fixture.author("bob").await, fixture.author("eve").await);
    let id = visit(test, site, "browser-1").await.visitor_id;
    record(test, site, visitor("browser-1", None), whole(&new_id(), release, NOW)).await;
    assert_eq!(visit(test, site, "browser-1").await.tours, []);

    assert_eq!(fixture.reset(&bob, &id, None).await, "NO_TEST_USER");
    assert_eq!(fixture.tester(&bob, &id, true).await, "no error");
    assert_eq!(fixture.tester(&eve, &id, true).await, "NOT_YOUR_TEST_USER");
    assert_eq!(fixture.tester(&eve, &id, false).await, "NOT_YOUR_TEST_USER");
    assert_eq!(fixture.reset(&eve, &id, None).await, "NOT_YOUR_TEST_USER");
    assert_eq!(fixture.reset(&bob, &id, Some(new_id())).await, "NOT_FOUND");
    let elsewhere = test.workspace("other", "mallory").await;
    let foreign = test.tour(&elsewhere, "theirs", &["a"]).await;
    assert_eq!(fixture.reset(&bob, &id, Some(foreign.id)).await, "NOT_FOUND");

    assert_eq!(fixture.reset(&bob, &id, Some(tour.id.clone())).await, "no error");
    let again = visit(test, site, "browser-1").await;
    assert_eq!(
        (again.tours.len(), again.tours[0].resume.clone()),
        (1, None),
        "the tour is offered again"
    );
    test.advance(1000);
    record(
        test,
        site,
        visitor("browser-1", None),
        whole(&new_id(), release, NOW + 500),
    )
    .await;
    assert_eq!(
        visit(test, site, "browser-1").await.tours,
        [],
        "runs after the reset count"
    );
    assert_eq!(fixture.reset(&bob, &id, None).await, "no error");
    assert_eq!(visit(test, site, "browser-1").await.tours.len(), 1);

    assert_eq!(fixture.tester(&bob, &id, false).await, "no error");
    assert_eq!(fixture.tester(&eve, &id, true).await, "no error");
    assert_eq!(fixture.reset(&bob, &new_id(), None).await, "NOT_FOUND");
}

#[tokio::test]
async fn a_tester_who_left_the_workspace_is_ignored() {
    let fixture = fixture().await;
    let (bob, eve) = (fixture.author("bob").await, fixture.author("eve").await);
    let id = visit(&fixture.test, &fixture.site, "browser-1").await.visitor_id;
    fixture.tester(&bob, &id, true).await;
    let mut tx = fixture.test.app.store.save().await.expect("the writer");
    let left = sql("delete from members where account_id = ?").bind(bob.account.as_str());
    left.execute(tx.conn()).await.expect("removed");
    tx.commit().await.expect("committed");
    assert_eq!(fixture.tester(&eve, &id, true).await, "no error");
}

async fn everything(test: &TestApp) -> String {
    let reader = || test.app.store.reader();
    let (columns, quote) = if reader().is_sqlite() {
        (
            "select m.name as name, c.name as part from sqlite_master m join pragma_table_info(m.name) c
             where m.type = 'table' and m.name not like 'sqlite%' and m.name not like '_sqlx%'",
            "quote",
        )
    } else {
        (
            "select table_name as name, column_name as part from information_schema.columns
             where table_schema = current_schema() and table_name not like '_sqlx%'",
            "quote_nullable",
        )
    };
    let columns = sql(columns);
    let columns: Vec<(String, String)> = columns
        .try_map(|row| Ok((row.text("name")?, row.text("part")?)))
        .fetch_all(reader())
        .await
        .expect("the columns");
    let mut all = String::new();
    for (table, column) in columns {
        let query = format!("select json_group_array({quote}(\"{column}\")) from \"{table}\"");
        let texts: String = scalar(sqlx::AssertSqlSafe(query))
            .fetch_one(reader())
            .await
            .expect("texts");
        all += &texts;
    }
    all
}

#[tokio::test]
async fn an_erasure_deletes_the_visitor_and_keeps_the_counts() {
    let fixture = fixture().await;
    let Fixture {
        test,
        site,
        release,
        admin,
        ..
    } = &fixture;
    let (author, ada) = (fixture.author("bob").await, || {
        visitor("browser-secret", Some("grace@example.org"))
    });
    let id = boot(test, site, ada()).await.visitor_id;
    let (finished, waiting) = (new_id(), new_id());
    record(test, site, ada(), whole(&finished, release, NOW)).await;
    record(test, site, ada(), whole(&waiting, release, NOW)[..2].to_vec()).await;
    fixture.tester(&author, &id, true).await;
    fixture.reset(&author, &id, None).await;
    visit(test, site, "browser-other").await;
    let numbers = "select json_group_array(started || ' ' || completed || ' ' || open || ' ' || day) from tour_days";
    let count = async || -> String {
        scalar(numbers)
            .fetch_one(test.app.store.reader())
            .await
            .expect("numbers")
    };
    let before = count().await;
    assert!(everything(test).await.contains("grace@example.org"));

    let erased = resolve::MutationVisitorErase::resolve(&test.app, &anonymous(), admin, id.clone()).await;
    assert_eq!(erased.expect("erased"), id);
    let all = everything(test).await;
    assert!(!all.contains("grace@example.org") && !all.contains("browser-secret"));
    assert_eq!(count().await, before);
    assert_eq!(
        fixture.visitors(None, 9, None).await.nodes.len(),
        1,
        "other visitors are kept"
    );
    let again = resolve::MutationVisitorErase::resolve(&test.app, &anonymous(), admin, id.clone()).await;
    assert_eq!(code(again), "NOT_FOUND");

    let rest = whole(&waiting, release, NOW)[2..].to_vec();
    let ack = report(test, site, visitor("browser-secret", None), rest).await;
    assert_eq!((ack.accepted, ack.rejected[0].code), (0, ErrorCode::UnknownVisitor));
    assert_eq!(count().await, before);
    let new = boot(test, site, ada()).await;
    assert_ne!(new.visitor_id, id, "a returning browser is a new visitor");
    assert_eq!(new.tours.len(), 1);
    let rest = whole(&waiting, release, NOW)[2..].to_vec();
    let ack = record(test, site, visitor("browser-secret", None), rest).await;
    assert_eq!((ack.accepted, ack.rejected[0].code), (0, ErrorCode::RunNotYours));
    assert_eq!(count().await, before);
}

#[tokio::test]
async fn invented_visitors_are_removed_as_if_they_had_never_existed() {
    let fixture = fixture().await;
    let Fixture {
        test,
        site,
        release,
        admin,
        ..
    } = &fixture;
    let author = fixture.author("bob").await;
    // Time, browser, external id and number of reported events. The last one completes the run.
    let visits = [
        (0, "before-0", None, 2),
        (1, "invented-1", None, 2),
        (1, "invented-2", None, 1),
        (1, "identified", Some("grace"), 2),
        (1, "completed", None, 6),
        (1, "test-user", None, 2),
        (2, "after-00", None, 2),
    ];
    let mut late = None;
    for (hour, browser, name, events) in visits {
        let elapsed = test.app.now().as_millis() - NOW;
        test.advance(hour * 3_600_000 - elapsed);
        let id = boot(test, site, visitor(browser, name)).await.visitor_id;
        let (run, begin) = (new_id(), NOW + hour * 3_600_000);
        let reported = whole(&run, release, begin)[..events].to_vec();
        record(test, site, visitor(browser, name), reported).await;
        match browser {
            "test-user" => assert_eq!(fixture.tester(&author, &id, true).await, "no error"),
            "invented-1" => late = Some(whole(&run, release, begin)[events..].to_vec()),
            _ => {}
        }
    }
    let numbers = "select json_group_array(started || ' ' || completed || ' ' || open) from tour_days";
    let count = async || -> String {
        scalar(numbers)
            .fetch_one(test.app.store.reader())
            .await
            .expect("numbers")
    };
    assert_eq!(count().await, r#"["7 1 6"]"#);
    let at = |hour: i64| DateTime::from_millis(NOW + hour * 3_600_000).expect("a time");
    let filter = |anonymous, unfinished| VisitorFilterInput {
        anonymous,
        unfinished,
        ..VisitorFilterInput::new(at(1), at(2))
    };
    for (filter, expected) in [
        (filter(true, true), 2),
        (filter(false, true), 3),
        (filter(true, false), 3),
        (filter(false, false), 4),
    ] {
        let found =
            resolve::QueryVisitorCount::resolve(&test.app, &anonymous(), admin, site.id.clone(), filter.clone()).await;
        assert_eq!(found.expect("a count"), expected, "{filter:?}");
    }
    let removed =
        resolve::MutationVisitorsErase::resolve(&test.app, &anonymous(), admin, site.id.clone(), filter(true, true))
            .await;
    assert_eq!(removed.expect("a count"), 2);
    assert_eq!(count().await, r#"["5 1 4"]"#, "the insights are corrected");
    assert_eq!(fixture.visitors(None, 9, None).await.nodes.len(), 5);
    assert!(!everything(test).await.contains("invented-"));

    visit(test, site, "invented-1").await;
    let ack = record(test, site, visitor("invented-1", None), late.expect("events")).await;
    assert!(ack.accepted == 0, "a later report does not restore the run");
    assert_eq!(count().await, r#"["5 1 4"]"#);
}

#[tokio::test]
async fn a_subscription_sends_changes_of_a_visitor_and_ends_with_the_erasure() {
    let fixture = fixture().await;
    let Fixture {
        test,
        site,
        release,
        admin,
        ..
    } = &fixture;
    let id = visit(test, site, "browser-1").await.visitor_id;
    let viewer = admin.lower();
    let changes = resolve::SubscriptionVisitorChanged::resolve(&test.app, &anonymous(), &viewer, id.clone()).await;
    let mut changes = changes.expect("a stream");
    assert!(changes.next().await.is_some(), "the initial state");
    record(test, site, visitor("browser-1", None), whole(&new_id(), release, NOW)).await;
    let change = changes.next().await.expect("an event").expect("a visitor");
    assert_eq!(change.id, id);
    let erased = resolve::MutationVisitorErase::resolve(&test.app, &anonymous(), admin, id).await;
    erased.expect("erased");
    assert!(changes.next().await.is_none(), "the stream ends");
}

/// Returns the names of the files of the database that contain a text.
fn files_with(folder: &std::path::Path, text: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("the data folder").flatten();
    let contains = |path: std::path::PathBuf| {
        let bytes = std::fs::read(path).expect("a file");
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    };
    files
        .filter(|file| contains(file.path()))
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect()
}

#[tokio::test]
async fn the_files_of_the_database_do_not_contain_an_erased_visitor() {
    const SECRETS: [&str; 4] = ["browser-secret", "grace@example.org", "platinum-plan", "/secret-page"];
    let test = TestApp::over(None, |_| {}).await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    let mut ids = Vec::new();
    // Enough rows for several pages of the file, so that erasing moves and frees pages.
    for number in 0..300 {
        let secret = number % 3 == 0;
        let name = |text: &str| format!("{text}-{number}");
        let mut input = if secret {
            visitor(&name("browser-secret"), Some(&name("grace@example.org")))
        } else {
            visitor(&name("browser-other"), Some(&name("alan@example.org")))
        };
        if secret {
            let value = waypost_api::TraitInput::new("plan".into(), name("platinum-plan"));
            input.traits = traitql::Patch::Set(vec![value]);
        }
        let path = if secret { "secret-page" } else { "page" };
        let url = format!("https://shop.example/{path}-{number}").parse().expect("a URL");
        let shop = page("https://shop.example");
        let booted = resolve::MutationBoot::resolve(&test.app, &shop, site.key.clone(), input.clone(), url).await;
        let booted = booted.expect("a boot");
        record(&test, &site, input, whole(&new_id(), &release, NOW)).await;
        if secret {
            ids.push(booted.visitor_id);
        }
    }
    let mut tx = test.app.store.save().await.expect("the writer");
    sql("analyze").execute(tx.conn()).await.expect("statistics");
    tx.commit().await.expect("committed");
    test.app.store.empty_log().await;
    for secret in SECRETS {
        assert_ne!(files_with(test.folder(), secret), [""; 0], "{secret} is stored");
    }

    for id in ids {
        let erased = resolve::MutationVisitorErase::resolve(&test.app, &anonymous(), &admin, id).await;
        erased.expect("erased");
    }
    for secret in SECRETS {
        assert_eq!(files_with(test.folder(), secret), [""; 0], "{secret} is still stored");
    }
    assert_ne!(files_with(test.folder(), "alan@example.org"), [""; 0]);
}
