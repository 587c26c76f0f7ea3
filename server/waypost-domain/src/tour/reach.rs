//! Which steps of a tour somebody can come to. The player goes the same ways, see `client/src/player/step-flow.ts`.

use std::{collections::HashMap, sync::Arc};

use waypost_api::{AdvanceOn, Step, StepKind};

/// For each step, whether a way leads to it from the first.
pub(super) fn reached(steps: &[Arc<Step>]) -> Vec<bool> {
    let places: HashMap<&str, usize> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| (step.key.as_str(), at))
        .collect();
    let mut reached = vec![false; steps.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let Some(step) = steps.get(at).filter(|_| !reached[at]) else {
            continue;
        };
        reached[at] = true;
        if step.kind == StepKind::Hint {
            // Hints that follow each other stand on the page together.
            open.extend(at.checked_sub(1).filter(|before| steps[*before].kind == StepKind::Hint));
        } else {
            let targets = step
                .branches
                .iter()
                .filter(|branch| is_taken(step, branch.label.as_deref()));
            open.extend(targets.filter_map(|branch| branch.to.as_deref().and_then(|to| places.get(to))));
        }
        if goes_on(step) {
            open.push(at + 1);
        }
    }
    reached
}

/// Whether the step after this one may follow it.
fn goes_on(step: &Step) -> bool {
    if step.kind == StepKind::Hint {
        return true;
    }
    let always = step.branches.iter().filter(|branch| branch.when.is_none());
    !always
        .filter(|branch| is_taken(step, branch.label.as_deref()))
        .any(|branch| branch.label.is_none() || step.advance.on == AdvanceOn::Button)
}

/// A branch with a label is a button, and a step that waits shows none.
fn is_taken(step: &Step, label: Option<&str>) -> bool {
    label.is_none() || step.kind != StepKind::Wait
}
