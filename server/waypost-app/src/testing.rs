//! What tests of this crate share: people, inputs, an application over a temporary folder, and dice.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use tempfile::TempDir;
use traitql::{Ctx, CtxParts, DateTime, Id, Principal, Viewer};
use waypost_api::{StepInput, TargetInput, TourSaveInput, role};

use crate::{App, AppConfig, clock::Clock};

/// A principal whose name is its subject.
pub(crate) fn principal(subject: &str) -> Principal {
    Principal {
        issuer: "https://id.example".into(),
        subject: subject.into(),
        name: Some(subject.into()),
        email: Some(format!("{subject}@example.com")),
        email_verified: true,
        picture: None,
        roles: Vec::new(),
        expires_at: jiff::Timestamp::MAX,
    }
}

/// A request of a principal.
pub(crate) fn request(principal: Principal) -> Ctx {
    Ctx::from(CtxParts {
        principal: Some(principal),
        ..CtxParts::default()
    })
}

/// A request of a page.
pub(crate) fn page(origin: &str) -> Ctx {
    Ctx::from(CtxParts {
        origin: Some(origin.into()),
        ..CtxParts::default()
    })
}

/// A step that points at an element.
pub(crate) fn step(key: &str) -> StepInput {
    let mut step = StepInput::new(key.into(), format!("Step {key}"));
    step.target = TargetInput::new(key.into()).into();
    step
}

pub(crate) fn save_input(tour: &str, version: i32) -> TourSaveInput {
    TourSaveInput::new(tour.into(), version)
}

/// An application whose clock stands still until it is moved.
pub(crate) struct Bench {
    pub(crate) app: App,
    now: Arc<AtomicI64>,
    folder: TempDir,
}

/// 2026-11-05T09:30:00Z
pub(crate) const NOW: i64 = 1_793_871_000_000;

impl Bench {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut AppConfig)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let now = Arc::new(AtomicI64::new(NOW));
        let app = open(&folder, &now, change).await;
        Self { app, now, folder }
    }

    /// Another application over the same database, as another process would be.
    pub(crate) async fn another(&self) -> App {
        open(&self.folder, &self.now, |_| {}).await
    }

    pub(crate) fn pass(&self, millis: i64) {
        self.now.fetch_add(millis, Ordering::Relaxed);
    }

    pub(crate) async fn account(&self, subject: &str) -> Id {
        self.app.account_of(&principal(subject)).await.expect("an account")
    }

    /// A person with every role in a workspace.
    pub(crate) async fn admin(&self, subject: &str, workspace: &Id) -> Viewer<role::Admin> {
        Viewer::for_test(self.account(subject).await, Some(workspace.clone()))
    }
}

async fn open(folder: &TempDir, now: &Arc<AtomicI64>, change: impl FnOnce(&mut AppConfig)) -> App {
    let mut config = AppConfig {
        data_dir: folder.path().into(),
        public_url: "https://tours.example/".parse().expect("a URL"),
        providers: Vec::new(),
        source_url: "https://source.example/".parse().expect("a URL"),
        version: "0.0.0".into(),
        sample: false,
        claims_workspace: None,
    };
    change(&mut config);
    let now = now.clone();
    let clock = Clock::of(move || DateTime::from_millis(now.load(Ordering::Relaxed)).expect("an instant"));
    App::open_at(config, clock).await.expect("a fresh database opens")
}

/// Pseudo-random numbers (SplitMix64), the same in every run of a test.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("less than a usize")
    }

    pub(crate) fn shuffle<T>(&mut self, entries: &mut [T]) {
        for place in (1..entries.len()).rev() {
            entries.swap(place, self.below(place + 1));
        }
    }
}
