//! The stored form of steps and start rules.
//!
//! It is separate from the schema's types because frozen revisions keep it permanently. The conversions list every
//! field, so that a new field of a step does not compile until it is stored. Missing fields get the defaults of the
//! schema's input types.

use serde::{Deserialize, Serialize};
use waypost_api::{
    Advance, AdvanceInput, AdvanceOn, Branch, Frequency, MissingTarget, Side, StartRule, StartRuleInput, Step,
    StepKind, Target, TargetBy, TextField, Translation, Trigger,
};

use super::content;
use crate::condition::StoredCondition;

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
    previous_label: Option<String>,
    done_label: Option<String>,
    missing_target: MissingTarget,
    wait_ms: i32,
    page: Option<String>,
    #[serde(default)]
    advance: StoredAdvance,
    #[serde(default)]
    branches: Vec<StoredBranch>,
    #[serde(default)]
    block_page: bool,
    #[serde(default)]
    close_on_outside_click: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    translations: Vec<StoredTranslation>,
}

#[derive(Serialize, Deserialize)]
struct StoredTarget {
    by: TargetBy,
    value: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct StoredAdvance {
    on: AdvanceOn,
    page: Option<String>,
    selector: Option<String>,
    event: Option<String>,
    delay_ms: i32,
}

impl Default for StoredAdvance {
    fn default() -> Self {
        content::advance(AdvanceInput::default()).into()
    }
}

#[derive(Serialize, Deserialize)]
struct StoredBranch {
    to: Option<String>,
    label: Option<String>,
    when: Option<StoredCondition>,
}

#[derive(Serialize, Deserialize)]
struct StoredTranslation {
    locale: String,
    field: TextField,
    source: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredStart {
    trigger: Trigger,
    event: Option<String>,
    frequency: Frequency,
    every_days: Option<i32>,
    page: Option<String>,
    when: Option<StoredCondition>,
    delay_ms: i32,
    #[serde(default = "default_priority")]
    priority: i32,
    #[serde(default)]
    ignore_cooldown: bool,
}

fn default_priority() -> i32 {
    StartRuleInput::default().priority
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
            previous_label,
            done_label,
            missing_target,
            wait_ms,
            page,
            advance,
            branches,
            block_page,
            close_on_outside_click,
            translations,
        } = step;
        Self {
            key,
            kind,
            title,
            body,
            target: target.map(|Target { by, value }| StoredTarget { by, value }),
            side,
            next_label,
            previous_label,
            done_label,
            missing_target,
            wait_ms,
            page,
            advance: advance.into(),
            branches: branches.into_iter().map(Into::into).collect(),
            block_page,
            close_on_outside_click,
            translations: translations.into_iter().map(Into::into).collect(),
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
            previous_label: stored.previous_label,
            done_label: stored.done_label,
            missing_target: stored.missing_target,
            wait_ms: stored.wait_ms,
            page: stored.page,
            advance: stored.advance.into(),
            branches: stored.branches.into_iter().map(Into::into).collect(),
            block_page: stored.block_page,
            close_on_outside_click: stored.close_on_outside_click,
            translations: stored.translations.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Advance> for StoredAdvance {
    fn from(advance: Advance) -> Self {
        let Advance {
            on,
            page,
            selector,
            event,
            delay_ms,
        } = advance;
        Self {
            on,
            page,
            selector,
            event,
            delay_ms,
        }
    }
}

impl From<StoredAdvance> for Advance {
    fn from(stored: StoredAdvance) -> Self {
        Self {
            on: stored.on,
            page: stored.page,
            selector: stored.selector,
            event: stored.event,
            delay_ms: stored.delay_ms,
        }
    }
}

impl From<Branch> for StoredBranch {
    fn from(Branch { to, label, when }: Branch) -> Self {
        Self {
            to,
            label,
            when: when.map(Into::into),
        }
    }
}

impl From<StoredBranch> for Branch {
    fn from(StoredBranch { to, label, when }: StoredBranch) -> Self {
        Self {
            to,
            label,
            when: when.map(Into::into),
        }
    }
}

impl From<Translation> for StoredTranslation {
    fn from(translation: Translation) -> Self {
        let Translation {
            locale,
            field,
            source,
            text,
        } = translation;
        Self {
            locale,
            field,
            source,
            text,
        }
    }
}

impl From<StoredTranslation> for Translation {
    fn from(stored: StoredTranslation) -> Self {
        Self {
            locale: stored.locale,
            field: stored.field,
            source: stored.source,
            text: stored.text,
        }
    }
}

impl From<StartRule> for StoredStart {
    fn from(start: StartRule) -> Self {
        let StartRule {
            trigger,
            event,
            frequency,
            every_days,
            page,
            when,
            delay_ms,
            priority,
            ignore_cooldown,
        } = start;
        Self {
            trigger,
            event,
            frequency,
            every_days,
            page,
            when: when.map(Into::into),
            delay_ms,
            priority,
            ignore_cooldown,
        }
    }
}

impl From<StoredStart> for StartRule {
    fn from(stored: StoredStart) -> Self {
        Self {
            trigger: stored.trigger,
            event: stored.event,
            frequency: stored.frequency,
            every_days: stored.every_days,
            page: stored.page,
            when: stored.when.map(Into::into),
            delay_ms: stored.delay_ms,
            priority: stored.priority,
            ignore_cooldown: stored.ignore_cooldown,
        }
    }
}
