//! What keeps a draft from being released, and what would make it better. The sentences are those of the error catalogue.

use std::collections::HashSet;

use traitql::Code;
use waypost_api::{ErrorCode, Problem, Severity, Step, StepKind, errors};

/// Longer texts are read by few people.
const LONG_BODY: usize = 400;
/// Longer tours are finished by few people.
const MANY_STEPS: usize = 7;

/// The problems of a tour's steps: blockers first, then warnings, each in the order of the steps.
pub(crate) fn problems(steps: &[Step]) -> Vec<Problem> {
    let mut found = Vec::new();
    if steps.is_empty() {
        found.push(problem(Severity::Blocker, None, errors::EmptyTour {}));
    }
    let mut keys = HashSet::new();
    for step in steps {
        if step.kind == StepKind::Spotlight && step.target.is_none() {
            let error = errors::TargetRequired {
                step: step.title.clone(),
            };
            found.push(problem(Severity::Blocker, Some(step), error));
        }
        if !keys.insert(step.key.as_str()) {
            let error = errors::DuplicateStepKey { key: step.key.clone() };
            found.push(problem(Severity::Blocker, Some(step), error));
        }
    }
    for step in steps.iter().filter(|step| step.body.chars().count() > LONG_BODY) {
        let error = errors::LongBody {
            step: step.title.clone(),
        };
        found.push(problem(Severity::Warning, Some(step), error));
    }
    if steps.len() > MANY_STEPS {
        let count = steps.len().to_string();
        found.push(problem(Severity::Warning, None, errors::ManySteps { count }));
    }
    found
}

/// Refuses a release as long as there are blockers.
pub(crate) fn releasable(steps: &[Step]) -> Result<(), errors::HasBlockers> {
    let blockers: Vec<Problem> = problems(steps)
        .into_iter()
        .filter(|problem| problem.severity == Severity::Blocker)
        .collect();
    match blockers.first() {
        None => Ok(()),
        Some(first) => Err(errors::HasBlockers {
            count: blockers.len().to_string(),
            first: first.message.clone(),
        }),
    }
}

fn problem(severity: Severity, step: Option<&Step>, error: impl Code) -> Problem {
    let error = error.into_field_error();
    Problem {
        severity,
        code: ErrorCode::from_graphql(error.code).expect("the codes of generated errors are those of the catalogue"),
        step_key: step.map(|step| step.key.clone()),
        message: error.message,
    }
}
