use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    common::{SHOP, page},
    story::Story,
};

#[derive(Default)]
pub(crate) struct Run {
    /// It counts with the latest one.
    pub(crate) releases: BTreeSet<String>,
    pub(crate) seen: BTreeSet<String>,
    pub(crate) done: BTreeSet<String>,
    pub(crate) missing: BTreeSet<String>,
    pub(crate) started: bool,
    /// The end with the highest rank.
    pub(crate) end: Option<&'static str>,
}

impl Story {
    pub(crate) async fn visit(&mut self) {
        let site = self.sites[self.rng.usize(..self.sites.len())]["key"].clone();
        let visitor = json!({ "anonymousId": format!("browser-{}", self.rng.usize(..4)) });
        let boot = json!({ "siteKey": site, "visitor": visitor, "url": format!("{SHOP}/cart") });
        let offered = self.server.query(&page(), "Boot", boot).await["boot"]["tours"].clone();
        let offered = offered.as_array().cloned().unwrap_or_default();
        if offered.is_empty() {
            return;
        }
        self.check_offered(&offered).await;
        let tour = self.rng.choice(&offered).expect("not empty").clone();
        let events = self.events(&tour);
        let mut sent = events.clone();
        self.rng.shuffle(&mut sent);
        sent.truncate(1 + self.rng.usize(..sent.len()));
        for _ in 0..self.rng.usize(..3) {
            sent.push(self.rng.choice(&sent).expect("not empty").clone());
        }
        let events = sent.iter().map(|event| format!("{} {}", event["seq"], event["kind"]));
        let events: Vec<String> = events.collect();
        self.log
            .push(format!("visit of {}: {}", tour["slug"], events.join(", ")));
        let record = json!({ "siteKey": site, "visitor": visitor, "events": sent });
        let ack = self.server.query(&page(), "Record", record).await["record"].clone();
        let rejected = ack["rejected"].as_array().expect("a list");
        if rejected.iter().any(|each| each["code"] == "TOO_MANY_RUNS") {
            return;
        }
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
        let mut report = |kind: &str, key: Option<&str>| {
            events.push(json!({
                "runId": run, "releaseId": tour["releaseId"], "seq": seq, "kind": kind, "stepKey": key, "at": now, "activeMs": seq * 100,
            }));
            seq += 1;
        };
        if resume.is_null() {
            report("RUN_STARTED", keys.first().copied());
        }
        for key in &keys[at..] {
            if self.rng.usize(..6) == 0 {
                report("TARGET_MISSING", Some(key));
                continue;
            }
            report("STEP_SEEN", Some(key));
            match self.rng.usize(..8) {
                0 => {
                    report("RUN_DISMISSED", Some(key));
                    return events;
                }
                1 => return events,
                _ => report("STEP_DONE", Some(key)),
            }
        }
        report("RUN_COMPLETED", None);
        events
    }
}

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

pub(crate) fn has(state: &Value, run: &Run, key: &str) -> bool {
    let of_run = |release: &&Value| release["id"].as_str().is_some_and(|id| run.releases.contains(id));
    let release = list(&state["releases"]).iter().find(of_run);
    let revision = release.map(|release| &release["revision"]["id"]);
    let mut revisions = list(&state["revisions"]["nodes"]).iter();
    let revision = revisions.find(|one| Some(&one["id"]) == revision);
    revision.is_some_and(|revision| list(&revision["steps"]).iter().any(|step| step["key"] == key))
}

pub(crate) fn list(field: &Value) -> &[Value] {
    field.as_array().map_or(&[], Vec::as_slice)
}
