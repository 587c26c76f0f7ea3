//! The content of a revision: how it is compared, and how it stands in the database.
//!
//! The stored form is separate from the schema's types on purpose: frozen revisions keep it for ever, while the schema moves
//! on. The conversions name every field, so that a new field of a step does not compile until it is stored.

use serde::{Deserialize, Serialize};
use traitql::Id;
use waypost_api::{
    Frequency, MissingTarget, Side, StartRule, StartRuleInput, Step, StepInput, StepKind, Target, TargetBy, Trigger,
};

/// What a release plays.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Content {
    pub(crate) steps: Vec<Step>,
    pub(crate) start: StartRule,
    pub(crate) theme_id: Option<Id>,
}

impl Content {
    /// The content of a new tour.
    pub(crate) fn empty() -> Self {
        Self {
            steps: Vec::new(),
            start: default_start(),
            theme_id: None,
        }
    }
}

/// A step as people sent it.
pub(crate) fn step(input: StepInput) -> Step {
    let StepInput {
        key,
        kind,
        title,
        body,
        target,
        side,
        next_label,
        back_label,
        done_label,
        missing_target,
        wait_ms,
    } = input;
    Step {
        key,
        kind,
        title,
        body,
        target: target.value().map(|target| Target {
            by: target.by,
            value: target.value,
        }),
        side,
        next_label: next_label.value(),
        back_label: back_label.value(),
        done_label: done_label.value(),
        missing_target,
        wait_ms,
    }
}

/// A start rule as people sent it.
pub(crate) fn start(input: StartRuleInput) -> StartRule {
    let StartRuleInput {
        trigger,
        frequency,
        page,
        delay_ms,
    } = input;
    StartRule {
        trigger,
        frequency,
        page: page.value(),
        delay_ms,
    }
}

/// Starts by itself, once, on every page: what `StartRuleInput` says by default.
pub(crate) fn default_start() -> StartRule {
    start(StartRuleInput::default())
}

/// A step as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredStep {
    key: String,
    kind: StepKind,
    title: String,
    body: String,
    target: Option<StoredTarget>,
    side: Side,
    next_label: Option<String>,
    back_label: Option<String>,
    done_label: Option<String>,
    missing_target: MissingTarget,
    wait_ms: i32,
}

#[derive(Serialize, Deserialize)]
struct StoredTarget {
    by: TargetBy,
    value: String,
}

/// A start rule as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredStart {
    trigger: Trigger,
    frequency: Frequency,
    page: Option<String>,
    delay_ms: i32,
}

impl From<Step> for StoredStep {
    fn from(step: Step) -> Self {
        let Step {
            key,
            kind,
            title,
            body,
            target,
            side,
            next_label,
            back_label,
            done_label,
            missing_target,
            wait_ms,
        } = step;
        Self {
            key,
            kind,
            title,
            body,
            target: target.map(|Target { by, value }| StoredTarget { by, value }),
            side,
            next_label,
            back_label,
            done_label,
            missing_target,
            wait_ms,
        }
    }
}

impl From<StoredStep> for Step {
    fn from(stored: StoredStep) -> Self {
        Self {
            key: stored.key,
            kind: stored.kind,
            title: stored.title,
            body: stored.body,
            target: stored.target.map(|StoredTarget { by, value }| Target { by, value }),
            side: stored.side,
            next_label: stored.next_label,
            back_label: stored.back_label,
            done_label: stored.done_label,
            missing_target: stored.missing_target,
            wait_ms: stored.wait_ms,
        }
    }
}

impl From<StartRule> for StoredStart {
    fn from(start: StartRule) -> Self {
        let StartRule {
            trigger,
            frequency,
            page,
            delay_ms,
        } = start;
        Self {
            trigger,
            frequency,
            page,
            delay_ms,
        }
    }
}

impl From<StoredStart> for StartRule {
    fn from(stored: StoredStart) -> Self {
        Self {
            trigger: stored.trigger,
            frequency: stored.frequency,
            page: stored.page,
            delay_ms: stored.delay_ms,
        }
    }
}
