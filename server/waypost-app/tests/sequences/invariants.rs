//! What must be right after each step.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    acts::KEYS,
    story::{Story, ctx},
    visits::{Run, has},
};

impl Story {
    pub(crate) async fn check(&mut self, tour: usize) {
        let state = self.state(tour).await;
        self.check_revisions(&state);
        self.check_reviews(&state);
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

    /// A revision in review has one review that waits, and stays as it was when somebody asked. Once the review has ended, it tells
    /// what was looked at, and what is released is that.
    fn check_reviews(&mut self, state: &Value) {
        let content = |revision: &Value| json!([revision["steps"], revision["start"], revision["theme"]]);
        for revision in list(&state["revisions"]["nodes"]) {
            let reviews = list(&revision["reviews"]);
            let waiting: Vec<&Value> = reviews.iter().filter(|review| review["state"] == "WAITING").collect();
            let in_review = revision["state"] == "IN_REVIEW";
            assert_eq!(waiting.len(), usize::from(in_review), "{self}\n{revision}");
            for review in &reviews {
                let waits = review["state"] == "WAITING";
                assert_eq!(review["endedBy"].is_null(), waits, "{self}\n{review}");
                // A revision that was returned may be written again: then the review has what was looked at.
                let looked_at = content(if waits { &revision } else { &review["content"] });
                let id = review["id"].as_str().unwrap_or_default().to_owned();
                let then = self.reviewed.entry(id).or_insert_with(|| looked_at.clone()).clone();
                assert_eq!(then, looked_at, "what was reviewed changed: {self}");
                if review["state"] == "RELEASED" {
                    assert_eq!(looked_at, content(&revision), "something else was released: {self}");
                }
            }
        }
        let comments = list(&state["draft"]["comments"]);
        let open = comments
            .iter()
            .filter(|comment| comment["resolvedAt"].is_null())
            .count();
        assert_eq!(state["draft"]["openComments"], open, "{self}");
        let elsewhere = |comment: &&Value| comment["revision"]["id"] != state["draft"]["id"];
        assert!(
            comments
                .iter()
                .filter(elsewhere)
                .all(|comment| comment["resolvedAt"].is_null()),
            "of past_runs revisions, what is open is listed: {self}"
        );
    }

    /// At most one release of a tour is not over on a site, and the tour's status follows from that.
    fn check_releases(&self, state: &Value) {
        let mut open: BTreeMap<&str, usize> = BTreeMap::new();
        let mut plays = false;
        let releases = state["releases"].as_array().map(Vec::as_slice).unwrap_or_default();
        for release in releases {
            let is_over = release["state"] == "ENDED";
            assert_eq!(release["endedAt"].is_null(), !is_over, "{self}\n{release}");
            assert_eq!(release["revision"]["state"], "FROZEN", "{self}\n{release}");
            if let (Some(starts), Some(ends)) = (release["startsAt"].as_str(), release["endsAt"].as_str()) {
                assert!(starts < ends, "{self}\n{release}");
            }
            if !is_over {
                plays |= release["state"] == "LIVE";
                *open
                    .entry(release["site"]["id"].as_str().unwrap_or_default())
                    .or_default() += 1;
            }
        }
        assert!(open.values().all(|many| *many == 1), "{self}\n{releases:?}");
        let status = match (state["status"] == "ARCHIVED", open.is_empty()) {
            (true, true) => "ARCHIVED",
            (_, true) => "DRAFT",
            (_, false) if plays => "LIVE",
            (_, false) => "PAUSED",
        };
        assert_eq!(state["status"], status, "{self}");
    }

    /// A page is offered what is live and has begun, in the revision that was released.
    pub(crate) async fn check_offered(&self, offered: &[Value]) {
        let now = traitql::DateTime::now().to_string();
        for tour in 0..self.tours.len() {
            let state = self.state(tour).await;
            for offer in offered.iter().filter(|offer| offer["tourId"] == self.tours[tour]["id"]) {
                let releases = list(&state["releases"]);
                let release = releases.iter().find(|release| release["id"] == offer["releaseId"]);
                let release = release.unwrap_or_else(|| panic!("a release that is not there: {self}"));
                assert_eq!(release["state"], "LIVE", "{self}\n{release}");
                assert!(
                    release["startsAt"].as_str().is_none_or(|at| at <= now.as_str()),
                    "{self}\n{release}"
                );
                assert!(
                    release["endsAt"].as_str().is_none_or(|at| at > now.as_str()),
                    "{self}\n{release}"
                );
            }
        }
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
            // No sequence takes a day; but some of these runs ended with their release, or were erased.
            let open = started()
                .filter(here)
                .filter(|run| run.end.is_none() && run.seen.contains(key) && !run.done.contains(key))
                .count();
            let step = insights["steps"]
                .as_array()
                .and_then(|steps| steps.iter().find(|step| step["stepKey"] == key));
            let said = |field: &str| step.map_or(json!(0), |step| step[field].clone());
            if insights["superseded"] == 0 && insights["abandoned"] == 0 {
                assert_eq!(said("underWay"), json!(open), "step {key}: {self}");
            } else {
                assert!(said("underWay").as_u64() <= Some(open as u64), "step {key}: {self}");
            }
            assert_eq!(
                [said("seen"), said("done"), said("missing")],
                [seen, done, missing].map(|runs| json!(runs)),
                "step {key}: {self}"
            );
        }
    }
}

fn list(field: &Value) -> Vec<Value> {
    field.as_array().cloned().unwrap_or_default()
}
