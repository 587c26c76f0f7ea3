//! A page plays the tour, and members see its visitors.

use futures_util::StreamExt;
use serde_json::{Value, json};

use super::Crew;
use super::common::{SHOP, page};

fn run_events(run: &str, release: &Value) -> Value {
    let now = traitql::DateTime::now().to_string();
    let event = |seq: i32, kind: &str, step: Value| json!({ "runId": run, "releaseId": release, "seq": seq, "kind": kind, "stepKey": step, "at": now, "activeMs": seq * 900 });
    json!([
        event(0, "RUN_STARTED", json!("search")),
        event(1, "STEP_SEEN", json!("search")),
        event(2, "STEP_DONE", json!("search")),
        event(3, "STEP_SEEN", json!("cart")),
        event(4, "STEP_DONE", json!("cart")),
        event(5, "RUN_COMPLETED", Value::Null),
    ])
}

fn boot(site: &Value) -> Value {
    json!({ "siteKey": site["key"], "visitor": { "anonymousId": "browser-1" }, "url": format!("{SHOP}/cart") })
}

pub(crate) async fn visit(crew: &Crew, site: &Value, tour: &Value, release: &Value) {
    let Crew { server, bob, .. } = crew;
    let shop = &page();
    let visitor = json!({ "anonymousId": "browser-1" });
    let offered = server.query(shop, "Boot", boot(site)).await["boot"]["tours"].clone();
    assert_eq!(
        (&offered[0]["releaseId"], &offered[0]["theme"]["name"]),
        (&release["id"], &json!("Night"))
    );
    let embedded = server.query(shop, "EmbedBoot", boot(site)).await["boot"]["tours"].clone();
    assert!(
        embedded[0]["bundle"]
            .as_str()
            .is_some_and(|path| path.starts_with("/t/")),
        "{embedded}"
    );
    let goal_time = traitql::DateTime::now().to_string();
    let goal = json!({ "event": "order_placed", "at": goal_time });
    let goals = json!({ "siteKey": site["key"], "visitor": visitor, "goals": [goal] });
    assert_eq!(server.query(shop, "GoalRecord", goals).await["goalRecord"], 1);
    let site_events = server.query(bob, "SiteEvents", json!({ "slug": "crew" })).await["workspace"]["sites"].clone();
    let site_events: Vec<&Value> = site_events
        .as_array()
        .expect("sites")
        .iter()
        .map(|site| &site["events"])
        .collect();
    assert_eq!(
        (&site_events[0][0]["name"], site_events[1]),
        (&json!("order_placed"), &json!([]))
    );
    let lift = server.query(bob, "TourLift", json!({ "tourId": tour["id"] })).await["tourLift"][0].clone();
    assert_eq!(
        (
            &lift["release"]["goal"],
            &lift["offered"]["visitors"],
            &lift["offered"]["reached"],
            &lift["lift"]
        ),
        (&json!("order_placed"), &json!(1), &json!(1), &Value::Null)
    );
    let attempt =
        json!({ "releaseId": release["id"], "problem": "ELEMENT_MISSING", "stepKey": "search", "at": goal_time });
    let attempts = json!({ "siteKey": site["key"], "visitor": visitor, "attempts": [attempt] });
    assert_eq!(server.query(shop, "AttemptRecord", attempts).await["attemptRecord"], 1);
    let run = uuid::Uuid::now_v7().to_string();
    let report = json!({ "siteKey": site["key"], "visitor": visitor, "events": run_events(&run, &release["id"]) });
    for _ in 0..2 {
        let ack = server.query(shop, "Record", report.clone()).await;
        assert_eq!(
            ack["record"],
            json!({ "accepted": 6, "rejected": [], "__typename": "Ack" })
        );
    }
    assert_eq!(server.query(shop, "Boot", boot(site)).await["boot"]["tours"], json!([]));
    let runs = server.query(bob, "Runs", json!({ "tourId": tour["id"] })).await;
    assert_eq!(runs["runs"]["nodes"][0]["state"], "COMPLETED");
    let today = traitql::Date::of(traitql::DateTime::now()).to_string();
    let range = json!({ "tourId": tour["id"], "range": { "from": today, "to": today } });
    let insights = server.query(bob, "TourInsights", range).await["tourInsights"].clone();
    assert_eq!((&insights["started"], &insights["completed"]), (&json!(1), &json!(1)));
    assert_eq!(insights["steps"][1]["stepKey"], "cart");
    assert_eq!(
        (&insights["attemptsWithoutElement"], &insights["steps"][0]["attempts"]),
        (&json!(1), &json!(1))
    );
    let filter = json!({ "tourId": tour["id"], "range": { "from": today, "to": today } });
    assert_eq!(server.query(bob, "TourVisitors", filter).await["tourVisitors"], 1);
}

pub(crate) async fn manage_visitors(crew: &Crew, site: &Value, tour: &Value) {
    let Crew { server, ada, bob, .. } = crew;
    let filter = json!({ "siteId": site["id"], "search": "browser-1" });
    let found = server.query(bob, "Visitors", filter.clone()).await["visitors"]["nodes"][0].clone();
    assert_eq!(
        (&found["tourCount"], &found["runs"]["nodes"][0]["state"]),
        (&json!(1), &json!("COMPLETED"))
    );
    let visitor = json!({ "id": found["id"] });
    let mut watched = server.subscribe(bob, "VisitorChanged", visitor.clone()).await;
    let tester = json!({ "id": found["id"], "tester": true });
    server.query(bob, "VisitorTesterSet", tester.clone()).await;
    assert_eq!(
        watched.next().await.expect("an event")["visitorChanged"]["tester"]["name"],
        "bob"
    );
    let timeline = server.query(ada, "VisitorTimeline", visitor.clone()).await["visitor"].clone();
    assert_eq!(timeline["runs"]["nodes"][0]["events"].as_array().map(Vec::len), Some(6));
    assert_eq!(timeline["browsers"].as_array().map(Vec::len), Some(1));
    assert_eq!(timeline["lastPage"], format!("{SHOP}/cart"));
    assert_eq!(
        server.error_code(ada, "VisitorReset", visitor.clone()).await,
        "NOT_YOUR_TEST_USER"
    );
    server.query(bob, "VisitorReset", visitor.clone()).await;
    let offered = server.query(&page(), "Boot", boot(site)).await["boot"]["tours"].clone();
    assert_eq!(offered.as_array().map(Vec::len), Some(1));
    let request = json!({ "visitorId": found["id"], "tourId": tour["id"], "url": format!("{SHOP}/cart") });
    let explanation = server.query(bob, "Explain", request).await["explain"].clone();
    assert_eq!(
        (&explanation["wouldPlay"], &explanation["checks"][0]["check"]),
        (&json!(true), &json!("ORIGIN"))
    );
    assert_eq!(
        server.error_code(bob, "VisitorErase", visitor.clone()).await,
        "FORBIDDEN"
    );
    let exported = server.query(ada, "VisitorExport", visitor.clone()).await["visitorExport"].clone();
    let exported: Value = serde_json::from_str(exported.as_str().expect("a text")).expect("JSON");
    assert_eq!(exported["visitor"]["id"], found["id"]);
    assert_eq!(exported["runs"][0]["events"].as_array().map(Vec::len), Some(6));
    let invented = json!({ "siteId": site["id"], "filter": { "firstSeenFrom": "2020-01-01T00:00:00Z", "firstSeenUntil": "2020-01-02T00:00:00Z" } });
    let none = server.query(ada, "VisitorCount", invented.clone()).await["visitorCount"].clone();
    assert_eq!(
        server.query(ada, "VisitorsErase", invented).await["visitorsErase"],
        none
    );
    server.query(ada, "VisitorErase", visitor.clone()).await;
    assert_eq!(server.error_code(ada, "VisitorErase", visitor).await, "NOT_FOUND");
    assert_eq!(
        server.query(bob, "Visitors", filter).await["visitors"]["nodes"],
        json!([])
    );
}
