//! Random sequences of actions by several roles, partly concurrent, with a check of the invariants after each step.
//!
//! `WAYPOST_SEQUENCES=500` runs more sequences, and `WAYPOST_SEQUENCE=17` runs the one whose number a failure reports.

mod acts;
#[path = "../common/mod.rs"]
mod common;
mod guests;
mod invariants;
mod story;
mod visits;

use std::{collections::BTreeMap, env};

use story::Story;

const STEPS: usize = 100;

#[tokio::test]
async fn invariants_hold_after_every_step_of_any_sequence() {
    check_sequences(|| None).await;
}

#[tokio::test]
async fn invariants_hold_after_every_step_of_any_sequence_on_postgresql() {
    check_sequences(|| Some(waypost_testkit::create_database())).await;
}

/// Runs each sequence with a separate database.
async fn check_sequences(postgres: fn() -> Option<String>) {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("WAYPOST_SEQUENCE") {
        Some(seed) => seed..seed + 1,
        None => 0..number("WAYPOST_SEQUENCES").unwrap_or(16),
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
    // If every step were rejected, all invariants would hold trivially. Check that each action succeeded at least once.
    if seeds.end - seeds.start >= 16 {
        let acts = acts::CHOICES.map(|(name, _)| name);
        for action in acts.iter().chain(&guests::NAMES).chain(&["visit"]) {
            assert!(done.contains_key(action), "{action} never succeeded: {done:?}");
        }
    }
}
