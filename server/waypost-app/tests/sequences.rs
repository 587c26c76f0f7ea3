//! Random sequences of what people do with tours, releases and runs, in several roles and two at once, with the invariants of
//! the product held after each step.
//!
//! `WAYPOST_SEQUENCES=500` runs more of them than a test run does; a failure names its sequence, and
//! `WAYPOST_SEQUENCE=17` runs that one alone.

mod common;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
};

use common::{SHOP, Server, page, person};
use serde_json::{Map, Value, json};
use traitql::Ctx;

const STEPS: usize = 50;
const KEYS: [&str; 5] = ["menu", "search", "cart", "pay", "done"];

/// Who acts, and what they may do: the place in this list is the rank of the role.
const PEOPLE: [(&str, &str); 4] = [
    ("vera", "VIEWER"),
    ("arno", "AUTHOR"),
    ("pia", "PUBLISHER"),
    ("ada", "ADMIN"),
];
const AUTHOR: usize = 1;
const PUBLISHER: usize = 2;

#[tokio::test]
async fn invariants_hold_after_every_step_of_any_sequence() {
    hold_in_sequences(|| None).await;
}

#[tokio::test]
async fn invariants_hold_after_every_step_of_any_sequence_on_postgresql() {
    hold_in_sequences(|| Some(waypost_testbed::database())).await;
}

/// Each sequence has a database of its own.
async fn hold_in_sequences(postgres: fn() -> Option<String>) {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("WAYPOST_SEQUENCE") {
        Some(seed) => seed..seed + 1,
        None => 0..number("WAYPOST_SEQUENCES").unwrap_or(8),
    };
    let mut done = BTreeMap::new();
    for seed in seeds.clone() {
        let mut story = Story::begin(seed, postgres()).await;
        for _ in 0..STEPS {
            story.step().await;
        }
        for (action, times) in story.done {
            *done.entry(action).or_insert(0) += times;
        }
    }
    // A test whose every step is refused holds everything and shows nothing.
    if seeds.end - seeds.start >= 8 {
        for action in ["save", "release", "rollback", "end", "archive", "restore", "visit"] {
            assert!(
                done.get(action).is_some_and(|times| *times > 2),
                "{action} hardly ever works: {done:?}"
            );
        }
    }
}

/// Numbers that look random and are the same in each run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % many as u64) as usize
    }

    fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
    }
}

/// An action of somebody: an operation, with the rank that it takes.
struct Action {
    name: &'static str,
    operation: &'static str,
    variables: Value,
    rank: usize,
    audited: bool,
}

/// What somebody was told.
struct Told {
    who: usize,
    action: Action,
    /// The code of the refusal.
    refused: Option<String>,
}

/// Everything that was said about a run, and counted.
#[derive(Default)]
struct Run {
    /// The releases that it was played under; it counts with the latest.
    releases: BTreeSet<String>,
    seen: BTreeSet<String>,
    done: BTreeSet<String>,
    missing: BTreeSet<String>,
    started: bool,
    /// As the events rank it.
    end: Option<&'static str>,
}

struct Story {
    seed: u64,
    dice: Dice,
    server: Server,
    workspace: Value,
    sites: Vec<Value>,
    tours: Vec<Value>,
    /// What revisions said when they were frozen, by id.
    frozen: BTreeMap<String, Value>,
    /// Audit entries of the tours' operations.
    entries: usize,
    /// By tour.
    runs: BTreeMap<String, BTreeMap<String, Run>>,
    done: BTreeMap<&'static str, usize>,
    /// For the message of a failure.
    log: Vec<String>,
}

fn ctx(who: usize) -> Ctx {
    person(PEOPLE[who].0)
}

const ADMIN: usize = 3;

impl Story {
    async fn begin(seed: u64, postgres: Option<String>) -> Self {
        let server = Server::over(postgres).await;
        let crew = json!({ "input": { "name": "Crew", "slug": "crew" } });
        let workspace = server.ask(&ctx(ADMIN), "WorkspaceCreate", crew).await["workspaceCreate"]["id"].clone();
        for (name, role) in &PEOPLE[..ADMIN] {
            server.ask(&person(name), "Viewer", json!({})).await;
            let add = json!({ "workspaceId": workspace, "email": format!("{name}@example.com"), "role": role });
            server.ask(&ctx(ADMIN), "MemberAdd", add).await;
        }
        let mut sites = Vec::new();
        for name in ["Shop", "Staging"] {
            let site = json!({ "input": { "workspaceId": workspace, "name": name, "origins": [SHOP] } });
            sites.push(server.ask(&ctx(ADMIN), "SiteCreate", site).await["siteCreate"].clone());
        }
        let mut tours = Vec::new();
        for slug in ["first", "second"] {
            let tour = json!({ "input": { "workspaceId": workspace, "title": slug, "slug": slug } });
            tours.push(server.ask(&ctx(ADMIN), "TourCreate", tour).await["tourCreate"].clone());
        }
        let mut story = Self {
            seed,
            dice: Dice(seed),
            server,
            workspace,
            sites,
            tours,
            frozen: BTreeMap::new(),
            entries: 0,
            runs: BTreeMap::new(),
            done: BTreeMap::new(),
            log: Vec::new(),
        };
        story.entries = story.audit().await.len();
        story
    }

    /// Somebody does something, or two people at once do; then everything must still be right.
    async fn step(&mut self) {
        if self.dice.below(3) == 0 {
            self.visit().await;
        } else {
            let two = self.dice.below(4) == 0;
            let tour = self.dice.below(self.tours.len());
            let before = self.state(tour).await;
            let (first, second) = (self.action(tour, &before), self.action(tour, &before));
            let (one, other) = (self.somebody(), self.somebody());
            let told = if two {
                let both = tokio::join!(tell(&self.server, one, first), tell(&self.server, other, second));
                vec![both.0, both.1]
            } else {
                vec![tell(&self.server, one, first).await]
            };
            self.judge(tour, &before, &told).await;
        }
        for tour in 0..self.tours.len() {
            self.check(tour).await;
        }
    }

    /// More often somebody who may.
    fn somebody(&mut self) -> usize {
        self.dice.below(PEOPLE.len() + 3).min(ADMIN)
    }

    /// What may be done with a tour: of what is sensible now, and of what is not.
    fn action(&mut self, tour: usize, state: &Value) -> Action {
        let id = self.tours[tour]["id"].clone();
        let current = state["draft"]["version"].as_i64().unwrap_or_default();
        let version = if self.dice.below(6) == 0 { current - 1 } else { current };
        let releases = state["releases"].as_array().cloned().unwrap_or_default();
        let live = releases.iter().find(|release| release["state"] == "LIVE");
        let release = match (live, &releases[..]) {
            (_, []) => json!("00000000-0000-7000-8000-000000000000"),
            (Some(live), _) if self.dice.below(4) > 0 => live["id"].clone(),
            (_, releases) => self.dice.one(releases)["id"].clone(),
        };
        let action = |name, operation, variables, rank, audited| Action {
            name,
            operation,
            variables,
            rank,
            audited,
        };
        match self.dice.below(10) {
            0..3 => {
                let steps = self.steps();
                let input =
                    json!({ "id": id, "expectedVersion": version, "steps": steps, "start": { "frequency": "ALWAYS" } });
                action("save", "TourSave", json!({ "input": input }), AUTHOR, false)
            }
            3..6 => {
                let first = self.dice.below(2);
                let sites: Vec<&Value> = match self.dice.below(2) {
                    0 => vec![&self.sites[first]["id"]],
                    _ => self.sites.iter().map(|site| &site["id"]).collect(),
                };
                let input = json!({ "tourId": id, "expectedVersion": version, "siteIds": sites });
                action("release", "TourRelease", json!({ "input": input }), PUBLISHER, true)
            }
            6 => action("rollback", "ReleaseRollback", json!({ "id": release }), PUBLISHER, true),
            7 => action("end", "ReleaseEnd", json!({ "id": release }), PUBLISHER, true),
            8 => action("archive", "TourArchive", json!({ "id": id }), PUBLISHER, true),
            _ => action("restore", "TourRestore", json!({ "id": id }), PUBLISHER, true),
        }
    }

    /// Some steps in any order, now and then with a mistake that keeps them from being released.
    fn steps(&mut self) -> Value {
        let mut keys = KEYS.to_vec();
        self.dice.shuffle(&mut keys);
        keys.truncate(self.dice.below(KEYS.len() + 1));
        let step = |key: &&str| json!({ "key": key, "title": format!("The {key}"), "target": { "value": key } });
        let mut steps: Vec<Value> = keys.iter().map(step).collect();
        if self.dice.below(8) == 0 {
            steps.push(json!({ "key": "lost", "title": "Points at nothing" }));
        }
        steps.into()
    }

    /// Roles are kept, refusals change nothing, and what was done is in the audit log.
    async fn judge(&mut self, tour: usize, before: &Value, told: &[Told]) {
        let mut done = Vec::new();
        for Told { who, action, refused } in told {
            let (name, role) = PEOPLE[*who];
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
        if told.iter().all(|told| told.refused.is_some()) {
            assert_eq!(&self.state(tour).await, before, "a refusal changed something: {self}");
        }
        let entries = self.audit().await;
        let new: Vec<&str> = entries[..entries.len() - self.entries]
            .iter()
            .map(|entry| entry["by"]["name"].as_str().unwrap_or_default())
            .collect();
        self.entries = entries.len();
        // Whoever archives what is archived has done nothing.
        let may_be_nothing = |action: &str| matches!(action, "TourArchive" | "TourRestore");
        let certain = done.iter().filter(|(_, action)| !may_be_nothing(action)).count();
        assert!(
            (certain..=done.len()).contains(&new.len()),
            "{done:?} and {new:?}: {self}"
        );
        if let [_] = told {
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

    /// A browser comes to a site, and takes a part of what it is offered; its events come in any order, twice, or not at all.
    async fn visit(&mut self) {
        let site = self.sites[self.dice.below(self.sites.len())]["key"].clone();
        let participant = json!({ "anonymousId": format!("browser-{}", self.dice.below(4)) });
        let boot = json!({ "siteKey": site, "participant": participant, "url": format!("{SHOP}/cart") });
        let offered = self.server.ask(&page(), "Boot", boot).await["boot"]["tours"].clone();
        let offered = offered.as_array().cloned().unwrap_or_default();
        if offered.is_empty() {
            return;
        }
        let tour = self.dice.one(&offered).clone();
        let events = self.events(&tour);
        let mut sent = events.clone();
        self.dice.shuffle(&mut sent);
        sent.truncate(1 + self.dice.below(sent.len()));
        for _ in 0..self.dice.below(3) {
            sent.push(self.dice.one(&sent).clone());
        }
        let told = sent.iter().map(|event| format!("{} {}", event["seq"], event["kind"]));
        let told: Vec<String> = told.collect();
        self.log.push(format!("visit of {}: {}", tour["slug"], told.join(", ")));
        let record = json!({ "siteKey": site, "participant": participant, "events": sent });
        let ack = self.server.ask(&page(), "Record", record).await["record"].clone();
        assert_eq!(ack["rejected"], json!([]), "{self}");
        *self.done.entry("visit").or_default() += 1;
        let tour_id = tour["tourId"].as_str().unwrap_or_default().to_owned();
        let runs = self.runs.entry(tour_id).or_default();
        for event in &sent {
            count(
                runs.entry(event["runId"].as_str().unwrap_or_default().to_owned())
                    .or_default(),
                event,
            );
        }
    }

    /// What a page would tell of a run through a tour, up to some point.
    fn events(&mut self, tour: &Value) -> Vec<Value> {
        let keys: Vec<&str> = tour["steps"]
            .as_array()
            .map(|steps| steps.iter().filter_map(|step| step["key"].as_str()).collect())
            .unwrap_or_default();
        let resume = &tour["resume"];
        let (run, mut seq, at) = match resume["runId"].as_str() {
            Some(run) => {
                let at = keys.iter().position(|key| resume["stepKey"] == *key).unwrap_or(0);
                (run.to_owned(), resume["seq"].as_i64().unwrap_or_default(), at)
            }
            None => (uuid::Uuid::now_v7().to_string(), 0, 0),
        };
        let now = traitql::DateTime::now().to_string();
        let mut events = Vec::new();
        let mut tell = |kind: &str, key: Option<&str>| {
            events.push(json!({
                "runId": run, "releaseId": tour["releaseId"], "seq": seq, "kind": kind, "stepKey": key, "at": now, "activeMs": seq * 100,
            }));
            seq += 1;
        };
        if resume.is_null() {
            tell("RUN_STARTED", keys.first().copied());
        }
        for key in &keys[at..] {
            if self.dice.below(6) == 0 {
                tell("TARGET_MISSING", Some(key));
                continue;
            }
            tell("STEP_SEEN", Some(key));
            match self.dice.below(8) {
                0 => {
                    tell("RUN_DISMISSED", Some(key));
                    return events;
                }
                1 => return events,
                _ => tell("STEP_DONE", Some(key)),
            }
        }
        tell("RUN_COMPLETED", None);
        events
    }

    async fn check(&mut self, tour: usize) {
        let state = self.state(tour).await;
        self.check_revisions(&state);
        self.check_releases(&state);
        self.check_funnel(tour, &state).await;
    }

    /// One revision is open, the newest; what is frozen stays as it was.
    fn check_revisions(&mut self, state: &Value) {
        let revisions = state["revisions"]["nodes"].as_array().cloned().unwrap_or_default();
        for (at, revision) in revisions.iter().enumerate() {
            let is_frozen = revision["state"] == "FROZEN";
            assert_eq!(is_frozen, at > 0, "{self}\n{revision}");
            if is_frozen {
                let id = revision["id"].as_str().unwrap_or_default().to_owned();
                let then = self.frozen.entry(id).or_insert_with(|| revision.clone()).clone();
                assert_eq!(&then, revision, "a frozen revision changed: {self}");
            }
        }
    }

    /// At most one release of a tour is not over on a site, and the tour's status follows from that.
    fn check_releases(&self, state: &Value) {
        let mut open: BTreeMap<&str, usize> = BTreeMap::new();
        let releases = state["releases"].as_array().map(Vec::as_slice).unwrap_or_default();
        for release in releases {
            let is_over = release["state"] == "ENDED";
            assert_eq!(release["endedAt"].is_null(), !is_over, "{self}\n{release}");
            assert_eq!(release["revision"]["state"], "FROZEN", "{self}\n{release}");
            if !is_over {
                *open
                    .entry(release["site"]["id"].as_str().unwrap_or_default())
                    .or_default() += 1;
            }
        }
        assert!(open.values().all(|many| *many == 1), "{self}\n{releases:?}");
        let status = match (state["status"] == "ARCHIVED", open.is_empty()) {
            (true, true) => "ARCHIVED",
            (_, true) => "DRAFT",
            (_, false) => "LIVE",
        };
        assert_eq!(state["status"], status, "{self}");
    }

    /// What insights say is what a recount of the events says.
    async fn check_funnel(&self, tour: usize, state: &Value) {
        let id = &self.tours[tour]["id"];
        let day = |days: i64| {
            let at = traitql::DateTime::now().as_millis() + days * 24 * 60 * 60 * 1000;
            traitql::DateTime::from_millis(at).map(|at| traitql::Date::of(at).to_string())
        };
        // A sequence may go on past midnight.
        let range = json!({ "from": day(-1), "to": day(1) });
        let asked = json!({ "tourId": id, "range": range });
        let insights = self.server.ask(&ctx(0), "TourInsights", asked).await["tourInsights"].clone();
        let nobody = BTreeMap::new();
        let runs = self.runs.get(id.as_str().unwrap_or_default()).unwrap_or(&nobody);
        let started = || runs.values().filter(|run| run.started);
        let ended = |end: &str| started().filter(|run| run.end == Some(end)).count();
        let expected = json!({
            "started": started().count(),
            "completed": ended("COMPLETED"),
            "dismissed": ended("DISMISSED"),
            "failed": ended("FAILED"),
        });
        let fields = ["started", "completed", "dismissed", "failed"];
        let said: Map<String, Value> = fields
            .map(|field| (field.to_owned(), insights[field].clone()))
            .into_iter()
            .collect();
        assert_eq!(Value::Object(said), expected, "{self}");
        for key in KEYS {
            // An element may be missing before anything was shown.
            let here = |run: &&Run| has(state, run, key);
            let seen = started().filter(here).filter(|run| run.seen.contains(key)).count();
            let done = started().filter(here).filter(|run| run.done.contains(key)).count();
            let missing = runs
                .values()
                .filter(here)
                .filter(|run| run.missing.contains(key))
                .count();
            let step = insights["steps"]
                .as_array()
                .and_then(|steps| steps.iter().find(|step| step["stepKey"] == key));
            let said = |field: &str| step.map_or(json!(0), |step| step[field].clone());
            assert_eq!(
                [said("seen"), said("done"), said("missing")],
                [seen, done, missing].map(|runs| json!(runs)),
                "step {key}: {self}"
            );
        }
    }

    /// Everything of a tour that people see, its whole content included.
    async fn state(&self, tour: usize) -> Value {
        const TEXT: &str = "query ($id: ID!) { tour(id: $id) {
            status title version
            draft { id version }
            revisions(first: 100) { nodes {
                id number state frozenAt
                steps { key kind title body target { by value } missingTarget }
                start { trigger frequency page delayMs }
                theme { id }
            } }
            releases { id state at endedAt site { id } revision { id state } rollbackOf { id } }
        } }";
        let variables = json!({ "id": self.tours[tour]["id"] });
        self.server.ask_anything(&ctx(0), TEXT, variables).await["tour"].clone()
    }

    /// What the audit log has of tours and releases, newest first.
    async fn audit(&self) -> Vec<Value> {
        let mut entries = Vec::new();
        let mut after = Value::Null;
        loop {
            let variables = json!({ "workspaceId": self.workspace, "first": 200, "after": after });
            let page = self.server.ask(&ctx(ADMIN), "Audit", variables).await["audit"].clone();
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

async fn tell(server: &Server, who: usize, action: Action) -> Told {
    let answer = server
        .answer(&ctx(who), action.operation, action.variables.clone())
        .await;
    let refused = answer.codes.first().map(|code| (*code).to_owned());
    Told { who, action, refused }
}

/// Counts an event as its run would be counted by hand.
fn count(run: &mut Run, event: &Value) {
    let key = event["stepKey"].as_str().map(str::to_owned);
    run.releases.extend(event["releaseId"].as_str().map(str::to_owned));
    let rank = |end: Option<&str>| match end {
        None => 0,
        Some("FAILED") => 1,
        Some("DISMISSED") => 2,
        Some(_) => 3,
    };
    let kind = event["kind"].as_str().unwrap_or_default();
    run.started |= !matches!(kind, "TARGET_MISSING" | "RUN_FAILED");
    let end = match kind {
        "RUN_STARTED" | "STEP_SEEN" => {
            run.seen.extend(key);
            None
        }
        "STEP_DONE" => {
            run.seen.extend(key.clone());
            run.done.extend(key);
            None
        }
        "TARGET_MISSING" => {
            run.missing.extend(key);
            None
        }
        "RUN_COMPLETED" => Some("COMPLETED"),
        "RUN_DISMISSED" => Some("DISMISSED"),
        _ => Some("FAILED"),
    };
    if rank(end) > rank(run.end) {
        run.end = end;
    }
}

/// Whether the revision has a step that a run counts with: that of the latest release that it was played under.
fn has(state: &Value, run: &Run, key: &str) -> bool {
    let list = |field: &Value| field.as_array().cloned().unwrap_or_default();
    let releases = list(&state["releases"]);
    let played = |release: &&Value| release["id"].as_str().is_some_and(|id| run.releases.contains(id));
    let revision = releases.iter().find(played).map(|release| &release["revision"]["id"]);
    let revisions = list(&state["revisions"]["nodes"]);
    let revision = revisions.iter().find(|one| Some(&one["id"]) == revision);
    revision.is_some_and(|revision| list(&revision["steps"]).iter().any(|step| step["key"] == key))
}
