//! What pages do: they ask for tours, play them, and tell of it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    common::{SHOP, page},
    story::Story,
};

/// Everything that was said about a run, and counted.
#[derive(Default)]
pub(crate) struct Run {
    /// The releases that it was played under; it counts with the latest.
    pub(crate) releases: BTreeSet<String>,
    pub(crate) seen: BTreeSet<String>,
    pub(crate) done: BTreeSet<String>,
    pub(crate) missing: BTreeSet<String>,
    pub(crate) started: bool,
    /// As the events rank it.
    pub(crate) end: Option<&'static str>,
}

impl Story {
    /// A browser comes to a site, and takes a part of what it is offered; its events come in any order, twice, or not at all.
    pub(crate) async fn visit(&mut self) {
        let site = self.sites[self.rng.below(self.sites.len())]["key"].clone();
        let participant = json!({ "anonymousId": format!("browser-{}", self.rng.below(4)) });
        let boot = json!({ "siteKey": site, "participant": participant, "url": format!("{SHOP}/cart") });
        let offered = self.server.ask(&page(), "Boot", boot).await["boot"]["tours"].clone();
        let offered = offered.as_array().cloned().unwrap_or_default();
        if offered.is_empty() {
            return;
        }
        self.check_offered(&offered).await;
        let tour = self.rng.one(&offered).clone();
        let events = self.events(&tour);
        let mut sent = events.clone();
        self.rng.shuffle(&mut sent);
        sent.truncate(1 + self.rng.below(sent.len()));
        for _ in 0..self.rng.below(3) {
            sent.push(self.rng.one(&sent).clone());
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
            if self.rng.below(6) == 0 {
                tell("TARGET_MISSING", Some(key));
                continue;
            }
            tell("STEP_SEEN", Some(key));
            match self.rng.below(8) {
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
pub(crate) fn has(state: &Value, run: &Run, key: &str) -> bool {
    let list = |field: &Value| field.as_array().cloned().unwrap_or_default();
    let releases = list(&state["releases"]);
    let played = |release: &&Value| release["id"].as_str().is_some_and(|id| run.releases.contains(id));
    let revision = releases.iter().find(played).map(|release| &release["revision"]["id"]);
    let revisions = list(&state["revisions"]["nodes"]);
    let revision = revisions.iter().find(|one| Some(&one["id"]) == revision);
    revision.is_some_and(|revision| list(&revision["steps"]).iter().any(|step| step["key"] == key))
}
