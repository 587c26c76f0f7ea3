//! The number of SQL statements of a response does not depend on the length of its lists.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use common::{SHOP, Server, person};
use futures_util::{StreamExt, future::join_all};
use serde_json::{Value, json};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

/// It is the global subscriber, so this file must contain only one test.
struct Statements;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The least count is used, because the server also runs statements in the background, for example to write the visits
/// of pages or to read what subscribers receive.
const REPEATS: usize = 3;

impl Subscriber for Statements {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut summary = Summary(String::new());
        event.record(&mut summary);
        // Pools open connections at any time.
        if !summary.0.starts_with("PRAGMA") && !summary.0.starts_with("LISTEN") {
            COUNT.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

struct Summary(String);

impl Visit for Summary {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "summary" {
            value.clone_into(&mut self.0);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

const DEEP: &str = "query ($workspaceId: ID!) {
    tours(workspaceId: $workspaceId, first: 100) {
        nodes { releases {
            revision { author { name } theme { name } }
            tour { workspace { members { account { name } } } }
        } }
    }
}";

async fn counts(server: &Server, workspace: &Value, site: &Value, tour: &Value) -> Vec<(&'static str, usize)> {
    let today = traitql::Date::of(traitql::DateTime::now()).to_string();
    let slug = json!({ "slug": "crew" });
    let by_slug = json!({ "workspaceId": workspace, "slug": "tour-0" });
    let queries = [
        ("Viewer", json!({})),
        ("WorkspaceHome", slug.clone()),
        ("Members", slug.clone()),
        ("Themes", slug.clone()),
        ("Sites", slug),
        ("Tours", json!({ "workspaceId": workspace, "first": 100 })),
        (
            "Tours",
            json!({ "workspaceId": workspace, "first": 100, "order": "COMPLETION", "siteId": site["id"] }),
        ),
        ("TourChoices", json!({ "workspaceId": workspace, "first": 100 })),
        ("TourReleases", by_slug.clone()),
        ("TourEditor", by_slug),
        (
            "ReleaseImpact",
            json!({ "plan": { "tourId": tour, "siteIds": [site["id"]] } }),
        ),
        ("Runs", json!({ "tourId": tour, "first": 100 })),
        (
            "TourInsights",
            json!({ "tourId": tour, "range": { "from": today, "to": today } }),
        ),
        (
            "TourVisitors",
            json!({ "tourId": tour, "range": { "from": today, "to": today } }),
        ),
        ("TourLift", json!({ "tourId": tour })),
        ("Visitors", json!({ "siteId": site["id"], "first": 100 })),
        ("Audit", json!({ "workspaceId": workspace, "first": 200 })),
        ("Invitations", json!({ "workspaceId": workspace })),
    ];
    let mut counts = Vec::new();
    for (operation, variables) in queries {
        let before = COUNT.load(Ordering::SeqCst);
        server.query(&person("ada"), operation, variables).await;
        counts.push((operation, COUNT.load(Ordering::SeqCst) - before));
    }
    let before = COUNT.load(Ordering::SeqCst);
    let variables = json!({ "workspaceId": workspace });
    server.query_ad_hoc(&person("ada"), DEEP, variables).await;
    counts.push(("eight levels", COUNT.load(Ordering::SeqCst) - before));
    counts
}

async fn least_counts(server: &Server, workspace: &Value, site: &Value, tour: &Value) -> Vec<(&'static str, usize)> {
    let mut least = counts(server, workspace, site, tour).await;
    for _ in 1..REPEATS {
        let again = counts(server, workspace, site, tour).await;
        for ((_, least), (_, count)) in least.iter_mut().zip(again) {
            *least = count.min(*least);
        }
    }
    least
}

async fn add_tour(server: &Server, workspace: &Value, site: &Value, number: usize) -> Value {
    let ada = &person("ada");
    let input = json!({ "input": { "workspaceId": workspace, "title": "Tour", "slug": format!("tour-{number}") } });
    let tour = server.query(ada, "TourCreate", input).await["tourCreate"]["id"].clone();
    let steps = json!([{ "key": "search", "title": "Search", "target": { "value": "search" } }]);
    server
        .query(
            ada,
            "TourSave",
            json!({ "input": { "id": tour, "expectedVersion": 1, "steps": steps } }),
        )
        .await;
    release(server, &tour, site, 2).await;
    tour
}

async fn release(server: &Server, tour: &Value, site: &Value, version: i32) -> Value {
    // An unchanged revision is released again only with another note or other terms.
    let note = format!("Version {version}");
    let terms = json!({ "tourId": tour, "expectedVersion": version, "siteIds": [site["id"]], "note": note });
    let input = json!({ "input": terms });
    server.query(&person("ada"), "TourRelease", input).await["tourRelease"][0]["id"].clone()
}

async fn start_run(server: &Server, site: &Value, release: &Value, browser: &str) {
    let now = traitql::DateTime::now().to_string();
    let run = uuid::Uuid::now_v7().to_string();
    let event =
        json!({ "runId": run, "releaseId": release, "seq": 0, "kind": "RUN_STARTED", "stepKey": "search", "at": now });
    let boot = json!({ "siteKey": site["key"], "visitor": { "anonymousId": browser }, "url": common::SHOP });
    server.query(&common::page(), "Boot", boot).await;
    let report = json!({ "siteKey": site["key"], "visitor": { "anonymousId": browser }, "events": [event] });
    server.query(&common::page(), "Record", report).await;
}

#[tokio::test]
async fn the_number_of_statements_does_not_depend_on_list_lengths() {
    tracing::subscriber::set_global_default(Statements).expect("no other subscriber is set in this process");
    for postgres in [None, Some(waypost_testkit::create_database())] {
        check_statement_counts(postgres).await;
    }
}

async fn check_shared_events(server: &Server, tour: &Value) {
    const SUBSCRIBERS: usize = 200;
    let mut streams = Vec::new();
    for _ in 0..SUBSCRIBERS {
        streams.push(
            server
                .subscribe(&person("ada"), "TourChanged", json!({ "id": tour }))
                .await,
        );
    }
    let mut version = Value::Null;
    for title in ["initial", "renamed"] {
        let before = COUNT.load(Ordering::SeqCst);
        if title == "renamed" {
            let rename = json!({ "id": tour, "expectedVersion": version, "title": title });
            server.query(&person("ada"), "TourRename", rename).await;
        }
        let sent = join_all(streams.iter_mut().map(StreamExt::next)).await;
        let sent: Vec<Value> = sent.into_iter().flatten().collect();
        assert_eq!(sent.len(), SUBSCRIBERS);
        assert!(sent.iter().all(|event| *event == sent[0]), "all receive the same");
        version = sent[0]["tourChanged"]["version"].clone();
        let count = COUNT.load(Ordering::SeqCst) - before;
        assert!(count < SUBSCRIBERS, "{count} statements for {SUBSCRIBERS} subscribers");
    }
}

async fn check_statement_counts(postgres: Option<String>) {
    let server = Server::over(postgres).await;
    let ada = &person("ada");
    let crew = json!({ "input": { "name": "Crew", "slug": "crew" } });
    let workspace = server.query(ada, "WorkspaceCreate", crew).await["workspaceCreate"]["id"].clone();
    let site = json!({ "input": { "workspaceId": workspace, "name": "Shop", "origins": [SHOP] } });
    let site = server.query(ada, "SiteCreate", site).await["siteCreate"].clone();
    let tour = add_tour(&server, &workspace, &site, 0).await;
    let live = release(&server, &tour, &site, 3).await;
    let invite = async |number: usize| {
        let email = format!("guest-{number}@example.com");
        let input = json!({ "workspaceId": workspace, "email": email, "role": "VIEWER" });
        server.query(ada, "InvitationCreate", json!({ "input": input })).await;
    };
    invite(0).await;
    start_run(&server, &site, &live, "browser-0").await;
    let few = least_counts(&server, &workspace, &site, &tour).await;
    assert!(
        few.iter().all(|(_, count)| *count > 0),
        "statements are not counted: {few:?}"
    );

    for number in 1..20 {
        add_tour(&server, &workspace, &site, number).await;
        start_run(&server, &site, &live, &format!("browser-{number}")).await;
        server
            .join(ada, &workspace, &format!("person-{number}"), "VIEWER")
            .await;
        invite(number).await;
    }
    assert_eq!(least_counts(&server, &workspace, &site, &tour).await, few);
    check_shared_events(&server, &tour).await;

    let tours = async |selections: &str| {
        let text = format!("query ($workspaceId: ID!) {{ tours(workspaceId: $workspaceId) {{ {selections} }} }}");
        let mut least = usize::MAX;
        for _ in 0..REPEATS {
            let before = COUNT.load(Ordering::SeqCst);
            server
                .query_ad_hoc(ada, &text, json!({ "workspaceId": workspace }))
                .await;
            least = least.min(COUNT.load(Ordering::SeqCst) - before);
        }
        least
    };
    assert_eq!(
        tours("nodes { id }").await,
        tours("nodes { id } totalCount").await - 1,
        "`totalCount` must only run a statement if it is selected"
    );
}
