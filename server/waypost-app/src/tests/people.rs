//! Participants for members: listed, watched, reset and erased.

use futures_util::StreamExt;
use traitql::{Id, Viewer, with_batch};
use waypost_api::{ErrorCode, EventKind, Participant, Release, RunEvent, Site, Tour, resolve, role};
use waypost_domain::store::{Db, new_id, scalar, sql};

use super::runs::{boot, event, record, visit, visitor, whole};
use crate::testing::{Bench, NOW, code, nobody, page, principal};

struct Stage {
    bench: Bench,
    admin: Viewer<role::Admin>,
    site: Site,
    tour: Tour,
    release: Release,
}

async fn stage() -> Stage {
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    let site = bench.site(&admin, "Shop").await;
    let tour = bench.tour(&admin, "first", &["a", "b"]).await;
    let release = bench.release(&admin, &tour, 2, &site).await;
    Stage {
        bench,
        admin,
        site,
        tour,
        release,
    }
}

impl Stage {
    async fn people(&self, search: Option<&str>, first: i32, after: Option<String>) -> traitql::Page<Participant> {
        let (app, site, search) = (&self.bench.app, self.site.id.clone(), search.map(str::to_owned));
        let viewer = self.admin.lower();
        let page = resolve::QueryParticipants::resolve(app, &nobody(), &viewer, site, search, first, after).await;
        page.expect("a page")
    }

    async fn author(&self, name: &str) -> Viewer<role::Author> {
        let account = self.bench.app.account_of(&principal(name)).await.expect("an account");
        let (app, workspace) = (&self.bench.app, self.admin.scope().clone());
        let (email, role) = (format!("{name}@example.com"), waypost_api::Role::Author);
        let (cx, admin) = (&nobody(), &self.admin);
        let member = resolve::MutationMemberAdd::resolve(app, cx, admin, workspace.clone(), email, role).await;
        member.expect("a member");
        Viewer::for_test(account, Some(workspace))
    }

    async fn tester(&self, who: &Viewer<role::Author>, id: &Id, tester: bool) -> &'static str {
        let app = &self.bench.app;
        code(resolve::MutationParticipantTesterSet::resolve(app, &nobody(), who, id.clone(), tester).await)
    }

    async fn reset(&self, who: &Viewer<role::Author>, id: &Id, tour: Option<Id>) -> &'static str {
        code(resolve::MutationParticipantReset::resolve(&self.bench.app, &nobody(), who, id.clone(), tour).await)
    }
}

#[tokio::test]
async fn people_are_listed_the_last_seen_first_and_found_by_what_they_are_called() {
    let stage = stage().await;
    let (bench, site) = (&stage.bench, &stage.site);
    let mut ids = Vec::new();
    for (browser, name) in [
        ("browser-1", Some("Ada Lovelace")),
        ("browser-2", None),
        ("browser-3", Some("ada@x.org")),
    ] {
        ids.push(boot(bench, site, visitor(browser, name)).await.participant_id);
        bench.pass(1000);
    }
    let found = |page: &traitql::Page<Participant>| page.nodes.iter().map(|p| p.id.clone()).collect::<Vec<_>>();
    let first = stage.people(None, 2, None).await;
    assert_eq!(found(&first), [ids[2].clone(), ids[1].clone()]);
    let rest = stage.people(None, 2, first.end_cursor().map(str::to_owned)).await;
    assert_eq!((found(&rest), rest.has_next_page), (vec![ids[0].clone()], false));
    assert_eq!(
        found(&stage.people(Some("ADA"), 9, None).await),
        [ids[2].clone(), ids[0].clone()]
    );
    assert_eq!(found(&stage.people(Some("browser-2"), 9, None).await), [ids[1].clone()]);
    assert_eq!(
        found(&stage.people(Some(ids[0].as_str()), 9, None).await),
        [ids[0].clone()]
    );
    assert_eq!(found(&stage.people(Some("  "), 9, None).await).len(), 3);
    assert_eq!(
        found(&stage.people(Some("%"), 9, None).await).len(),
        0,
        "a search is no pattern"
    );
    let other = bench.site(&stage.admin, "Docs").await;
    let elsewhere = Stage { site: other, ..stage };
    assert_eq!(found(&elsewhere.people(None, 9, None).await), [] as [Id; 0]);
}

#[tokio::test]
async fn somebody_is_known_by_the_page_they_were_on_last_and_by_their_browsers() {
    let stage = stage().await;
    let Stage { bench, site, .. } = &stage;
    let go = async |browser: &str, url: &str| {
        let (key, who) = (site.key.clone(), visitor(browser, Some("ada")));
        let url = url.parse().expect("a URL");
        let boot = resolve::MutationBoot::resolve(&bench.app, &page("https://shop.example"), key, who, url).await;
        boot.expect("a boot").participant_id
    };
    let person = async |id: &Id| {
        let found = resolve::QueryParticipant::resolve(&bench.app, &nobody(), &stage.admin.lower(), id.clone()).await;
        found.expect("an answer").expect("the participant")
    };
    let last_page = async |id: &Id| person(id).await.last_page.map(|page| page.to_string());

    let id = go("browser-1", "https://ada:secret@shop.example/cart?coupon=1#total").await;
    assert_eq!(last_page(&id).await.as_deref(), Some("https://shop.example/cart"));
    bench.pass(9_999);
    go("browser-1", "https://shop.example/").await;
    assert_eq!(
        last_page(&id).await.as_deref(),
        Some("https://shop.example/cart"),
        "too soon to be written"
    );
    bench.pass(1);
    go("browser-1", "https://shop.example/").await;
    assert_eq!(last_page(&id).await.as_deref(), Some("https://shop.example/"));
    go("browser-2", "https://shop.example/").await;
    record(
        bench,
        site,
        visitor("browser-2", Some("ada")),
        whole(&new_id(), &stage.release, NOW),
    )
    .await;
    assert_eq!(
        last_page(&id).await.as_deref(),
        Some("https://shop.example/"),
        "events say no page"
    );

    let people = [
        person(&id).await,
        person(&visit(bench, site, "browser-3").await.participant_id).await,
    ];
    let browsers = with_batch(&people, async |people| {
        let column = resolve::ParticipantBrowsers::resolve(&bench.app, &nobody(), people).await;
        let column = column.expect("browsers");
        [column.get(0).to_vec(), column.get(1).to_vec()]
    });
    let [of_ada, of_nobody] = browsers.await;
    assert_eq!(of_ada, [Id::from("browser-1"), "browser-2".into()]);
    assert_eq!(of_nobody, [Id::from("browser-3")]);
}

#[tokio::test]
async fn the_timeline_tells_every_run_with_its_events() {
    let stage = stage().await;
    let Stage {
        bench, site, release, ..
    } = &stage;
    let id = visit(bench, site, "browser-1").await.participant_id;
    let (first, second) = (new_id(), new_id());
    record(
        bench,
        site,
        visitor("browser-1", None),
        whole(&first, release, NOW - 60_000),
    )
    .await;
    let begun = vec![event(&second, release, 0, EventKind::RunStarted, Some("a"), NOW)];
    record(bench, site, visitor("browser-1", None), begun).await;
    let person = resolve::QueryParticipant::resolve(&bench.app, &nobody(), &stage.admin.lower(), id).await;
    let people = [person.expect("an answer").expect("the participant")];
    let (runs, more) = with_batch(&people, async |people| {
        let page = resolve::ParticipantRuns::resolve(&bench.app, &nobody(), people, 1, None)
            .await
            .expect("runs");
        let page = page.get(0).expect("a page");
        (page.nodes.clone(), page.has_next_page)
    })
    .await;
    assert_eq!((runs[0].id.clone(), more), (second, true), "the newest first");
    let all = with_batch(&people, async |people| {
        let page = resolve::ParticipantRuns::resolve(&bench.app, &nobody(), people, 9, None)
            .await
            .expect("runs");
        page.get(0).expect("a page").nodes.clone()
    })
    .await;
    let events: Vec<Vec<RunEvent>> = with_batch(&all, async |runs| {
        let events = resolve::RunEvents::resolve(&bench.app, &nobody(), runs, 4)
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
        "as many as were asked for"
    );
}

#[tokio::test]
async fn only_the_one_who_tests_as_somebody_resets_them() {
    let stage = stage().await;
    let Stage {
        bench,
        site,
        release,
        tour,
        ..
    } = &stage;
    let (bob, eve) = (stage.author("bob").await, stage.author("eve").await);
    let id = visit(bench, site, "browser-1").await.participant_id;
    record(bench, site, visitor("browser-1", None), whole(&new_id(), release, NOW)).await;
    assert_eq!(visit(bench, site, "browser-1").await.tours, []);

    assert_eq!(stage.reset(&bob, &id, None).await, "NOT_YOUR_TEST_PARTICIPANT");
    assert_eq!(stage.tester(&bob, &id, true).await, "no error");
    assert_eq!(stage.tester(&eve, &id, true).await, "NOT_YOUR_TEST_PARTICIPANT");
    assert_eq!(stage.tester(&eve, &id, false).await, "NOT_YOUR_TEST_PARTICIPANT");
    assert_eq!(stage.reset(&eve, &id, None).await, "NOT_YOUR_TEST_PARTICIPANT");
    assert_eq!(stage.reset(&bob, &id, Some(new_id())).await, "NOT_FOUND");
    let elsewhere = bench.workspace("other", "mallory").await;
    let foreign = bench.tour(&elsewhere, "theirs", &["a"]).await;
    assert_eq!(stage.reset(&bob, &id, Some(foreign.id)).await, "NOT_FOUND");

    assert_eq!(stage.reset(&bob, &id, Some(tour.id.clone())).await, "no error");
    let again = visit(bench, site, "browser-1").await;
    assert_eq!(
        (again.tours.len(), again.tours[0].resume.clone()),
        (1, None),
        "as if for the first time"
    );
    bench.pass(1000);
    record(
        bench,
        site,
        visitor("browser-1", None),
        whole(&new_id(), release, NOW + 500),
    )
    .await;
    assert_eq!(
        visit(bench, site, "browser-1").await.tours,
        [],
        "what came after the reset counts"
    );
    assert_eq!(stage.reset(&bob, &id, None).await, "no error");
    assert_eq!(visit(bench, site, "browser-1").await.tours.len(), 1);

    assert_eq!(stage.tester(&bob, &id, false).await, "no error");
    assert_eq!(stage.tester(&eve, &id, true).await, "no error");
    assert_eq!(stage.reset(&bob, &new_id(), None).await, "NOT_FOUND");
}

#[tokio::test]
async fn a_tester_who_left_is_none() {
    let stage = stage().await;
    let (bob, eve) = (stage.author("bob").await, stage.author("eve").await);
    let id = visit(&stage.bench, &stage.site, "browser-1").await.participant_id;
    stage.tester(&bob, &id, true).await;
    let mut tx = stage.bench.app.store.save().await.expect("the writer");
    let left = sql("delete from members where account_id = ?").bind(bob.account.as_str());
    left.execute(tx.conn()).await.expect("removed");
    tx.commit().await.expect("committed");
    assert_eq!(stage.tester(&eve, &id, true).await, "no error");
}

/// Every text of every table.
async fn everything(bench: &Bench) -> String {
    let reader = || bench.app.store.reader();
    let columns = match reader() {
        Db::SqlitePool(_) | Db::Sqlite(_) => sql(
            "select m.name as name, c.name as part from sqlite_master m join pragma_table_info(m.name) c
             where m.type = 'table' and m.name not like 'sqlite%' and m.name not like '_sqlx%'",
        ),
        Db::PostgresPool(_) | Db::Postgres(_) => sql(
            "select table_name as name, column_name as part from information_schema.columns
             where table_schema = current_schema() and table_name not like '_sqlx%'",
        ),
    };
    let columns: Vec<(String, String)> = columns
        .try_map(|row| Ok((row.text("name")?, row.text("part")?)))
        .fetch_all(reader())
        .await
        .expect("the columns");
    let mut all = String::new();
    for (table, column) in columns {
        let query = format!("select json_group_array(cast(\"{column}\" as text)) from \"{table}\"");
        let texts: String = scalar(sqlx::AssertSqlSafe(query))
            .fetch_one(reader())
            .await
            .expect("texts");
        all += &texts;
    }
    all
}

#[tokio::test]
async fn an_erased_person_is_gone_and_the_numbers_stay() {
    let stage = stage().await;
    let Stage {
        bench,
        site,
        release,
        admin,
        ..
    } = &stage;
    let (author, person) = (stage.author("bob").await, || {
        visitor("browser-secret", Some("grace@example.org"))
    });
    let id = boot(bench, site, person()).await.participant_id;
    let (finished, waiting) = (new_id(), new_id());
    record(bench, site, person(), whole(&finished, release, NOW)).await;
    record(bench, site, person(), whole(&waiting, release, NOW)[..2].to_vec()).await;
    stage.tester(&author, &id, true).await;
    stage.reset(&author, &id, None).await;
    visit(bench, site, "browser-other").await;
    let numbers = "select json_group_array(started || ' ' || completed || ' ' || open || ' ' || day) from tour_days";
    let count = async || -> String {
        scalar(numbers)
            .fetch_one(bench.app.store.reader())
            .await
            .expect("numbers")
    };
    let before = count().await;
    assert!(everything(bench).await.contains("grace@example.org"));

    let erased = resolve::MutationParticipantErase::resolve(&bench.app, &nobody(), admin, id.clone()).await;
    assert_eq!(erased.expect("erased"), id);
    let all = everything(bench).await;
    assert!(!all.contains("grace@example.org") && !all.contains("browser-secret"));
    assert_eq!(count().await, before);
    assert_eq!(stage.people(None, 9, None).await.nodes.len(), 1, "others stay");
    let again = resolve::MutationParticipantErase::resolve(&bench.app, &nobody(), admin, id.clone()).await;
    assert_eq!(code(again), "NOT_FOUND");

    // The browser still had something to tell.
    let rest = whole(&waiting, release, NOW)[2..].to_vec();
    let ack = record(bench, site, visitor("browser-secret", None), rest).await;
    assert_eq!((ack.accepted, ack.rejected[0].code), (0, ErrorCode::RunNotYours));
    assert_eq!(count().await, before);
    let new = boot(bench, site, person()).await;
    assert_ne!(new.participant_id, id, "whoever comes again is somebody new");
    assert_eq!(new.tours.len(), 1);
}

#[tokio::test]
async fn who_watches_a_participant_hears_of_their_runs_and_of_their_end() {
    let stage = stage().await;
    let Stage {
        bench,
        site,
        release,
        admin,
        ..
    } = &stage;
    let id = visit(bench, site, "browser-1").await.participant_id;
    let viewer = admin.lower();
    let heard = resolve::SubscriptionParticipantChanged::resolve(&bench.app, &nobody(), &viewer, id.clone()).await;
    let mut heard = heard.expect("a stream");
    assert!(heard.next().await.is_some(), "as they are");
    record(bench, site, visitor("browser-1", None), whole(&new_id(), release, NOW)).await;
    let news = heard.next().await.expect("news").expect("a participant");
    assert_eq!(news.id, id);
    let erased = resolve::MutationParticipantErase::resolve(&bench.app, &nobody(), admin, id).await;
    erased.expect("erased");
    assert!(heard.next().await.is_none(), "nobody is there any more");
}
