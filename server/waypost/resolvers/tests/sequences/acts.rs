use serde_json::{Value, json};
use traitql::DateTime;

use crate::story::{ADMIN, AUTHOR, PUBLISHER, Story};

pub(crate) const KEYS: [&str; 5] = ["menu", "search", "cart", "pay", "done"];

/// The actions that [`Story::action`] chooses from, with their weights.
pub(crate) const CHOICES: [(&str, usize); 17] = [
    ("save", 3),
    ("release", 10),
    ("schedule", 3),
    ("rollback", 60),
    ("end", 3),
    ("pause", 6),
    ("resume", 30),
    ("adjust", 6),
    ("archive", 5),
    ("restore", 2),
    ("submit", 3),
    ("return", 10),
    ("comment", 3),
    ("resolve", 2),
    ("reopen", 6),
    ("delete", 8),
    ("require", 5),
];

pub(crate) struct Action {
    pub(crate) name: &'static str,
    pub(crate) operation: &'static str,
    pub(crate) variables: Value,
    pub(crate) rank: usize,
    pub(crate) audited: bool,
}

impl Story {
    pub(crate) fn action(&mut self, tour: usize, state: &Value) -> Action {
        let name = self.choice(state);
        let audited = |operation, variables, rank| Action {
            name,
            operation,
            variables,
            rank,
            audited: true,
        };
        let unaudited = |operation, variables, rank| Action {
            audited: false,
            ..audited(operation, variables, rank)
        };
        let id = self.tours[tour]["id"].clone();
        let draft = &state["draft"];
        let version = self.version(draft);
        let release = self.release_of(state, name);
        let comment = self.comment_of(draft);
        match name {
            "save" => {
                let steps = self.steps();
                let input =
                    json!({ "id": id, "expectedVersion": version, "steps": steps, "start": { "frequency": "ALWAYS" } });
                unaudited("TourSave", json!({ "input": input }), AUTHOR)
            }
            "release" => {
                let input = json!({ "tourId": id, "expectedVersion": version, "siteIds": self.some_sites() });
                audited("TourRelease", json!({ "input": input }), PUBLISHER)
            }
            "schedule" => {
                let (starts, ends) = self.times();
                let input = json!({
                    "tourId": id, "expectedVersion": version, "siteIds": self.some_sites(),
                    "startsAt": starts, "endsAt": ends, "rolloutPercent": self.rng.usize(..101),
                });
                audited("TourRelease", json!({ "input": input }), PUBLISHER)
            }
            "rollback" => audited("ReleaseRollback", json!({ "id": release }), PUBLISHER),
            "end" => audited("ReleaseEnd", json!({ "id": release }), PUBLISHER),
            "pause" => audited("ReleasePause", json!({ "id": release }), PUBLISHER),
            "resume" => audited("ReleaseResume", json!({ "id": release }), PUBLISHER),
            "adjust" => {
                let (starts, ends) = self.times();
                let input = json!({ "id": release, "rolloutPercent": self.rng.usize(..101), "startsAt": starts, "endsAt": ends });
                audited("ReleaseAdjust", json!({ "input": input }), PUBLISHER)
            }
            "archive" => audited("TourArchive", json!({ "id": id }), PUBLISHER),
            "restore" => audited("TourRestore", json!({ "id": id }), PUBLISHER),
            "submit" => {
                let submit = json!({ "id": draft["id"], "expectedVersion": version, "note": "Look." });
                audited("RevisionSubmit", submit, AUTHOR)
            }
            "return" => audited("RevisionReturn", json!({ "id": draft["id"] }), AUTHOR),
            "comment" => {
                let step = [Value::Null, json!(self.rng.choice(KEYS))][self.rng.usize(..2)].clone();
                let input = json!({ "revisionId": draft["id"], "stepKey": step, "body": "A thought." });
                unaudited("CommentAdd", json!({ "input": input }), AUTHOR)
            }
            "resolve" => unaudited("CommentResolve", json!({ "id": comment }), AUTHOR),
            "reopen" => unaudited("CommentReopen", json!({ "id": comment }), AUTHOR),
            "delete" => audited("CommentDelete", json!({ "id": comment }), AUTHOR),
            _ => {
                let workspace = &state["workspace"];
                let required = workspace["requireReview"] == false && self.rng.usize(..2) == 0;
                let set = json!({
                    "id": workspace["id"], "expectedVersion": self.version(workspace), "requireReview": required,
                });
                audited("WorkspaceReviewSet", set, ADMIN)
            }
        }
    }

    fn choice(&mut self, state: &Value) -> &'static str {
        let all: usize = CHOICES.iter().map(|(_, weight)| weight).sum();
        loop {
            let mut at = self.rng.usize(..all);
            for (name, weight) in CHOICES {
                if at < weight {
                    if is_possible(name, state) || self.rng.usize(..8) == 0 {
                        return name;
                    }
                    break;
                }
                at -= weight;
            }
        }
    }

    fn version(&mut self, of: &Value) -> i64 {
        let current = of["version"].as_i64().unwrap_or_default();
        if self.rng.usize(..6) == 0 { current - 1 } else { current }
    }

    fn release_of(&mut self, state: &Value, action: &str) -> Value {
        let releases = state["releases"].as_array().cloned().unwrap_or_default();
        let is_suitable = |release: &&Value| match action {
            "pause" => release["state"] == "LIVE",
            "resume" => release["state"] == "PAUSED",
            _ => release["state"] != "ENDED",
        };
        let suitable: Vec<&Value> = releases.iter().filter(is_suitable).collect();
        match (&suitable[..], &releases[..]) {
            (_, []) => json!("00000000-0000-7000-8000-000000000000"),
            ([], releases) => self.rng.choice(releases).expect("not empty")["id"].clone(),
            (_, releases) if self.rng.usize(..5) == 0 => self.rng.choice(releases).expect("not empty")["id"].clone(),
            (suitable, _) => self.rng.choice(suitable).expect("not empty")["id"].clone(),
        }
    }

    fn comment_of(&mut self, draft: &Value) -> Value {
        match draft["comments"].as_array().map(Vec::as_slice) {
            None | Some([]) => json!("00000000-0000-7000-8000-000000000001"),
            Some(comments) => self.rng.choice(comments).expect("not empty")["id"].clone(),
        }
    }

    fn some_sites(&mut self) -> Vec<Value> {
        let first = self.rng.usize(..2);
        match self.rng.usize(..2) {
            0 => vec![self.sites[first]["id"].clone()],
            _ => self.sites.iter().map(|site| site["id"].clone()).collect(),
        }
    }

    /// The times are at least one day away, so that the clock does not change the state between two checks. One
    /// schedule in four is empty.
    fn times(&mut self) -> (Value, Value) {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        let now = DateTime::now().as_millis();
        let at = |days: i64| json!(DateTime::from_millis(now + days * DAY).map(|at| at.to_string()));
        match self.rng.usize(..4) {
            0 => (at(1), at(2)),
            1 => (Value::Null, at(1)),
            2 => (at(-1), Value::Null),
            _ => (at(2), at(1)),
        }
    }

    fn steps(&mut self) -> Value {
        let mut keys = KEYS.to_vec();
        self.rng.shuffle(&mut keys);
        keys.truncate(self.rng.usize(..KEYS.len() + 1));
        let step = |key: &&str| json!({ "key": key, "title": format!("The {key}"), "target": { "value": key } });
        let mut steps: Vec<Value> = keys.iter().map(step).collect();
        if self.rng.usize(..8) == 0 {
            steps.push(json!({ "key": "lost", "title": "No target" }));
        }
        steps.into()
    }
}

fn is_possible(name: &str, state: &Value) -> bool {
    let some = |list: &Value, is: &dyn Fn(&Value) -> bool| list.as_array().is_some_and(|all| all.iter().any(is));
    let release = |wanted: &[&str]| {
        some(&state["releases"], &|one| {
            wanted.iter().any(|state| one["state"] == *state)
        })
    };
    let comment = |open: bool| some(&state["draft"]["comments"], &|one| one["resolvedAt"].is_null() == open);
    let in_review = state["draft"]["state"] == "IN_REVIEW";
    if state["status"] == "ARCHIVED" {
        return matches!(name, "restore" | "require");
    }
    match name {
        "save" | "submit" => !in_review,
        "return" => in_review,
        "release" | "schedule" => in_review || state["workspace"]["requireReview"] == false,
        "pause" => release(&["LIVE"]),
        "resume" => release(&["PAUSED"]),
        "end" | "adjust" => release(&["LIVE", "PAUSED"]),
        "rollback" => release(&["LIVE", "PAUSED"]) && release(&["ENDED"]),
        // Archiving would prevent most other actions.
        "archive" | "restore" => false,
        // Only reset: requiring reviews would prevent most releases.
        "require" => state["workspace"]["requireReview"] == true,
        "resolve" => comment(true),
        "reopen" => comment(false),
        "delete" => comment(true) || comment(false),
        _ => true,
    }
}
