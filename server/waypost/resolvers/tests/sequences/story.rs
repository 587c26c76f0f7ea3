use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::{Value, json};
use traitql::Ctx;

use crate::{
    acts::Action,
    common::{SHOP, Server, person},
    guests::Guests,
    visits::Run,
};

/// The members and their roles. The index is the rank of the role.
const MEMBERS: [(&str, &str); 4] = [
    ("vera", "VIEWER"),
    ("arno", "AUTHOR"),
    ("pia", "PUBLISHER"),
    ("ada", "ADMIN"),
];
pub(crate) const AUTHOR: usize = 1;
pub(crate) const PUBLISHER: usize = 2;
pub(crate) const ADMIN: usize = 3;

struct ActionResult {
    who: usize,
    action: Action,
    refused: Option<String>,
}

pub(crate) struct Story {
    seed: u64,
    pub(crate) rng: Rng,
    pub(crate) server: Server,
    pub(crate) workspace: Value,
    pub(crate) sites: Vec<Value>,
    pub(crate) tours: Vec<Value>,
    pub(crate) frozen: BTreeMap<String, Value>,
    pub(crate) reviewed: BTreeMap<String, Value>,
    pub(crate) entries: usize,
    pub(crate) runs: BTreeMap<String, BTreeMap<String, Run>>,
    pub(crate) guests: Guests,
    pub(crate) done: BTreeMap<&'static str, usize>,
    pub(crate) log: Vec<String>,
}

pub(crate) fn ctx(who: usize) -> Ctx {
    person(MEMBERS[who].0)
}

impl Story {
    pub(crate) async fn begin(seed: u64, postgres: Option<String>) -> Self {
        let server = Server::over(postgres).await;
        let crew = json!({ "input": { "name": "Crew", "slug": "crew" } });
        let workspace = server.query(&ctx(ADMIN), "WorkspaceCreate", crew).await["workspaceCreate"]["id"].clone();
        for (name, role) in &MEMBERS[..ADMIN] {
            server.join(&ctx(ADMIN), &workspace, name, role).await;
        }
        let mut sites = Vec::new();
        for name in ["Shop", "Staging"] {
            let site = json!({ "input": { "workspaceId": workspace, "name": name, "origins": [SHOP] } });
            sites.push(server.query(&ctx(ADMIN), "SiteCreate", site).await["siteCreate"].clone());
        }
        let mut tours = Vec::new();
        for slug in ["first", "second"] {
            let tour = json!({ "input": { "workspaceId": workspace, "title": slug, "slug": slug } });
            tours.push(server.query(&ctx(ADMIN), "TourCreate", tour).await["tourCreate"].clone());
        }
        let guests = Guests::begin(&server, &workspace).await;
        let mut story = Self {
            seed,
            rng: Rng::with_seed(seed),
            server,
            workspace,
            sites,
            tours,
            frozen: BTreeMap::new(),
            reviewed: BTreeMap::new(),
            entries: 0,
            runs: BTreeMap::new(),
            guests,
            done: BTreeMap::new(),
            log: Vec::new(),
        };
        story.entries = story.audit().await.len();
        story
    }

    pub(crate) async fn step(&mut self) {
        match self.rng.usize(..9) {
            0 | 1 => self.visit().await,
            2 | 3 => self.guest_action().await,
            _ => self.act().await,
        }
        for tour in 0..self.tours.len() {
            self.check(tour).await;
        }
    }

    async fn act(&mut self) {
        let two = self.rng.usize(..4) == 0;
        let tour = self.rng.usize(..self.tours.len());
        let before = self.state(tour).await;
        let (first, second) = (self.action(tour, &before), self.action(tour, &before));
        let (one, other) = (self.random_member(), self.random_member());
        let results = if two {
            let both = tokio::join!(perform(&self.server, one, first), perform(&self.server, other, second));
            vec![both.0, both.1]
        } else {
            vec![perform(&self.server, one, first).await]
        };
        self.judge(tour, &before, &results).await;
    }

    /// Administrators are more likely.
    fn random_member(&mut self) -> usize {
        self.rng.usize(..MEMBERS.len() + 3).min(ADMIN)
    }

    /// Roles are enforced, rejected actions change nothing, and successful ones are in the audit log.
    async fn judge(&mut self, tour: usize, before: &Value, results: &[ActionResult]) {
        let mut done = Vec::new();
        for ActionResult { who, action, refused } in results {
            let (name, role) = MEMBERS[*who];
            let outcome = refused.as_deref().unwrap_or("done");
            self.log
                .push(format!("{name}: {} {} => {outcome}", action.name, action.variables));
            let may = *who >= action.rank;
            assert_eq!(outcome == "FORBIDDEN", !may && outcome != "NOT_FOUND", "{role}, {self}");
            assert_ne!(outcome, "INTERNAL", "{self}");
            if refused.is_none() {
                *self.done.entry(action.name).or_default() += 1;
                if action.audited {
                    done.push((name, action.operation));
                }
            }
        }
        if results.iter().all(|result| result.refused.is_some()) {
            assert_eq!(
                &self.state(tour).await,
                before,
                "a rejected action changed the state: {self}"
            );
        }
        let entries = self.audit().await;
        let new: Vec<&str> = entries[..entries.len() - self.entries]
            .iter()
            .map(|entry| entry["by"]["name"].as_str().unwrap_or_default())
            .collect();
        self.entries = entries.len();
        // Archiving twice writes no entry.
        let may_change_nothing = |action: &str| matches!(action, "TourArchive" | "TourRestore");
        let certain = done.iter().filter(|(_, action)| !may_change_nothing(action)).count();
        assert!(
            (certain..=done.len()).contains(&new.len()),
            "{done:?} and {new:?}: {self}"
        );
        if let [_] = results {
            let changed = self.state(tour).await != *before;
            assert_eq!(
                new.len() == 1,
                changed && !done.is_empty(),
                "{done:?} and {new:?}: {self}"
            );
        }
        let names: Vec<&str> = done.iter().map(|(name, _)| *name).collect();
        assert!(
            new.iter().all(|name| names.contains(name)),
            "{done:?} and {new:?}: {self}"
        );
    }

    pub(crate) async fn state(&self, tour: usize) -> Value {
        const TEXT: &str = "query ($id: ID!) { tour(id: $id) {
            status title version
            workspace { id version requireReview }
            draft {
                id version state openComments
                comments { id stepKey body resolvedAt by { name } revision { id } }
            }
            revisions(first: 100) { nodes {
                id number state frozenAt
                steps { ...Step }
                start { ...Start }
                theme { id }
                reviews {
                    id state endedAt by { name } endedBy { name }
                    content { steps { ...Step } start { ...Start } theme { id } }
                }
            } }
            releases { id state at startsAt endsAt rolloutPercent endedAt site { id } revision { id state } rollbackOf { id } }
        } }
        fragment Step on Step { key kind title body target { by value } missingTarget }
        fragment Start on StartRule { trigger frequency page delayMs }";
        let variables = json!({ "id": self.tours[tour]["id"] });
        self.server.query_ad_hoc(&ctx(0), TEXT, variables).await["tour"].clone()
    }

    pub(crate) async fn audit(&self) -> Vec<Value> {
        let mut entries = Vec::new();
        let mut after = Value::Null;
        loop {
            let variables = json!({ "workspaceId": self.workspace, "first": 200, "after": after });
            let page = self.server.query(&ctx(ADMIN), "Audit", variables).await["audit"].clone();
            entries.extend(page["nodes"].as_array().cloned().unwrap_or_default());
            if page["pageInfo"]["hasNextPage"] != true {
                return entries;
            }
            after = page["pageInfo"]["endCursor"].clone();
        }
    }
}

impl std::fmt::Display for Story {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "sequence {}:\n{}", self.seed, self.log.join("\n"))
    }
}

async fn perform(server: &Server, who: usize, action: Action) -> ActionResult {
    let answer = server
        .execute(&ctx(who), action.operation, action.variables.clone())
        .await;
    let refused = answer.codes.first().map(|code| (*code).to_owned());
    ActionResult { who, action, refused }
}
