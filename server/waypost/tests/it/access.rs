//! The access matrix, made by running every document of `operations/` as every role against the real server.
//!
//! Each cell gets a fresh subject that the operation would work on, so that an answer other than `yes` speaks of the caller.
//! A new document in `operations/` fails here until it has a line in [`variables`].

use std::fmt::Write as _;

use serde_json::{Value, json};
use waypost::client::Client;

use crate::support::{Server, ask, issuer::Issuer, provider, request_body, token};

const CALLERS: [&str; 6] = ["nobody", "stranger", "viewer", "author", "publisher", "admin"];
const SHOP: &str = "https://shop.example";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_do_what() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let manifest: Value = serde_json::from_str(waypost_api::MANIFEST).unwrap();
    let operations = manifest["operations"].as_array().unwrap();

    let mut columns = Vec::new();
    for caller in CALLERS {
        let world = World::make(&server, &issuer, caller).await;
        let mut column = Vec::new();
        for operation in operations {
            column.push(world.outcome(operation).await);
        }
        columns.push(column);
    }

    let mut matrix = format!("{:<18}", "");
    for caller in CALLERS {
        write!(matrix, "{caller:<22}").unwrap();
    }
    for (row, operation) in operations.iter().enumerate() {
        write!(matrix, "\n{:<18}", operation["name"].as_str().unwrap()).unwrap();
        for column in &columns {
            write!(matrix, "{:<22}", column[row]).unwrap();
        }
    }
    let matrix: Vec<_> = matrix.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(matrix.join("\n"));
}

/// A workspace with everything in it, and somebody who asks.
struct World {
    url: String,
    issuer: String,
    owner: Client,
    caller: Client,
    token: Option<String>,
    name: String,
    workspace: Value,
    slug: String,
    counter: std::sync::atomic::AtomicUsize,
    newcomers: Vec<(String, Value)>,
}

impl World {
    async fn make(server: &Server, issuer: &Issuer, name: &str) -> Self {
        let owner = server.client(Some(token(issuer, "owner")));
        let slug = format!("for-{name}");
        let input = json!({"input": {"name": name, "slug": slug}});
        let workspace = ask(&owner, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
        let token_of = |name: &str| token(issuer, name);
        let caller_token = (name != "nobody").then(|| token_of(&format!("{name}-caller")));
        let caller = server.client(caller_token.clone());
        if let Some(role) = ["viewer", "author", "publisher", "admin"]
            .into_iter()
            .find(|role| *role == name)
        {
            // People can be added after they have signed in once.
            ask(&caller, "Viewer", json!({})).await;
            let email = format!("{name}-caller@example.com");
            let add = json!({"workspaceId": workspace, "email": email, "role": role.to_uppercase()});
            ask(&owner, "MemberAdd", add).await;
        }
        let mut newcomers = Vec::new();
        for number in 0..3 {
            let newcomer = format!("{name}-newcomer-{number}");
            ask(&server.client(Some(token_of(&newcomer))), "Viewer", json!({})).await;
            let email = format!("{newcomer}@example.com");
            let member = if number == 0 {
                Value::Null
            } else {
                let add = json!({"workspaceId": workspace, "email": email, "role": "VIEWER"});
                ask(&owner, "MemberAdd", add).await["memberAdd"]["id"].clone()
            };
            newcomers.push((email, member));
        }
        Self {
            url: server.url.clone(),
            issuer: issuer.url.clone(),
            owner,
            caller,
            token: caller_token,
            name: name.to_owned(),
            workspace,
            slug,
            counter: Default::default(),
            newcomers,
        }
    }

    /// `yes`, or the code of the refusal.
    async fn outcome(&self, operation: &Value) -> String {
        let name = operation["name"].as_str().unwrap();
        let variables = self.variables(name).await;
        if operation["type"] == "subscription" {
            return self.begin(name, &variables).await;
        }
        let caller = if matches!(name, "Boot" | "Record") {
            self.caller.from_page(SHOP)
        } else {
            self.caller.clone()
        };
        let answer = caller
            .ask::<Value>(name, variables)
            .await
            .unwrap_or_else(|failure| panic!("{name}: {failure}"));
        match answer.errors.first() {
            Some(error) => error.code.clone(),
            // A query may answer null for what the caller cannot see.
            None => "yes".to_owned(),
        }
    }

    /// Begins a stream. A refusal is a single answer.
    async fn begin(&self, name: &str, variables: &Value) -> String {
        let mut request = reqwest::Client::new()
            .post(format!("{}/graphql", self.url))
            .header("accept", "multipart/mixed;subscriptionSpec=1.0, application/json")
            .json(&request_body(name, variables));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.unwrap();
        if response.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("multipart/mixed")
        {
            return "yes".to_owned();
        }
        let answer: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        answer["errors"][0]["extensions"]["code"].as_str().unwrap().to_owned()
    }

    fn unique(&self, what: &str) -> String {
        let number = self.counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("{what}-{}-{number}", self.name)
    }

    /// A tour with one good step: its id, its address and the version of its draft.
    async fn tour(&self) -> (Value, String, Value) {
        let slug = self.unique("tour");
        let input = json!({"input": {"workspaceId": self.workspace, "title": slug, "slug": slug}});
        let id = ask(&self.owner, "TourCreate", input).await["tourCreate"]["id"].clone();
        let steps = json!([{"key": "hello", "kind": "MODAL", "title": "Hello", "body": "Here we go."}]);
        let save = json!({"input": {"id": id, "expectedVersion": 1, "steps": steps}});
        let version = ask(&self.owner, "TourSave", save).await["tourSave"]["version"].clone();
        (id, slug, version)
    }

    async fn site(&self) -> Value {
        let input = json!({"input": {"workspaceId": self.workspace, "name": self.unique("site"), "origins": [SHOP]}});
        ask(&self.owner, "SiteCreate", input).await["siteCreate"].clone()
    }

    async fn theme(&self) -> Value {
        let input = json!({"workspaceId": self.workspace, "input": {"name": self.unique("theme")}});
        ask(&self.owner, "ThemeCreate", input).await["themeCreate"].clone()
    }

    /// A tour that was released on a site, with another text each time: the newest release.
    async fn release(&self, times: usize) -> Value {
        let (tour, slug, _) = self.tour().await;
        let site = self.site().await;
        let mut newest = Value::Null;
        for number in 0..times {
            let editor = ask(
                &self.owner,
                "TourEditor",
                json!({"workspaceId": self.workspace, "slug": slug}),
            )
            .await;
            let version = &editor["tourBySlug"]["draft"]["version"];
            let steps = json!([{"key": "hello", "kind": "MODAL", "title": format!("Hello {number}")}]);
            let save = json!({"input": {"id": tour, "expectedVersion": version, "steps": steps}});
            let version = ask(&self.owner, "TourSave", save).await["tourSave"]["version"].clone();
            let input = json!({"input": {"tourId": tour, "expectedVersion": version, "siteIds": [site["id"]]}});
            newest = ask(&self.owner, "TourRelease", input).await["tourRelease"][0]["id"].clone();
        }
        newest
    }

    /// Variables with which the operation works for somebody who may call it.
    async fn variables(&self, operation: &str) -> Value {
        let workspace = &self.workspace;
        let visitor = json!({"anonymousId": self.unique("browser")});
        match operation {
            "Instance" | "Viewer" => json!({}),
            "Audit" | "Tours" => json!({"workspaceId": workspace}),
            "Members" | "Sites" | "Themes" | "WorkspaceHome" => json!({"slug": self.slug}),
            "WorkspaceCreate" => json!({"input": {"name": "New", "slug": self.unique("new")}}),
            "WorkspaceRename" => json!({"id": workspace, "expectedVersion": 1, "name": "Renamed"}),
            "MemberAdd" => json!({"workspaceId": workspace, "email": self.newcomers[0].0, "role": "VIEWER"}),
            "MemberRemove" => json!({"id": self.newcomers[1].1}),
            "MemberRoleSet" => json!({"id": self.newcomers[2].1, "role": "AUTHOR"}),
            "SiteCreate" => json!({"input": {"workspaceId": workspace, "name": "Shop", "origins": [SHOP]}}),
            "SiteUpdate" => json!({"input": {"id": self.site().await["id"], "expectedVersion": 1, "name": "Shop"}}),
            "SiteKeyRotate" | "SiteChanged" => json!({"id": self.site().await["id"]}),
            "ThemeCreate" => json!({"workspaceId": workspace, "input": {"name": "Night"}}),
            "ThemeUpdate" => {
                json!({"id": self.theme().await["id"], "expectedVersion": 1, "input": {"name": self.unique("night")}})
            }
            "ThemeDefaultSet" | "ThemeDelete" => json!({"id": self.theme().await["id"]}),
            "TourCreate" => json!({"input": {"workspaceId": workspace, "title": "New", "slug": self.unique("new")}}),
            "TourSave" => {
                let (id, _, version) = self.tour().await;
                json!({"input": {"id": id, "expectedVersion": version, "steps": []}})
            }
            "TourRename" => json!({"id": self.tour().await.0, "expectedVersion": 1, "title": "Renamed"}),
            "TourArchive" | "TourChanged" => json!({"id": self.tour().await.0}),
            "TourRestore" => {
                let id = self.tour().await.0;
                ask(&self.owner, "TourArchive", json!({"id": id})).await;
                json!({"id": id})
            }
            "TourEditor" | "TourReleases" => json!({"workspaceId": workspace, "slug": self.tour().await.1}),
            "TourRelease" => {
                let (id, _, version) = self.tour().await;
                json!({"input": {"tourId": id, "expectedVersion": version, "siteIds": [self.site().await["id"]]}})
            }
            "ReleaseEnd" => json!({"id": self.release(1).await}),
            "ReleaseRollback" => json!({"id": self.release(2).await}),
            "Runs" => json!({"tourId": self.tour().await.0}),
            "TourInsights" => {
                json!({"tourId": self.tour().await.0, "range": {"from": "2026-01-01", "to": "2026-01-31"}})
            }
            "Boot" => json!({"siteKey": self.site().await["key"], "participant": visitor, "url": SHOP}),
            "Record" => {
                let event = json!({
                    "runId": uuid::Uuid::now_v7().to_string(), "releaseId": "none", "seq": 0, "kind": "RUN_STARTED",
                    "at": "2026-01-01T00:00:00Z",
                });
                json!({"siteKey": self.site().await["key"], "participant": visitor, "events": [event]})
            }
            other => panic!(
                "`operations/` has a new document, `{other}`. Say in server/waypost/tests/it/access.rs with which \
                 variables it works, so that the access matrix shows who may use it. (Issuer {})",
                self.issuer
            ),
        }
    }
}
