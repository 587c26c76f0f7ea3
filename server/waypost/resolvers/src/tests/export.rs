//! The export of everything that is stored about a visitor.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use traitql::{DateTime, Id, Patch};
use waypost_api::{AttemptInput, AttemptProblem, GoalInput, TourReleaseInput, TraitInput, resolve};
use waypost_domain::{
    store::{Row, new_id, sql},
    visitor::export::COLUMNS,
};

use super::runs::{SHOP, boot, record, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous, code, page};

/// The columns of the tables that refer to visitors, and of the table of visitors.
async fn columns(test: &TestApp) -> BTreeMap<String, BTreeSet<String>> {
    let columns = sql(
        "select m.name, c.name as column_name from sqlite_schema m join pragma_table_info(m.name) c
         where m.type = 'table' and (m.name = 'visitors' or exists (
             select 1 from pragma_foreign_key_list(m.name) f where f.\"table\" = 'visitors')
           or exists (select 1 from pragma_table_info(m.name) v where v.name like '%visitor%' and m.name not in (
             'sites', 'lift_groups', 'workspaces')))",
    )
    .try_map(|row: Row| Ok((row.text("name")?, row.text("column_name")?)))
    .fetch_all(test.app.store.reader())
    .await
    .expect("the columns");
    let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (table, column) in columns {
        tables.entry(table).or_default().insert(column);
    }
    tables
}

#[tokio::test]
async fn an_export_covers_every_column_about_visitors() {
    let test = TestApp::over(None, |_| {}).await;
    let exported = COLUMNS.map(|(table, columns, derived)| {
        let names = columns.iter().chain(derived).map(|column| (*column).to_owned());
        (table.to_owned(), names.collect())
    });
    assert_eq!(
        columns(&test).await,
        BTreeMap::from(exported),
        "visitor/export.rs must export new tables and columns about visitors, and visitor/removal.rs must delete them"
    );
}

#[tokio::test]
async fn an_export_contains_everything_and_is_audited() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let (app, cx) = (&test.app, &anonymous());
    let mut input = TourReleaseInput::new(tour.id.clone(), 2, vec![site.id.clone()]);
    input.goal = Patch::Set("bought".into());
    let released = resolve::MutationTourRelease::resolve(app, cx, &admin.lower(), input).await;
    let release = released.expect("a release").remove(0);
    let who = || {
        let mut who = visitor("browser-1", Some("ada@shop.example"));
        let plan = TraitInput {
            key: "plan".into(),
            value: "pro".into(),
        };
        (who.traits, who.locale) = (Patch::Set(vec![plan]), Patch::Set("de".into()));
        who
    };
    let id = boot(&test, &site, who()).await.visitor_id;
    let run = new_id();
    record(&test, &site, who(), whole(&run, &release, NOW)).await;
    let at = DateTime::from_millis(NOW).expect("a time");
    let from = page(SHOP);
    let mut attempt = AttemptInput::new(release.id.clone(), AttemptProblem::ElementMissing, at);
    attempt.step_key = Patch::Set("b".into());
    let attempts = resolve::MutationAttemptRecord::resolve(app, &from, site.key.clone(), who(), vec![attempt]).await;
    assert_eq!(attempts.expect("a number"), 1);
    let goals = vec![GoalInput::new("bought".into(), at)];
    let goals = resolve::MutationGoalRecord::resolve(app, &from, site.key.clone(), who(), goals).await;
    assert_eq!(goals.expect("a number"), 1);
    resolve::MutationVisitorTesterSet::resolve(app, cx, &admin.lower(), id.clone(), true)
        .await
        .expect("a test user");
    resolve::MutationVisitorReset::resolve(app, cx, &admin.lower(), id.clone(), None)
        .await
        .expect("reset");

    let exported = resolve::MutationVisitorExport::resolve(app, cx, &admin, id.clone())
        .await
        .expect("a document");
    let document: Value = serde_json::from_str(&exported).expect("JSON");
    let time = at.to_string();
    let event = |seq: i64, kind: &str, step: Option<&str>| {
        let at = DateTime::from_millis(NOW + seq * 1000)
            .expect("a time")
            .min(at)
            .to_string();
        json!({ "seq": seq, "kind": kind, "step": step, "at": at, "activeMs": seq * 100, "reason": null })
    };
    let expected = json!({
        "format": "waypost-visitor", "version": 1, "exportedAt": time,
        "site": { "id": site.id, "name": "Shop" },
        "visitor": {
            "id": id, "externalId": "ada@shop.example", "verified": false,
            "traits": [{ "key": "plan", "value": "pro", "signed": false }], "locale": "de", "firstSeenAt": time,
            "lastSeenAt": time, "lastPage": "https://shop.example/cart", "isTestUser": true,
        },
        "browsers": [{ "id": "browser-1", "linkedAt": time }],
        "runs": [{
            "id": run, "tour": "Tour first", "revision": 1, "release": release.id, "state": "COMPLETED", "showedStep": true,
            "seenSteps": ["a", "b"], "completedSteps": ["a", "b"], "missingSteps": [], "startedAt": time,
            "lastActiveAt": time, "endedAt": time, "endReason": document["runs"][0]["endReason"], "activeMs": 500,
            "stepTimes": [
                { "step": "a", "shownAfterMs": 0, "completedAfterMs": 200 },
                { "step": "b", "shownAfterMs": 300, "completedAfterMs": 400 },
            ],
            "events": [
                event(0, "RUN_STARTED", Some("a")), event(1, "STEP_SEEN", Some("a")), event(2, "STEP_DONE", Some("a")),
                event(3, "STEP_SEEN", Some("b")), event(4, "STEP_DONE", Some("b")), event(5, "RUN_COMPLETED", None),
            ],
        }],
        "goals": [{ "event": "bought", "at": time }],
        "exposures": [{
            "release": release.id, "tour": "Tour first", "goal": "bought", "inHoldout": false, "at": time,
            "reachedGoal": true,
        }],
        "attempts": [{
            "tour": "Tour first", "release": release.id, "problem": "ELEMENT_MISSING", "at": time, "step": "b",
        }],
        "resets": [{ "tour": "Tour first", "at": time }],
    });
    assert_eq!(document, expected, "{document:#}");

    let page = resolve::QueryAudit::resolve(app, cx, &admin, admin.scope().clone(), None, 1, None).await;
    let entry = page.expect("the log").nodes.remove(0);
    assert_eq!(
        (entry.action.as_str(), entry.subject.as_str()),
        ("visitor.export", id.as_str())
    );
    let nobody: Id = new_id();
    let missing = resolve::MutationVisitorExport::resolve(app, cx, &admin, nobody).await;
    assert_eq!(code(missing), "NOT_FOUND");
}
