//! A workspace with something of everything that is stored: kinds of steps, conditions, releases in all states, runs with
//! all ends, reviews, members and keys.

use serde_json::{Value, json};

use crate::common::{SHOP, Server, page, person};

/// A browser and the run that it reports.
#[derive(Debug, Clone)]
pub(crate) struct RunReport {
    pub(crate) site_key: Value,
    pub(crate) tour: Value,
    pub(crate) release: Value,
    pub(crate) run: Value,
    pub(crate) browser: String,
    /// The sequence number of the next event.
    pub(crate) seq: usize,
}

pub(crate) struct Scene {
    pub(crate) server: Server,
    pub(crate) postgres: Option<String>,
    pub(crate) workspace: Value,
    pub(crate) site: Value,
    pub(crate) tours: Vec<Value>,
    /// Still active.
    pub(crate) run: RunReport,
    pub(crate) draft_version: Value,
    /// The day of all runs.
    pub(crate) day: String,
}

const SAMPLE: &str = include_str!("../../../domain/content/sample.json");

impl Scene {
    pub(crate) async fn play(postgres: Option<String>) -> Self {
        let server = Server::over(postgres.clone()).await;
        let (ada, bob) = (&person("ada"), &person("bob"));
        let input = json!({ "input": { "name": "Crew", "slug": "crew" } });
        let workspace = server.query(ada, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
        server.join(ada, &workspace, "bob", "AUTHOR").await;
        server.join(ada, &workspace, "cleo", "VIEWER").await;
        let invitation =
            json!({ "input": { "workspaceId": workspace, "email": "dora@example.com", "role": "PUBLISHER" } });
        server.query(ada, "InvitationCreate", invitation).await;
        let token = json!({ "input": { "workspaceId": workspace, "name": "CI", "role": "PUBLISHER" } });
        server.query(ada, "AccessTokenCreate", token).await;
        let input =
            json!({ "input": { "workspaceId": workspace, "name": "Shop", "origins": [SHOP], "cooldownHours": 0 } });
        let site = server.query(ada, "SiteCreate", input).await["siteCreate"].clone();
        let key = json!({ "siteId": site["id"] });
        server.query(ada, "IdentityKeyCreate", key).await;
        let night = json!({ "workspaceId": workspace, "input": { "name": "Night", "overlayOpacity": 0.9 } });
        let theme = server.query(ada, "ThemeCreate", night).await["themeCreate"]["id"].clone();
        let pro =
            json!({ "all": [{ "trait": { "key": "plan", "value": "pro" } }, { "none": [{ "verified": true }] }] });
        let segment = json!({ "workspaceId": workspace, "input": { "name": "Pro", "when": pro } });
        let segment = server.query(ada, "SegmentCreate", segment).await["segmentCreate"]["id"].clone();

        let mut tours = Vec::new();
        for sample in serde_json::from_str::<Vec<Value>>(SAMPLE).expect("the file is JSON") {
            let input =
                json!({ "input": { "workspaceId": workspace, "title": sample["title"], "slug": sample["slug"] } });
            let tour = server.query(bob, "TourCreate", input).await["tourCreate"].clone();
            let mut input =
                json!({ "id": tour["id"], "expectedVersion": 1, "steps": sample["steps"], "start": sample["start"] });
            if !sample["locales"].is_null() {
                input["locales"] = sample["locales"].clone();
                input["themeId"] = theme.clone();
            }
            server.query(bob, "TourSave", json!({ "input": input })).await;
            tours.push(tour);
        }
        let first = tours[0]["id"].clone();
        let other = tours[1]["id"].clone();
        let when = json!({ "any": [{ "segment": segment }, { "tour": { "tourId": first, "progress": "COMPLETED" } }] });
        let start = json!({ "trigger": "MANUAL", "when": when, "frequency": "EVERY_N_DAYS", "everyDays": 7 });
        let input = json!({ "input": { "id": other, "expectedVersion": 2, "start": start } });
        server.query(bob, "TourSave", input).await;
        let paused = release(
            &server,
            &json!({ "tourId": other, "expectedVersion": 3, "siteIds": [site["id"]] }),
        )
        .await;
        server
            .query(
                ada,
                "ReleasePause",
                json!({ "id": paused, "note": "Waits for the shop." }),
            )
            .await;

        // The first release ends when the second one begins.
        let replaced = release(
            &server,
            &json!({ "tourId": first, "expectedVersion": 2, "siteIds": [site["id"]] }),
        )
        .await;
        play(&server, &report_of(&site, &first, &replaced, "browser-0"), &COMPLETED).await;
        play(
            &server,
            &report_of(&site, &first, &replaced, "browser-1"),
            &[STARTED, SEEN],
        )
        .await;
        let title = json!({ "input": { "id": first, "expectedVersion": 3, "themeId": null } });
        server.query(bob, "TourSave", title).await;
        let terms = json!({ "tourId": first, "expectedVersion": 4, "siteIds": [site["id"]], "goal": "order_placed",
            "note": "Second try", "endActiveRuns": true });
        let live = release(&server, &terms).await;
        for (number, events) in [&COMPLETED[..], &DISMISSED, &FAILED, &SKIPPED].into_iter().enumerate() {
            play(
                &server,
                &report_of(&site, &first, &live, &format!("browser-{}", number + 2)),
                events,
            )
            .await;
        }
        let mut run = report_of(&site, &first, &live, "browser-9");
        play(&server, &run, &[STARTED, SEEN]).await;
        run.seq = 2;
        let goal = json!({ "event": "order_placed", "at": traitql::DateTime::now().to_string() });
        let goals = json!({ "siteKey": site["key"], "visitor": visitor("browser-2"), "goals": [goal] });
        server.query(&page(), "GoalRecord", goals).await;

        let draft = |slug| json!({ "workspaceId": workspace, "slug": slug });
        let slug = &tours[1]["slug"];
        let reviewed = server.query(bob, "TourEditor", draft(slug)).await["tourBySlug"]["draft"].clone();
        let submit = json!({ "id": reviewed["id"], "expectedVersion": reviewed["version"], "note": "Ready?" });
        server.query(bob, "RevisionSubmit", submit).await;
        let comment = json!({ "input": { "revisionId": reviewed["id"], "stepKey": "choice", "body": "Which order?" } });
        let comment = server.query(ada, "CommentAdd", comment).await["commentAdd"]["id"].clone();
        server
            .query(bob, "CommentReply", json!({ "id": comment, "body": "The last one." }))
            .await;
        let edited = server.query(bob, "TourEditor", draft(&tours[0]["slug"])).await;
        let draft_version = edited["tourBySlug"]["draft"]["version"].clone();
        // The last page of each visitor is written in the background, and when a server closes.
        let folder = server.close().await;
        let server = Server::open(waypost_api::MANIFEST, folder, postgres.clone()).await;
        Self {
            server: server.expect("the database opens again"),
            postgres,
            workspace,
            site,
            tours,
            run,
            draft_version,
            day: traitql::Date::of(traitql::DateTime::now()).to_string(),
        }
    }

    /// The documents whose responses every later version must repeat, with their variables.
    pub(crate) fn requests(&self) -> Vec<(&'static str, Value)> {
        let workspace = &self.workspace;
        let slug = json!({ "slug": "crew" });
        let mut requests = vec![
            ("Tours", json!({ "workspaceId": workspace })),
            ("Members", slug.clone()),
            ("Sites", slug.clone()),
            ("Themes", slug.clone()),
            ("Segments", slug),
            ("Invitations", json!({ "workspaceId": workspace })),
            ("AccessTokens", json!({ "workspaceId": workspace })),
            ("Audit", json!({ "workspaceId": workspace, "first": 100 })),
            ("Visitors", json!({ "siteId": self.site["id"] })),
        ];
        for tour in &self.tours {
            let of_slug = json!({ "workspaceId": workspace, "slug": tour["slug"] });
            requests.push(("TourEditor", of_slug.clone()));
            requests.push(("TourRevisions", of_slug.clone()));
            requests.push(("TourReleases", of_slug));
            requests.push(("Runs", json!({ "tourId": tour["id"] })));
            requests.push(("TourInsights", in_day(&tour["id"], &self.day)));
            requests.push(("TourVisitors", in_day(&tour["id"], &self.day)));
            requests.push(("TourLift", json!({ "tourId": tour["id"] })));
        }
        requests
    }
}

fn in_day(tour: &Value, day: &str) -> Value {
    json!({ "tourId": tour, "range": { "from": day, "to": day } })
}

type Event<'a> = (&'a str, Option<&'a str>);

const STARTED: Event = ("RUN_STARTED", Some("hello"));
const SEEN: Event = ("STEP_SEEN", Some("hello"));
const COMPLETED: [Event; 6] = [
    STARTED,
    SEEN,
    ("STEP_DONE", Some("hello")),
    ("STEP_SEEN", Some("search")),
    ("STEP_DONE", Some("search")),
    ("RUN_COMPLETED", None),
];
const DISMISSED: [Event; 3] = [STARTED, SEEN, ("RUN_DISMISSED", Some("hello"))];
const FAILED: [Event; 3] = [STARTED, SEEN, ("RUN_FAILED", Some("search"))];
const SKIPPED: [Event; 5] = [
    STARTED,
    SEEN,
    ("STEP_DONE", Some("hello")),
    ("TARGET_MISSING", Some("search")),
    ("RUN_COMPLETED", None),
];

fn visitor(browser: &str) -> Value {
    json!({ "anonymousId": browser, "traits": [{ "key": "plan", "value": "pro" }], "locale": "de" })
}

fn report_of(site: &Value, tour: &Value, release: &Value, browser: &str) -> RunReport {
    RunReport {
        site_key: site["key"].clone(),
        tour: tour.clone(),
        release: release.clone(),
        run: json!(uuid::Uuid::now_v7().to_string()),
        browser: browser.to_owned(),
        seq: 0,
    }
}

/// The variables of `Record` for events whose first one has the sequence number `seq`.
pub(crate) fn report(run: &RunReport, seq: usize, events: &[Event]) -> Value {
    let at = traitql::DateTime::now().to_string();
    let events: Vec<Value> = events
        .iter()
        .enumerate()
        .map(|(index, (kind, step))| {
            let reason = match *kind {
                "RUN_COMPLETED" => json!("FINISHED"),
                "RUN_DISMISSED" => json!("ESCAPE"),
                "RUN_FAILED" => json!("TARGET_MISSING"),
                _ => Value::Null,
            };
            let number = seq + index;
            json!({ "runId": run.run, "releaseId": run.release, "seq": number, "kind": kind, "stepKey": step, "at": at,
                "activeMs": 700 * number, "reason": reason })
        })
        .collect();
    json!({ "siteKey": run.site_key, "visitor": visitor(&run.browser), "events": events })
}

async fn play(server: &Server, run: &RunReport, events: &[Event<'_>]) {
    boot(server, &run.site_key, &run.browser).await;
    let ack = server.query(&page(), "Record", report(run, 0, events)).await["record"].clone();
    assert_eq!(ack["accepted"], events.len(), "{ack}");
}

pub(crate) async fn boot(server: &Server, site_key: &Value, browser: &str) -> Value {
    let request = json!({ "siteKey": site_key, "visitor": visitor(browser), "url": format!("{SHOP}/cart") });
    server.query(&page(), "EmbedBoot", request).await["boot"].clone()
}

pub(crate) async fn insights(server: &Server, tour: &Value, day: &str) -> Value {
    server.query(&person("ada"), "TourInsights", in_day(tour, day)).await["tourInsights"].clone()
}

async fn release(server: &Server, terms: &Value) -> Value {
    server
        .query(&person("ada"), "TourRelease", json!({ "input": terms }))
        .await["tourRelease"][0]["id"]
        .clone()
}
