use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    acts::KEYS,
    story::{Story, ctx},
    visits::{Run, has, list},
};

impl Story {
    pub(crate) async fn check(&mut self, tour: usize) {
        let state = self.state(tour).await;
        self.check_revisions(&state);
        self.check_reviews(&state);
        self.check_releases(&state);
        self.check_funnel(tour, &state).await;
    }

    /// Only the newest revision is a draft, and frozen revisions do not change.
    fn check_revisions(&mut self, state: &Value) {
        for (at, revision) in list(&state["revisions"]["nodes"]).iter().enumerate() {
            let is_frozen = revision["state"] == "FROZEN";
            assert_eq!(is_frozen, at > 0, "{self}\n{revision}");
            if is_frozen {
                let id = revision["id"].as_str().unwrap_or_default().to_owned();
                let then = self.frozen.entry(id).or_insert_with(|| revision.clone()).clone();
                assert_eq!(&then, revision, "a frozen revision changed: {self}");
            }
        }
    }

    fn check_reviews(&mut self, state: &Value) {
        let content = |revision: &Value| json!([revision["steps"], revision["start"], revision["theme"]]);
        for revision in list(&state["revisions"]["nodes"]) {
            let reviews = list(&revision["reviews"]);
            let waiting: Vec<&Value> = reviews.iter().filter(|review| review["state"] == "WAITING").collect();
            let in_review = revision["state"] == "IN_REVIEW";
            assert_eq!(waiting.len(), usize::from(in_review), "{self}\n{revision}");
            for review in reviews {
                let waits = review["state"] == "WAITING";
                assert_eq!(review["endedBy"].is_null(), waits, "{self}\n{review}");
                // A returned revision can be changed again, so compare with the content stored in the review.
                let reviewed = content(if waits { revision } else { &review["content"] });
                let id = review["id"].as_str().unwrap_or_default().to_owned();
                let then = self.reviewed.entry(id).or_insert_with(|| reviewed.clone()).clone();
                assert_eq!(then, reviewed, "the reviewed content changed: {self}");
                if review["state"] == "RELEASED" {
                    assert_eq!(
                        reviewed,
                        content(revision),
                        "the released content was not reviewed: {self}"
                    );
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
            "only open comments of earlier revisions are listed: {self}"
        );
    }

    fn check_releases(&self, state: &Value) {
        let mut open: BTreeMap<&str, usize> = BTreeMap::new();
        let mut is_live = false;
        let releases = list(&state["releases"]);
        for release in releases {
            let is_over = release["state"] == "ENDED";
            assert_eq!(release["endedAt"].is_null(), !is_over, "{self}\n{release}");
            assert_eq!(release["revision"]["state"], "FROZEN", "{self}\n{release}");
            if let (Some(starts), Some(ends)) = (release["startsAt"].as_str(), release["endsAt"].as_str()) {
                assert!(starts < ends, "{self}\n{release}");
            }
            if !is_over {
                is_live |= release["state"] == "LIVE";
                *open
                    .entry(release["site"]["id"].as_str().unwrap_or_default())
                    .or_default() += 1;
            }
        }
        assert!(open.values().all(|many| *many == 1), "{self}\n{releases:?}");
        let status = match (state["status"] == "ARCHIVED", open.is_empty()) {
            (true, true) => "ARCHIVED",
            (_, true) if releases.is_empty() => "DRAFT",
            (_, true) => "STOPPED",
            (_, false) if is_live => "LIVE",
            (_, false) => "PAUSED",
        };
        assert_eq!(state["status"], status, "{self}");
    }

    /// Offers belong to live releases whose schedule has started and not ended.
    pub(crate) async fn check_offered(&self, offered: &[Value]) {
        let now = traitql::DateTime::now().to_string();
        for tour in 0..self.tours.len() {
            let state = self.state(tour).await;
            for offer in offered.iter().filter(|offer| offer["tourId"] == self.tours[tour]["id"]) {
                let releases = list(&state["releases"]);
                let release = releases.iter().find(|release| release["id"] == offer["releaseId"]);
                let release = release.unwrap_or_else(|| panic!("the offered release does not exist: {self}"));
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

    /// Insights equal a recount of the reported events.
    async fn check_funnel(&self, tour: usize, state: &Value) {
        let id = &self.tours[tour]["id"];
        let day = |days: i64| {
            let at = traitql::DateTime::now().as_millis() + days * 24 * 60 * 60 * 1000;
            traitql::DateTime::from_millis(at).map(|at| traitql::Date::of(at).to_string())
        };
        // A sequence can run past midnight.
        let range = json!({ "from": day(-1), "to": day(1) });
        let variables = json!({ "tourId": id, "range": range });
        let insights = self.server.query(&ctx(0), "TourInsights", variables).await["tourInsights"].clone();
        let no_runs = BTreeMap::new();
        let runs = self.runs.get(id.as_str().unwrap_or_default()).unwrap_or(&no_runs);
        let started = || runs.values().filter(|run| run.started);
        let ended = |end: &str| started().filter(|run| run.end == Some(end)).count();
        let expected = json!({
            "started": started().count(),
            "completed": ended("COMPLETED"),
            "dismissed": ended("DISMISSED"),
            "failed": ended("FAILED"),
        });
        let fields = ["started", "completed", "dismissed", "failed"];
        let actual: Map<String, Value> = fields
            .map(|field| (field.to_owned(), insights[field].clone()))
            .into_iter()
            .collect();
        assert_eq!(Value::Object(actual), expected, "{self}");
        for key in KEYS {
            // A target can be missing before a step was shown.
            let here = |run: &&Run| has(state, run, key);
            let seen = started().filter(here).filter(|run| run.seen.contains(key)).count();
            let done = started().filter(here).filter(|run| run.done.contains(key)).count();
            let missing = runs
                .values()
                .filter(here)
                .filter(|run| run.missing.contains(key))
                .count();
            // No run is abandoned within a sequence, but some ended with their release.
            let open = started()
                .filter(here)
                .filter(|run| run.end.is_none() && run.seen.contains(key) && !run.done.contains(key))
                .count();
            let step = insights["steps"]
                .as_array()
                .and_then(|steps| steps.iter().find(|step| step["stepKey"] == key));
            let actual = |field: &str| step.map_or(json!(0), |step| step[field].clone());
            if insights["superseded"] == 0 && insights["abandoned"] == 0 {
                assert_eq!(actual("active"), json!(open), "step {key}: {self}");
            } else {
                assert!(actual("active").as_u64() <= Some(open as u64), "step {key}: {self}");
            }
            assert_eq!(
                [actual("seen"), actual("done"), actual("missing")],
                [seen, done, missing].map(|runs| json!(runs)),
                "step {key}: {self}"
            );
        }
    }
}
