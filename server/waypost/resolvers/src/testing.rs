use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use tempfile::TempDir;
use traitql::{Ctx, CtxParts, DateTime, Id, Patch, Principal, Throws, Viewer};
use waypost_api::{
    InvitationCreateInput, Member, Release, Revision, Role, Site, SiteCreateInput, StepInput, TargetInput, Tour,
    TourCreateInput, TourReleaseInput, TourSaveInput, WorkspaceCreateInput, resolve, role,
};
use waypost_domain::{clock::Clock, visitor::presence::Presence};

use crate::{App, AppConfig, StorageLimits};

/// Its name is the subject.
pub(crate) fn principal(subject: &str) -> Principal {
    Principal {
        issuer: "https://id.example".into(),
        subject: subject.into(),
        name: Some(subject.into()),
        email: Some(format!("{subject}@example.com")),
        email_verified: true,
        picture: None,
        roles: Vec::new(),
        roles_known: true,
        issued_at: None,
        expires_at: jiff::Timestamp::MAX,
        authenticated: traitql::Authenticated::Unchecked,
        acr_levels: traitql::AcrLevels::Unchecked,
        ..Principal::default()
    }
}

pub(crate) fn request(principal: Principal) -> Ctx {
    Ctx::from(CtxParts {
        principal: Some(principal),
        ..CtxParts::default()
    })
}

pub(crate) fn page(origin: &str) -> Ctx {
    Ctx::from(CtxParts {
        origin: Some(origin.into()),
        ..CtxParts::default()
    })
}

pub(crate) fn step(key: &str) -> StepInput {
    let mut step = StepInput::new(key.into(), format!("Step {key}"));
    step.target = TargetInput::new(key.into()).into();
    step
}

pub(crate) fn save_input(tour: &str, version: i32) -> TourSaveInput {
    TourSaveInput::new(tour.into(), version)
}

pub(crate) struct TestApp {
    pub(crate) app: App,
    now: Arc<AtomicI64>,
    folder: TempDir,
    postgres: Option<String>,
}

/// 2026-11-05T09:30:00Z
pub(crate) const NOW: i64 = 1_793_871_000_000;

impl TestApp {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut AppConfig)) -> Self {
        Self::over(waypost_testkit::default_database(), change).await
    }

    pub(crate) async fn over(postgres: Option<String>, change: impl FnOnce(&mut AppConfig)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let now = Arc::new(AtomicI64::new(NOW));
        let app = open(&folder, postgres.as_deref(), &now, change).await;
        Self {
            app,
            now,
            folder,
            postgres,
        }
    }

    /// Simulates a second process on the same PostgreSQL database.
    pub(crate) async fn another(&self) -> App {
        self.reopen(|_| {}).await
    }

    pub(crate) async fn reopen(&self, change: impl FnOnce(&mut AppConfig)) -> App {
        open(&self.folder, self.postgres.as_deref(), &self.now, change).await
    }

    pub(crate) async fn restart(&mut self, change: impl FnOnce(&mut AppConfig)) {
        self.app.close().await;
        self.app = self.reopen(change).await;
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn advance(&self, millis: i64) {
        self.now.fetch_add(millis, Ordering::Relaxed);
    }

    pub(crate) async fn account(&self, subject: &str) -> Id {
        self.app.account_of(&principal(subject)).await.expect("an account")
    }

    pub(crate) async fn member(&self, admin: &Viewer<role::Admin>, subject: &str, role: Role) -> Member {
        let (app, cx) = (&self.app, &anonymous());
        let input = InvitationCreateInput::new(admin.scope().clone(), format!("{subject}@example.com"), role);
        let created = resolve::MutationInvitationCreate::resolve(app, cx, admin, input).await;
        let viewer = Viewer::for_test(self.account(subject).await, None);
        let token = created.expect("an invitation").token;
        let accepted = resolve::MutationInvitationAccept::resolve(app, cx, &viewer, token).await;
        accepted.expect("a member")
    }

    pub(crate) async fn workspace(&self, slug: &str, creator: &str) -> Viewer<role::Admin> {
        let viewer = Viewer::for_test(self.account(creator).await, None);
        let input = WorkspaceCreateInput::new(slug.into(), slug.into());
        let created = resolve::MutationWorkspaceCreate::resolve(&self.app, &anonymous(), &viewer, input).await;
        Viewer::for_test(viewer.account, Some(created.expect("a workspace").id))
    }

    pub(crate) async fn site(&self, admin: &Viewer<role::Admin>, name: &str) -> Site {
        let origins = vec!["https://shop.example".into()];
        let input = SiteCreateInput::new(admin.scope().clone(), name.into(), origins);
        let created = resolve::MutationSiteCreate::resolve(&self.app, &anonymous(), admin, input).await;
        created.expect("a site")
    }

    pub(crate) async fn tour(&self, admin: &Viewer<role::Admin>, slug: &str, keys: &[&str]) -> Tour {
        let input = TourCreateInput::new(admin.scope().clone(), format!("Tour {slug}"), slug.into());
        let created = resolve::MutationTourCreate::resolve(&self.app, &anonymous(), &admin.lower(), input).await;
        let tour = created.expect("a tour");
        self.save(admin, &tour, 1, keys).await;
        tour
    }

    pub(crate) async fn save(&self, admin: &Viewer<role::Admin>, tour: &Tour, version: i32, keys: &[&str]) -> Revision {
        let mut input = save_input(tour.id.as_str(), version);
        input.steps = Patch::Set(keys.iter().map(|key| step(key)).collect());
        let saved = resolve::MutationTourSave::resolve(&self.app, &anonymous(), &admin.lower(), input).await;
        saved.expect("a saved draft")
    }

    pub(crate) async fn release(&self, admin: &Viewer<role::Admin>, tour: &Tour, version: i32, site: &Site) -> Release {
        let input = TourReleaseInput::new(tour.id.clone(), version, vec![site.id.clone()]);
        let released = resolve::MutationTourRelease::resolve(&self.app, &anonymous(), &admin.lower(), input).await;
        released.expect("a release").remove(0)
    }
}

pub(crate) fn code<T, F>(result: Result<T, Throws<F>>) -> &'static str {
    match result {
        Ok(_) => "no error",
        Err(error) => error.error().code,
    }
}

/// Returns a context without a principal, for resolvers with an explicit proof of authorization.
pub(crate) fn anonymous() -> Ctx {
    Ctx::from(CtxParts::default())
}

async fn open(
    folder: &TempDir,
    postgres: Option<&str>,
    now: &Arc<AtomicI64>,
    change: impl FnOnce(&mut AppConfig),
) -> App {
    let mut config = AppConfig {
        data_dir: folder.path().into(),
        postgres: postgres.map(|url| url.parse().expect("an address")),
        public_url: "https://tours.example/".parse().expect("a URL"),
        providers: Vec::new(),
        token_store: waypost_api::TokenStore::Session,
        source_url: "https://source.example/".parse().expect("a URL"),
        version: "0.0.0".into(),
        demo: false,
        embed: None,
        sample: None,
        restricts_workspace_creation: false,
        claims_workspace: None,
        grants: Vec::new(),
        storage_limits: StorageLimits::default(),
    };
    change(&mut config);
    let now = now.clone();
    let clock = Clock::of(move || DateTime::from_millis(now.load(Ordering::Relaxed)).expect("a valid time"));
    let mut app = App::open_at(config, clock).await.expect("a fresh database opens");
    // Tests write visits when they need them.
    app.presence = Presence::default();
    app
}
