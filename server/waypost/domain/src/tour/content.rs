use std::sync::Arc;

use traitql::Id;
use waypost_api::{
    Advance, AdvanceInput, Branch, BranchInput, Condition, StartRule, StartRuleInput, Step, StepInput, Target,
    Translation, TranslationInput,
};

use crate::condition;

#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    pub steps: Vec<Arc<Step>>,
    pub start: StartRule,
    /// `None` means the workspace's default.
    pub theme_id: Option<Id>,
    pub locales: Vec<String>,
}

impl Content {
    pub fn empty(locale: String) -> Self {
        Self {
            steps: Vec::new(),
            start: default_start(),
            theme_id: None,
            locales: vec![locale],
        }
    }
}

pub(crate) fn step(input: StepInput) -> Step {
    let StepInput {
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
        advance: advance_rule,
        branches,
        block_page,
        close_on_outside_click,
        translations,
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
        previous_label: previous_label.value(),
        done_label: done_label.value(),
        missing_target,
        wait_ms,
        page: page.value(),
        advance: advance(advance_rule),
        branches: branches.into_iter().map(branch).collect(),
        block_page,
        close_on_outside_click,
        translations: translations.into_iter().map(translation).collect(),
    }
}

pub(crate) fn advance(input: AdvanceInput) -> Advance {
    let AdvanceInput {
        on,
        page,
        selector,
        event,
        delay_ms,
    } = input;
    Advance {
        on,
        page: page.value(),
        selector: selector.value(),
        event: event.value(),
        delay_ms,
    }
}

fn branch(input: BranchInput) -> Branch {
    let BranchInput { to, label, when } = input;
    Branch {
        to: to.value(),
        label: label.value(),
        when: when.value().map(condition::from_input),
    }
}

fn translation(input: TranslationInput) -> Translation {
    let TranslationInput {
        locale,
        field,
        source,
        text,
    } = input;
    Translation {
        locale,
        field,
        source,
        text,
    }
}

pub(crate) fn start(input: StartRuleInput) -> StartRule {
    let StartRuleInput {
        trigger,
        event,
        frequency,
        every_days,
        page,
        when,
        delay_ms,
        priority,
        ignore_cooldown,
    } = input;
    StartRule {
        trigger,
        event: event.value(),
        frequency,
        every_days: every_days.value(),
        page: page.value(),
        when: when.value().map(condition::from_input),
        delay_ms,
        priority,
        ignore_cooldown,
    }
}

pub(crate) fn default_start() -> StartRule {
    start(StartRuleInput::default())
}

pub fn conditions<'c>(steps: &'c [Arc<Step>], start: &'c StartRule) -> impl Iterator<Item = &'c Condition> {
    let branches = steps.iter().flat_map(|step| &step.branches);
    branches
        .filter_map(|branch| branch.when.as_ref())
        .chain(start.when.as_ref())
}
