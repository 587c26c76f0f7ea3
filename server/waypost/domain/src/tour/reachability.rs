//! Reachability of steps. Must match the flow of the player in `client/embed/player/step-flow.ts`.

use std::{collections::HashMap, sync::Arc};

use waypost_api::{AdvanceOn, Step, StepKind};

pub(super) fn reachable(steps: &[Arc<Step>]) -> Vec<bool> {
    let indices: HashMap<&str, usize> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| (step.key.as_str(), at))
        .collect();
    let mut reachable = vec![false; steps.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let Some(step) = steps.get(at).filter(|_| !reachable[at]) else {
            continue;
        };
        reachable[at] = true;
        if step.kind == StepKind::Hotspot {
            // Consecutive hotspots are shown together, so reaching one of them reaches all.
            open.extend(
                at.checked_sub(1)
                    .filter(|before| steps[*before].kind == StepKind::Hotspot),
            );
        } else {
            let targets = step
                .branches
                .iter()
                .filter(|branch| is_taken(step, branch.label.as_deref()));
            open.extend(targets.filter_map(|branch| branch.to.as_deref().and_then(|to| indices.get(to))));
        }
        if falls_through(step) {
            open.push(at + 1);
        }
    }
    reachable
}

/// True if the next step can follow.
fn falls_through(step: &Step) -> bool {
    if step.kind == StepKind::Hotspot {
        return true;
    }
    let always = step.branches.iter().filter(|branch| branch.when.is_none());
    !always
        .filter(|branch| is_taken(step, branch.label.as_deref()))
        .any(|branch| branch.label.is_none() || step.advance.on == AdvanceOn::Button)
}

/// A branch with a label is a button, and wait steps have no buttons.
fn is_taken(step: &Step, label: Option<&str>) -> bool {
    label.is_none() || step.kind != StepKind::Wait
}
