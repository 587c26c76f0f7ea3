//! Runs every document of `operations/` as every role. Each cell has a new target for which the operation would
//! succeed, so that the result depends only on the caller.

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
        }
    }

    async fn outcome(&self, operation: &str) -> String {
        match self.call(operation).await {
            Ok(()) => "yes".to_owned(),
            Err(Failure::Graphql { errors, .. }) => errors[0].code.clone(),
            Err(failure) => panic!("{operation}: {failure}"),
        }
    }

    async fn subscribe<T>(&self, operation: StreamingOperation<T, ById>) -> Result<(), Failure> {
        let body = request_body(
            operation.operation_name().unwrap(),
            &json!({"id": operation.variables().id}),
        );
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

    /// Returns the id, the slug and the version of the draft.
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

    /// The site is shared, because the number of sites is limited. A tour is live on it, so that visitors are stored.
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

    /// Returns the newest release.
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

    /// The variables succeed if the caller has access.
    async fn call(&self, operation: &str) -> Result<(), Failure> {
        let caller = &self.caller;
        let (workspace_id, slug) = (id(&self.workspace), self.slug.clone());
        let visitor = VisitorInput {
            anonymous_id: Id::new(self.unique("browser")),
        };
        match operation {
            "Instance" => caller.run(Instance::build(())).await.map(drop),
            "Viewer" => caller.run(Viewer::build(())).await.map(drop),
            "Audit" => caller.run(Audit::build(InWorkspace { workspace_id })).await.map(drop),
            "AuditActors" => {
                let variables = InWorkspace { workspace_id };
                caller.run(AuditActors::build(variables)).await.map(drop)
            }
            "Tours" => {
                let variables = ToursVariables {
                    workspace_id,
                    first: 20,
                    after: None,
                };
                caller.run(Tours::build(variables)).await.map(drop)
            }
            "Members" => caller.run(Members::build(BySlug { slug })).await.map(drop),
            "SiteEvents" => caller.run(SiteEvents::build(BySlug { slug })).await.map(drop),
            "Sites" => caller.run(Sites::build(BySlug { slug })).await.map(drop),
            "Themes" => caller.run(Themes::build(BySlug { slug })).await.map(drop),
            "Segments" => caller.run(Segments::build(BySlug { slug })).await.map(drop),
            "WorkspaceHome" => caller
                .run(WorkspaceHome::build(WorkspaceHomeVariables { slug }))
                .await
                .map(drop),
            "WorkspaceCreate" => {
                let input = WorkspaceCreateInput {
                    name: "New".into(),
                    slug: self.unique("new"),
                };
                caller
                    .run(WorkspaceCreate::build(NewWorkspace { input }))
                    .await
                    .map(drop)
            }
            "WorkspaceRename" => {
                let variables = NewName {
                    id: workspace_id,
                    expected_version: 1,
                    name: "Renamed".into(),
                };
                caller.run(WorkspaceRename::build(variables)).await.map(drop)
            }
            "WorkspaceReviewSet" => {
                let workspace = run_operation(&self.owner, "WorkspaceHome", json!({"slug": slug})).await;
                let variables = ReviewsRequired {
                    id: workspace_id,
                    expected_version: workspace["workspace"]["version"].as_i64().unwrap().try_into().unwrap(),
                    require_review: false,
                };
                caller.run(WorkspaceReviewSet::build(variables)).await.map(drop)
            }
            // NOT_FOUND, because no workspace is a sample.
            "WorkspaceSampleRemove" => caller
                .run(WorkspaceSampleRemove::build(ById { id: workspace_id }))
                .await
                .map(drop),
            "ReviewsWaiting" => caller
                .run(ReviewsWaiting::build(InWorkspace { workspace_id }))
                .await
                .map(drop),
            "TourRevisions" => {
                let (_, slug, _) = self.tour().await;
                let variables = InWorkspaceBySlug { workspace_id, slug };
                caller.run(TourRevisions::build(variables)).await.map(drop)
            }
            "RevisionContent" => {
                let id = self.draft().await.0;
                caller.run(RevisionContent::build(ById { id })).await.map(drop)
            }
            "RevisionSubmit" => {
                let (id, expected_version) = self.draft().await;
                let variables = Submission { id, expected_version };
                caller.run(RevisionSubmit::build(variables)).await.map(drop)
            }
            "RevisionReturn" => {
                let (id, version) = self.draft().await;
                let submit = json!({"id": id, "expectedVersion": version});
                run_operation(&self.owner, "RevisionSubmit", submit).await;
                caller.run(RevisionReturn::build(ById { id })).await.map(drop)
            }
            "ReviewContent" => {
                let (draft, version) = self.draft().await;
                let submit = json!({"id": draft, "expectedVersion": version});
                run_operation(&self.owner, "RevisionSubmit", submit).await;
                let returned = run_operation(&self.owner, "RevisionReturn", json!({"id": draft})).await;
                let id = id(&returned["revisionReturn"]["reviews"][0]["id"]);
                caller.run(ReviewContent::build(ById { id })).await.map(drop)
            }
            "CommentAdd" => {
                let input = CommentAddInput {
                    revision_id: self.draft().await.0,
                    body: "Good.".into(),
                };
                caller.run(CommentAdd::build(NewComment { input })).await.map(drop)
            }
            "CommentResolve" => {
                let id = self.comment().await;
                caller.run(CommentResolve::build(ById { id })).await.map(drop)
            }
            "CommentReopen" => {
                let id = self.comment().await;
                caller.run(CommentReopen::build(ById { id })).await.map(drop)
            }
            "CommentDelete" => {
                let mut id = self.comment().await;
                // Authors and publishers can delete only their own comments.
                if ["author", "publisher"].contains(&self.name.as_str()) {
                    let input = json!({"input": {"revisionId": self.draft().await.0, "body": "Mine."}});
                    id = self::id(&run_operation(caller, "CommentAdd", input).await["commentAdd"]["id"]);
                }
                caller.run(CommentDelete::build(ById { id })).await.map(drop)
            }
            "Invitations" => caller
                .run(Invitations::build(InWorkspace { workspace_id }))
                .await
                .map(drop),
            "InvitationOffer" => {
                let token = self.link().await;
                caller.run(InvitationOffer::build(ByToken { token })).await.map(drop)
            }
            "InvitationCreate" => {
                let input = InvitationCreateInput {
                    workspace_id,
                    email: format!("{}@example.com", self.unique("invited")),
                    role: Role::Viewer,
                };
                caller
                    .run(InvitationCreate::build(NewInvitation { input }))
                    .await
                    .map(drop)
            }
            "InvitationRenew" => {
                let id = self.invitation().await;
                caller.run(InvitationRenew::build(ById { id })).await.map(drop)
            }
            "InvitationRevoke" => {
                let id = self.invitation().await;
                caller.run(InvitationRevoke::build(ById { id })).await.map(drop)
            }
            "InvitationAccept" => {
                let token = self.link().await;
                caller.run(InvitationAccept::build(ByToken { token })).await.map(drop)
            }
            "MemberRemove" => caller
                .run(MemberRemove::build(ById {
                    id: self.members[0].clone(),
                }))
                .await
                .map(drop),
            "MemberLeave" => {
                let result = caller.run(MemberLeave::build(InWorkspace { workspace_id })).await;
                if result.is_ok() {
                    let (name, role) = (format!("{}-caller", self.name), self.name.to_uppercase());
                    join(&self.owner, &self.workspace, caller, &name, &role).await;
                }
                result.map(drop)
            }
            "MemberRoleSet" => {
                let variables = NewRole {
                    id: self.members[1].clone(),
                    role: Role::Author,
                };
                caller.run(MemberRoleSet::build(variables)).await.map(drop)
            }
            "SiteCreate" => {
                let input = SiteCreateInput {
                    workspace_id,
                    name: "Shop".into(),
                    origins: vec![SHOP.into()],
                };
                caller.run(SiteCreate::build(NewSite { input })).await.map(drop)
            }
            "SiteUpdate" => {
                let input = SiteUpdateInput {
                    id: self.site().await.0,
                    expected_version: 1,
                    name: Some("Shop".into()),
                };
                caller.run(SiteUpdate::build(ChangedSite { input })).await.map(drop)
            }
            "SiteIdentity" => {
                let variables = ById {
                    id: self.site().await.0,
                };
                caller.run(SiteIdentity::build(variables)).await.map(drop)
            }
            "IdentityKeyCreate" => {
                let variables = OnSite {
                    site_id: self.site().await.0,
                };
                caller.run(IdentityKeyCreate::build(variables)).await.map(drop)
            }
            "IdentityKeyRevoke" => {
                let site_id = self.site().await.0;
                let variables = OnSite {
                    site_id: site_id.clone(),
                };
                let created = self.owner.run(IdentityKeyCreate::build(variables)).await;
                let keys = created.expect("a key").identity_key_create.site.identity_keys;
                let id = keys[0].id.clone();
                let variables = IdentityKeyOnSite { site_id, id };
                caller.run(IdentityKeyRevoke::build(variables)).await.map(drop)
            }
            "SiteKeyRotate" => caller
                .run(SiteKeyRotate::build(ById {
                    id: self.site().await.0,
                }))
                .await
                .map(drop),
            "SiteChanged" => {
                self.subscribe(SiteChanged::build(ById {
                    id: self.site().await.0,
                }))
                .await
            }
            "SiteTraits" => {
                let variables = ById {
                    id: self.site().await.0,
                };
                caller.run(SiteTraits::build(variables)).await.map(drop)
            }
            "VisitorMatches" => {
                let variables = OfSite {
                    site_id: self.site().await.0,
                };
                caller.run(VisitorMatches::build(variables)).await.map(drop)
            }
            "SegmentCreate" => {
                let variables = NewSegment {
                    workspace_id,
                    input: segment_input("Verified customers"),
                };
                caller.run(SegmentCreate::build(variables)).await.map(drop)
            }
            "SegmentUpdate" => {
                let variables = ChangedSegment {
                    id: self.segment().await,
                    expected_version: 1,
                    input: segment_input("Customers"),
                };
                caller.run(SegmentUpdate::build(variables)).await.map(drop)
            }
            "SegmentDelete" => caller
                .run(SegmentDelete::build(ById {
                    id: self.segment().await,
                }))
                .await
                .map(drop),
            "ThemeCreate" => {
                let input = ThemeInput { name: "Night".into() };
                caller
                    .run(ThemeCreate::build(NewTheme { workspace_id, input }))
                    .await
                    .map(drop)
            }
            "ThemeUpdate" => {
                let input = ThemeInput {
                    name: self.unique("night"),
                };
                let variables = ChangedTheme {
                    id: self.theme().await,
                    expected_version: 1,
                    input,
                };
                caller.run(ThemeUpdate::build(variables)).await.map(drop)
            }
            "ThemeDefaultSet" => caller
                .run(ThemeDefaultSet::build(ById { id: self.theme().await }))
                .await
                .map(drop),
            "ThemeDelete" => caller
                .run(ThemeDelete::build(ById { id: self.theme().await }))
                .await
                .map(drop),
            "TourCreate" => {
                let input = TourCreateInput {
                    workspace_id,
                    title: "New".into(),
                    slug: self.unique("new"),
                };
                caller.run(TourCreate::build(NewTour { input })).await.map(drop)
            }
            "TourSave" => {
                let (id, _, expected_version) = self.tour().await;
                let steps = vec![StepInput {
                    key: "hello".into(),
                    title: "Hello".into(),
                }];
                let input = TourSaveInput {
                    id,
                    expected_version,
                    steps,
                };
                caller.run(TourSave::build(ChangedTour { input })).await.map(drop)
            }
            "TourRename" => {
                let variables = NewTitle {
                    id: self.tour().await.0,
                    expected_version: 1,
                    title: "Renamed".into(),
                };
                caller.run(TourRename::build(variables)).await.map(drop)
            }
            "TourArchive" => caller
                .run(TourArchive::build(ById {
                    id: self.tour().await.0,
                }))
                .await
                .map(drop),
            "TourChanged" => {
                self.subscribe(TourChanged::build(ById {
                    id: self.tour().await.0,
                }))
                .await
            }
            "TourRestore" => {
                let id = self.tour().await.0;
                run_operation(&self.owner, "TourArchive", json!({"id": id})).await;
                caller.run(TourRestore::build(ById { id })).await.map(drop)
            }
            "TourEditor" => {
                let variables = InWorkspaceBySlug {
                    workspace_id,
                    slug: self.tour().await.1,
                };
                caller.run(TourEditor::build(variables)).await.map(drop)
            }
            "TourReleases" => {
                let variables = TourReleasesVariables {
                    workspace_id,
                    slug: self.tour().await.1,
                };
                caller.run(TourReleases::build(variables)).await.map(drop)
            }
            "TourRelease" => {
                let (tour_id, _, expected_version) = self.tour().await;
                let input = TourReleaseInput {
                    tour_id,
                    expected_version,
                    site_ids: vec![self.site().await.0],
                    rollout_percent: None,
                    holdout_percent: None,
                    goal: None,
                    starts_at: None,
                    ends_at: None,
                    end_active_runs: None,
                    note: None,
                };
                caller
                    .run(TourRelease::build(TourReleaseVariables { input }))
                    .await
                    .map(drop)
            }
            "ReleaseEnd" => caller
                .run(ReleaseEnd::build(ById {
                    id: self.release(1).await,
                }))
                .await
                .map(drop),
            "ReleasePause" => caller
                .run(ReleasePause::build(ById {
                    id: self.release(1).await,
                }))
                .await
                .map(drop),
            "ReleaseResume" => {
                let id = self.release(1).await;
                run_operation(&self.owner, "ReleasePause", json!({"id": id})).await;
                caller.run(ReleaseResume::build(ById { id })).await.map(drop)
            }
            "ReleaseAdjust" => {
                let input = ReleaseAdjustInput {
                    id: self.release(1).await,
                    rollout_percent: Some(50),
                };
                caller.run(ReleaseAdjust::build(Adjustment { input })).await.map(drop)
            }
            "ReleaseImpact" => {
                let plan = ReleasePlanInput {
                    tour_id: self.tour().await.0,
                    site_ids: vec![self.site().await.0],
                };
                caller.run(ReleaseImpact::build(Planned { plan })).await.map(drop)
            }
            "TourDuplicate" => {
                let variables = Copy {
                    id: self.tour().await.0,
                    title: "Copy".into(),
                    slug: self.unique("copy"),
                };
                caller.run(TourDuplicate::build(variables)).await.map(drop)
            }
            "ReleaseRollback" => caller
                .run(ReleaseRollback::build(ById {
                    id: self.release(2).await,
                }))
                .await
                .map(drop),
            "Runs" => caller
                .run(Runs::build(OfTour {
                    tour_id: self.tour().await.0,
                }))
                .await
                .map(drop),
            "TourInsights" => {
                let range = DayRangeInput {
                    from: Date("2026-01-01".into()),
                    to: Date("2026-01-31".into()),
                };
                let variables = OfTourInRange {
                    tour_id: self.tour().await.0,
                    range,
                };
                caller.run(TourInsights::build(variables)).await.map(drop)
            }
            "TourLift" => {
                let tour_id = self.tour().await.0;
                caller.run(TourLift::build(OfTour { tour_id })).await.map(drop)
            }
            "TourVisitors" => {
                let range = DayRangeInput {
                    from: Date("2026-01-01".into()),
                    to: Date("2026-01-31".into()),
                };
                let variables = OfTourInRange {
                    tour_id: self.tour().await.0,
                    range,
                };
                caller.run(TourVisitors::build(variables)).await.map(drop)
            }
            "Visitors" => {
                let site_id = self.site().await.0;
                caller.run(Visitors::build(OfSite { site_id })).await.map(drop)
            }
            "VisitorTimeline" => {
                let id = self.visitor().await;
                caller.run(VisitorTimeline::build(ById { id })).await.map(drop)
            }
            "VisitorChanged" => {
                let id = self.visitor().await;
                self.subscribe(VisitorChanged::build(ById { id })).await
            }
            "VisitorTesterSet" => {
                let id = self.visitor().await;
                let variables = NewTester { id, tester: true };
                caller.run(VisitorTesterSet::build(variables)).await.map(drop)
            }
            "VisitorReset" => {
                let id = self.visitor().await;
                // Only test users can be reset.
                let test_user = NewTester {
                    id: id.clone(),
                    tester: true,
                };
                let _ = caller.run(VisitorTesterSet::build(test_user)).await;
                caller.run(VisitorReset::build(ById { id })).await.map(drop)
            }
            "Explain" => {
                let variables = Question {
                    visitor_id: self.visitor().await,
                    tour_id: self.tour().await.0,
                    url: Url(self.url.clone()),
                };
                caller.run(Explain::build(variables)).await.map(drop)
            }
            "VisitorCount" => {
                let variables = self.selected_visitors().await;
                caller.run(VisitorCount::build(variables)).await.map(drop)
            }
            "VisitorsErase" => {
                let variables = self.selected_visitors().await;
                caller.run(VisitorsErase::build(variables)).await.map(drop)
            }
            "VisitorErase" => {
                let id = self.visitor().await;
                caller.run(VisitorErase::build(ById { id })).await.map(drop)
            }
            "Boot" => {
                let variables = Visit {
                    site_key: self.key().await,
                    visitor,
                    url: Url(self.url.clone()),
                };
                caller.from_page(&self.url).run(Boot::build(variables)).await.map(drop)
            }
            "EmbedBoot" => {
                let variables = Visit {
                    site_key: self.key().await,
                    visitor,
                    url: Url(self.url.clone()),
                };
                let boot = EmbedBoot::build(variables);
                caller.from_page(&self.url).run(boot).await.map(drop)
            }
            "Record" => {
                let event = EventInput {
                    run_id: Id::new(uuid::Uuid::now_v7().to_string()),
                    release_id: Id::new("none"),
                    seq: 0,
                    kind: EventKind::RunStarted,
                    at: DateTime("2026-01-01T00:00:00Z".into()),
                };
                let variables = Report {
                    site_key: self.key().await,
                    visitor,
                    events: vec![event],
                };
                caller
                    .from_page(&self.url)
                    .run(Record::build(variables))
                    .await
                    .map(drop)
            }
            "GoalRecord" => {
                let goal = GoalInput {
                    event: "order_placed".into(),
                    at: DateTime("2026-01-01T00:00:00Z".into()),
                };
                let variables = Goals {
                    site_key: self.key().await,
                    visitor,
                    goals: vec![goal],
                };
                caller
                    .from_page(&self.url)
                    .run(GoalRecord::build(variables))
                    .await
                    .map(drop)
            }
            other => panic!(
                "`operations/` has a new document, `{other}`. Add its types to server/waypost/waypost/tests/it/documents.rs and a call \
                 here, with variables for which it succeeds, so that the access matrix includes it."
            ),
        }
    }
}

fn id(value: &Value) -> Id {
    Id::new(value.as_str().unwrap())
}
