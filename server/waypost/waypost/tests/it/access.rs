//! Runs every document of `operations/` as every role, each time on a new target, so that the result depends only on
//! the caller.

mod tour;
mod workspace;

use std::fmt::Write as _;

use cynic::{GraphQlResponse, Id, MutationBuilder, QueryBuilder, StreamingOperation, SubscriptionBuilder};
use serde_json::{Map, Value, json};
use waypost_api_client::{
    ApiError, Client, Failure,
    operations::{
        TourRelease, TourReleaseInput, TourReleaseVariables, TourReleases, TourReleasesVariables, Tours,
        ToursVariables, Viewer, WorkspaceHome, WorkspaceHomeVariables,
    },
};

use crate::{
    documents::*,
    support::{Server, issuer::Issuer, provider, request_body, run_operation, token},
};

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
            column.push(fixture.outcome(operation["name"].as_str().unwrap()).await);
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

fn segment_input(name: &str) -> SegmentInput {
    SegmentInput {
        name: name.into(),
        when: SegmentConditionInput::Verified(true),
    }
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
    members: Vec<Id>,
    key: tokio::sync::OnceCell<String>,
    read_site: tokio::sync::OnceCell<Id>,
}

async fn join(owner: &Client, workspace: &Value, client: &Client, name: &str, role: &str) -> Id {
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

    async fn outcome(&self, operation: &str) -> String {
        match self.call(operation).await {
            Ok(()) => "yes".to_owned(),
            Err(Failure::Graphql { errors, .. }) => errors[0].code.clone(),
            Err(failure) => panic!("{operation}: {failure}"),
        }
    }

    async fn subscribe<T, Variables>(&self, operation: StreamingOperation<T, Variables>) -> Result<(), Failure>
    where
        Variables: serde::Serialize,
    {
        let body = request_body(operation.operation_name().unwrap(), &json!(operation.variables()));
        let mut request = reqwest::Client::new()
            .post(format!("{}/graphql", self.url))
            .header("accept", "multipart/mixed;subscriptionSpec=1.0, application/json")
            .json(&body);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.unwrap();
        if response.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("multipart/mixed")
        {
            return Ok(());
        }
        let status = response.status().as_u16();
        let response: GraphQlResponse<Value, Map<String, Value>> =
            serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        let errors = response.errors.unwrap().into_iter().map(ApiError::from).collect();
        Err(Failure::Graphql { status, errors })
    }

    fn unique(&self, prefix: &str) -> String {
        let number = self.counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("{prefix}-{}-{number}", self.name)
    }

    async fn tour(&self) -> (Id, String, i32) {
        let slug = self.unique("tour");
        let input = json!({"input": {"workspaceId": self.workspace, "title": slug, "slug": slug}});
        let id = run_operation(&self.owner, "TourCreate", input).await["tourCreate"]["id"].clone();
        let steps = json!([{"key": "hello", "kind": "MODAL", "title": "Hello", "body": "Here we go."}]);
        let save = json!({"input": {"id": id, "expectedVersion": 1, "steps": steps}});
        let version = run_operation(&self.owner, "TourSave", save).await["tourSave"]["version"].clone();
        (self::id(&id), slug, version.as_i64().unwrap().try_into().unwrap())
    }

    async fn draft(&self) -> (Id, i32) {
        let (_, slug, version) = self.tour().await;
        let variables = json!({"workspaceId": self.workspace, "slug": slug});
        let editor = run_operation(&self.owner, "TourEditor", variables).await;
        (id(&editor["tourBySlug"]["draft"]["id"]), version)
    }

    async fn comment(&self) -> Id {
        let input = json!({"input": {"revisionId": self.draft().await.0, "body": "Good."}});
        id(&run_operation(&self.owner, "CommentAdd", input).await["commentAdd"]["id"])
    }

    async fn access_token(&self) -> Id {
        let input = json!({"input": {"workspaceId": self.workspace, "name": self.unique("token"), "role": "VIEWER"}});
        id(&run_operation(&self.owner, "AccessTokenCreate", input).await["accessTokenCreate"]["accessToken"]["id"])
    }

    async fn invitation(&self) -> Id {
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

    async fn site(&self) -> (Id, String) {
        let input =
            json!({"input": {"workspaceId": self.workspace, "name": self.unique("site"), "origins": [self.url]}});
        let site = run_operation(&self.owner, "SiteCreate", input).await["siteCreate"].clone();
        (id(&site["id"]), site["key"].as_str().unwrap().to_owned())
    }

    /// Shared by operations that do not change it, because the number of sites is limited.
    async fn read_site(&self) -> Id {
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

    async fn selected_visitors(&self) -> SelectedVisitors {
        let time = || DateTime("2026-11-05T09:30:00Z".to_owned());
        SelectedVisitors {
            site_id: self.site().await.0,
            filter: VisitorFilterInput {
                first_seen_from: time(),
                first_seen_until: time(),
                anonymous: true,
                unfinished: true,
            },
        }
    }

    async fn visitor(&self) -> Id {
        let visit = json!({
            "siteKey": self.key().await,
            "visitor": {"anonymousId": self.unique("browser")},
            "url": self.url,
        });
        id(&run_operation(&self.owner.from_page(&self.url), "Boot", visit).await["boot"]["visitorId"])
    }

    async fn theme(&self) -> Id {
        let input = json!({"workspaceId": self.workspace, "input": {"name": self.unique("theme")}});
        id(&run_operation(&self.owner, "ThemeCreate", input).await["themeCreate"]["id"])
    }

    async fn segment(&self) -> Id {
        let input = json!({"name": self.unique("segment"), "when": {"verified": true}});
        let input = json!({"workspaceId": self.workspace, "input": input});
        id(&run_operation(&self.owner, "SegmentCreate", input).await["segmentCreate"]["id"])
    }

    async fn release(&self, times: usize) -> Id {
        let (site, _) = self.site().await;
        self.release_on(&site, times).await
    }

    async fn release_on(&self, site: &Id, times: usize) -> Id {
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

fn id(value: &Value) -> Id {
    Id::new(value.as_str().unwrap())
}
