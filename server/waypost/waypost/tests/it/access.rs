//! Runs every document of `operations/` as every role, each time on a new target, so that the result depends only on
//! the caller.

mod variables;

use std::fmt::Write as _;

use serde_json::{Value, json};
use waypost_api_client::Client;

use crate::support::{Server, issuer::Issuer, provider, request_body, run_operation, token};

const CALLERS: [&str; 6] = ["anonymous", "stranger", "viewer", "author", "publisher", "admin"];
const SHOP: &str = "https://shop.example";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_checks_the_callers_role() {
    let issuer = provider().await;
    let server = Server::start(&issuer).await;
    let manifest: Value = serde_json::from_str(waypost_api::MANIFEST).unwrap();
    let operations = manifest["operations"].as_array().unwrap();

    let mut columns = Vec::new();
    for caller in CALLERS {
        let fixture = Fixture::new(&server, &issuer, caller).await;
        let mut column = Vec::new();
        for operation in operations {
            column.push(fixture.outcome(operation).await);
        }
        columns.push(column);
    }

    let mut matrix = format!("{:<24}", "");
    for caller in CALLERS {
        write!(matrix, "{caller:<22}").unwrap();
    }
    for (row, operation) in operations.iter().enumerate() {
        write!(matrix, "\n{:<24}", operation["name"].as_str().unwrap()).unwrap();
        for column in &columns {
            write!(matrix, "{:<22}", column[row]).unwrap();
        }
    }
    let matrix: Vec<_> = matrix.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(matrix.join("\n"));
}

struct Fixture {
    url: String,
    owner: Client,
    caller: Client,
    token: Option<String>,
    name: String,
    workspace: Value,
    slug: String,
    counter: std::sync::atomic::AtomicUsize,
    members: Vec<String>,
    key: tokio::sync::OnceCell<String>,
    read_site: tokio::sync::OnceCell<String>,
}

async fn join(owner: &Client, workspace: &Value, client: &Client, name: &str, role: &str) -> String {
    let email = format!("{name}@example.com");
    let input = json!({"input": {"workspaceId": workspace, "email": email, "role": role}});
    let created = run_operation(owner, "InvitationCreate", input).await;
    let token = json!({"token": created["invitationCreate"]["token"]});
    id(&run_operation(client, "InvitationAccept", token).await["invitationAccept"]["id"])
}

impl Fixture {
    async fn new(server: &Server, issuer: &Issuer, name: &str) -> Self {
        let owner = server.client(Some(token(issuer, "owner")));
        let slug = format!("for-{name}");
        let input = json!({"input": {"name": name, "slug": slug}});
        let workspace = run_operation(&owner, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
        let token_of = |name: &str| token(issuer, name);
        let caller_token = (name != "anonymous").then(|| token_of(&format!("{name}-caller")));
        let caller = server.client(caller_token.clone());
        if let Some(role) = ["viewer", "author", "publisher", "admin"]
            .into_iter()
            .find(|role| *role == name)
        {
            join(
                &owner,
                &workspace,
                &caller,
                &format!("{name}-caller"),
                &role.to_uppercase(),
            )
            .await;
        }
        let mut members = Vec::new();
        for number in 0..2 {
            let newcomer = format!("{name}-newcomer-{number}");
            let client = server.client(Some(token_of(&newcomer)));
            members.push(join(&owner, &workspace, &client, &newcomer, "VIEWER").await);
        }
        Self {
            url: server.url.clone(),
            owner,
            caller,
            token: caller_token,
            name: name.to_owned(),
            workspace,
            slug,
            counter: Default::default(),
            members,
            key: Default::default(),
            read_site: Default::default(),
        }
    }

    /// Returns `yes` or the code of the error.
    async fn outcome(&self, operation: &Value) -> String {
        let name = operation["name"].as_str().unwrap();
        let variables = self.variables(name).await;
        if operation["type"] == "subscription" {
            return self.subscribe(name, variables).await;
        }
        // Only these check the origin of the page.
        let is_sent_by_pages = ["AttemptRecord", "Boot", "EmbedBoot", "GoalRecord", "Record"].contains(&name);
        let caller = if is_sent_by_pages {
            self.caller.from_page(&self.url)
        } else {
            self.caller.clone()
        };
        let response = caller.run_by_name::<Value>(name, variables).await;
        let errors = response.unwrap_or_else(|failure| panic!("{name}: {failure}")).errors;
        if errors.is_empty() && name == "MemberLeave" {
            let (name, role) = (format!("{}-caller", self.name), self.name.to_uppercase());
            join(&self.owner, &self.workspace, &self.caller, &name, &role).await;
        }
        errors
            .first()
            .map_or_else(|| "yes".to_owned(), |error| error.code.clone())
    }

    async fn subscribe(&self, operation: &str, variables: Value) -> String {
        let mut request = reqwest::Client::new()
            .post(format!("{}/graphql", self.url))
            .header("accept", "multipart/mixed;subscriptionSpec=1.0, application/json")
            .json(&request_body(operation, &variables));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.unwrap();
        let content_type = response.headers()["content-type"].to_str().unwrap();
        if content_type.starts_with("multipart/mixed") {
            return "yes".to_owned();
        }
        let response: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        response["errors"][0]["extensions"]["code"].as_str().unwrap().to_owned()
    }

    fn unique(&self, prefix: &str) -> String {
        let number = self.counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("{prefix}-{}-{number}", self.name)
    }

    async fn tour(&self) -> (String, String, i64) {
        let slug = self.unique("tour");
        let input = json!({"input": {"workspaceId": self.workspace, "title": slug, "slug": slug}});
        let id = run_operation(&self.owner, "TourCreate", input).await["tourCreate"]["id"].clone();
        let steps = json!([{"key": "hello", "kind": "MODAL", "title": "Hello", "body": "Here we go."}]);
        let save = json!({"input": {"id": id, "expectedVersion": 1, "steps": steps}});
        let version = run_operation(&self.owner, "TourSave", save).await["tourSave"]["version"].clone();
        (self::id(&id), slug, version.as_i64().unwrap())
    }

    async fn draft(&self) -> (String, i64) {
        let (_, slug, version) = self.tour().await;
        let variables = json!({"workspaceId": self.workspace, "slug": slug});
        let editor = run_operation(&self.owner, "TourEditor", variables).await;
        (id(&editor["tourBySlug"]["draft"]["id"]), version)
    }

    async fn comment(&self) -> String {
        let input = json!({"input": {"revisionId": self.draft().await.0, "body": "Good."}});
        id(&run_operation(&self.owner, "CommentAdd", input).await["commentAdd"]["id"])
    }

    async fn access_token(&self) -> String {
        let input = json!({"input": {"workspaceId": self.workspace, "name": self.unique("token"), "role": "VIEWER"}});
        id(&run_operation(&self.owner, "AccessTokenCreate", input).await["accessTokenCreate"]["accessToken"]["id"])
    }

    async fn invitation(&self) -> String {
        let email = format!("{}@example.com", self.unique("invited"));
        let input = json!({"input": {"workspaceId": self.workspace, "email": email, "role": "VIEWER"}});
        id(&run_operation(&self.owner, "InvitationCreate", input).await["invitationCreate"]["invitation"]["id"])
    }

    /// Invites the caller to another workspace, because some callers are members of this one.
    async fn link(&self) -> String {
        let input = json!({"input": {"name": "Another", "slug": self.unique("another")}});
        let workspace = run_operation(&self.owner, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
        let email = format!("{}-caller@example.com", self.name);
        let input = json!({"input": {"workspaceId": workspace, "email": email, "role": "VIEWER"}});
        let link = run_operation(&self.owner, "InvitationCreate", input).await["invitationCreate"].clone();
        link["token"].as_str().unwrap().to_owned()
    }

    async fn site(&self) -> (String, String) {
        let input =
            json!({"input": {"workspaceId": self.workspace, "name": self.unique("site"), "origins": [self.url]}});
        let site = run_operation(&self.owner, "SiteCreate", input).await["siteCreate"].clone();
        (id(&site["id"]), site["key"].as_str().unwrap().to_owned())
    }

    /// Shared by operations that do not change it, because the number of sites is limited.
    async fn read_site(&self) -> String {
        let create = async || self.site().await.0;
        self.read_site.get_or_init(create).await.clone()
    }

    /// The site is shared, because the number of sites is limited, and has a live tour, so that visitors are stored.
    async fn key(&self) -> String {
        let create = async || {
            let (site, key) = self.site().await;
            self.release_on(&site, 1).await;
            key
        };
        self.key.get_or_init(create).await.clone()
    }

    async fn visitor(&self) -> String {
        let visit = json!({
            "siteKey": self.key().await,
            "visitor": {"anonymousId": self.unique("browser")},
            "url": self.url,
        });
        id(&run_operation(&self.owner.from_page(&self.url), "Boot", visit).await["boot"]["visitorId"])
    }

    async fn theme(&self) -> String {
        let input = json!({"workspaceId": self.workspace, "input": {"name": self.unique("theme")}});
        id(&run_operation(&self.owner, "ThemeCreate", input).await["themeCreate"]["id"])
    }

    async fn segment(&self) -> String {
        let input = json!({"name": self.unique("segment"), "when": {"verified": true}});
        let input = json!({"workspaceId": self.workspace, "input": input});
        id(&run_operation(&self.owner, "SegmentCreate", input).await["segmentCreate"]["id"])
    }

    async fn release(&self, times: usize) -> String {
        let (site, _) = self.site().await;
        self.release_on(&site, times).await
    }

    async fn release_on(&self, site: &str, times: usize) -> String {
        let (tour, slug, _) = self.tour().await;
        let mut newest = Value::Null;
        for number in 0..times {
            let editor = run_operation(
                &self.owner,
                "TourEditor",
                json!({"workspaceId": self.workspace, "slug": slug}),
            )
            .await;
            let version = &editor["tourBySlug"]["draft"]["version"];
            let steps = json!([{"key": "hello", "kind": "MODAL", "title": format!("Hello {number}")}]);
            let save = json!({"input": {"id": tour, "expectedVersion": version, "steps": steps}});
            let version = run_operation(&self.owner, "TourSave", save).await["tourSave"]["version"].clone();
            let input = json!({"input": {"tourId": tour, "expectedVersion": version, "siteIds": [site]}});
            newest = run_operation(&self.owner, "TourRelease", input).await["tourRelease"][0]["id"].clone();
        }
        id(&newest)
    }
}

fn id(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
