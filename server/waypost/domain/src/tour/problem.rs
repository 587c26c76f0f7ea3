//! Blockers prevent a release, warnings do not. The messages are those of the schema's errors.

use std::{collections::HashSet, sync::Arc};

use traitql::Code;
use url::Url;
use waypost_api::{
    AdvanceOn, ErrorCode, Frequency, Problem, Severity, StartRule, Step, StepKind, TargetBy, Trigger, errors,
};

use super::{reachability::reachable, selector::is_selector, store::MissingElement};

/// Few visitors read longer texts.
const MAX_BODY_CHARS: usize = 400;
/// The maximum number of characters in a message.
const MAX_MARKUP_CHARS: usize = 80;
/// Few visitors complete longer tours.
const MAX_STEPS: usize = 7;

/// Blockers first, then warnings, each by step and then of the start rule.
pub fn problems(steps: &[Arc<Step>], start: &StartRule) -> Vec<Problem> {
    let mut found = Problems::default();
    if steps.is_empty() {
        found.block(None, errors::EmptyTour {});
    }
    let reachable = reachable(steps);
    let keys: HashSet<&str> = steps.iter().map(|step| step.key.as_str()).collect();
    let mut seen = HashSet::new();
    for (at, step) in steps.iter().enumerate() {
        check_target(&mut found, step);
        if !seen.insert(step.key.as_str()) {
            found.block(Some(step), errors::DuplicateStepKey { key: step.key.clone() });
        }
        check_advance(&mut found, step);
        for key in step.branches.iter().filter_map(|branch| branch.to.as_ref()) {
            if !keys.contains(key.as_str()) {
                let (step_name, key) = (step.title.clone(), key.clone());
                found.block(Some(step), errors::BranchUnknownStep { step: step_name, key });
            }
        }
        if !reachable[at] {
            found.block(
                Some(step),
                errors::UnreachableStep {
                    step: step.title.clone(),
                },
            );
        }
        if step.body.chars().count() > MAX_BODY_CHARS {
            found.warn(
                Some(step),
                errors::LongBody {
                    step: step.title.clone(),
                },
            );
        }
        check_markup(&mut found, step);
        if at > 0 && steps[at - 1].advance.on == AdvanceOn::Page && step.target.is_some() && step.page.is_none() {
            found.warn(
                Some(step),
                errors::PageMissing {
                    step: step.title.clone(),
                },
            );
        }
    }
    if steps.len() > MAX_STEPS {
        let count = steps.len().to_string();
        found.warn(None, errors::ManySteps { count });
    }
    if start.trigger == Trigger::Event && start.event.is_none() {
        found.block(None, errors::StartEventMissing {});
    }
    if start.trigger != Trigger::Manual && start.frequency == Frequency::EveryNDays && start.every_days.is_none() {
        found.block(None, errors::EveryDaysMissing {});
    }
    found.into_sorted()
}

/// Returns a warning for each step of a draft that live revisions have, too, and whose element is missing there.
///
/// A step whose target was changed has no warning, so that the author sees that it is dealt with.
pub fn missing_elements(draft: &[Arc<Step>], missing: &[(&MissingElement, &Step)]) -> Vec<Problem> {
    let mut found = Problems::default();
    for step in draft {
        let missing = missing.iter().filter(|(_, live)| finds_same_element(live, step));
        let missing: Vec<&MissingElement> = missing.map(|(element, _)| *element).collect();
        if !missing.is_empty() {
            let mut sites: Vec<&str> = missing.iter().map(|element| element.site.as_str()).collect();
            sites.dedup();
            found.warn(
                Some(step),
                errors::ElementMissing {
                    step: step.title.clone(),
                    sites: sites.join(", "),
                    missing: missing.iter().map(|element| element.missing).sum::<i32>().to_string(),
                    seen: missing.iter().map(|element| element.seen).sum::<i32>().to_string(),
                },
            );
        }
    }
    found.into_sorted()
}

fn finds_same_element(a: &Step, b: &Step) -> bool {
    (&a.key, a.kind, &a.target, &a.page, a.wait_ms) == (&b.key, b.kind, &b.target, &b.page, b.wait_ms)
}

/// Fails if there are blockers.
pub fn releasable(steps: &[Arc<Step>], start: &StartRule) -> Result<(), errors::HasBlockers> {
    let blockers: Vec<Problem> = problems(steps, start)
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

/// Requires a valid target if the step is shown at an element or waits for a click on it.
fn check_target(found: &mut Problems, step: &Step) {
    let needs = match step.kind {
        StepKind::Spotlight | StepKind::Tooltip | StepKind::Hotspot => true,
        StepKind::Wait => step.advance.on == AdvanceOn::TargetClick,
        StepKind::Modal => false,
    };
    let name = step.title.clone();
    match &step.target {
        None if needs => found.block(Some(step), errors::TargetRequired { step: name }),
        Some(target) if needs && target.by == TargetBy::Selector && !is_selector(&target.value) => {
            let selector = target.value.clone();
            found.block(Some(step), errors::TargetSelectorInvalid { selector, step: name });
        }
        _ => {}
    }
}

fn check_markup(found: &mut Problems, step: &Step) {
    let name = step.title.clone();
    let excerpt = |mark: &str| mark.chars().take(MAX_MARKUP_CHARS).collect();
    match broken_markup(&step.body) {
        Some(BrokenMarkup::Link(mark)) => {
            found.warn(
                Some(step),
                errors::BrokenLink {
                    step: name,
                    link: excerpt(mark),
                },
            );
        }
        Some(BrokenMarkup::Image(mark)) => {
            found.warn(
                Some(step),
                errors::BrokenImage {
                    step: name,
                    image: excerpt(mark),
                },
            );
        }
        None => {}
    }
}

/// The player shows its source text (`client/embed/player/markdown.ts`).
enum BrokenMarkup<'t> {
    Link(&'t str),
    Image(&'t str),
}

/// Returns the first invalid link or image of a body.
fn broken_markup(body: &str) -> Option<BrokenMarkup<'_>> {
    body.lines().find_map(|line| {
        line.match_indices("](").find_map(|(middle, mark)| {
            let open = line[..middle].rfind('[')?;
            let before = &line[..open];
            if before.ends_with('\\') || before.matches('`').count() % 2 == 1 {
                return None;
            }
            let begin = middle + mark.len();
            let closing = line[begin..].find(')').map(|at| begin + at);
            let address = closing.map(|at| line[begin..at].trim());
            let end = closing.map_or(line.len(), |at| at + 1);
            match before.strip_suffix('!') {
                None => {
                    let leads = address.is_some_and(|address| has_scheme(address, &["https", "http", "mailto"]));
                    (!leads).then_some(BrokenMarkup::Link(&line[open..end]))
                }
                Some(outside) => {
                    let shown = outside.trim().is_empty()
                        && line[end..].trim().is_empty()
                        && !line[open + 1..middle].trim().is_empty()
                        && address.is_some_and(|address| has_scheme(address, &["https"]));
                    (!shown).then_some(BrokenMarkup::Image(&line[open - 1..end]))
                }
            }
        })
    })
}

fn has_scheme(address: &str, schemes: &[&str]) -> bool {
    Url::parse(address).is_ok_and(|url| schemes.contains(&url.scheme()))
}

fn check_advance(found: &mut Problems, step: &Step) {
    let name = || step.title.clone();
    let rule = &step.advance;
    let missing = match rule.on {
        AdvanceOn::Page => rule.page.is_none().then_some("page"),
        AdvanceOn::Element => rule.selector.is_none().then_some("element"),
        AdvanceOn::Event => rule.event.is_none().then_some("event"),
        AdvanceOn::Button | AdvanceOn::TargetClick | AdvanceOn::Delay => None,
    };
    if let Some(thing) = missing {
        let thing = thing.to_owned();
        found.block(Some(step), errors::AdvanceIncomplete { step: name(), thing });
    }
    let awaited = rule.selector.as_ref().filter(|_| rule.on == AdvanceOn::Element);
    if let Some(selector) = awaited.filter(|selector| !is_selector(selector)) {
        let (selector, step_name) = (selector.clone(), name());
        found.block(
            Some(step),
            errors::AdvanceSelectorInvalid {
                selector,
                step: step_name,
            },
        );
    }
    if step.kind == StepKind::Wait && rule.on == AdvanceOn::Button {
        found.block(Some(step), errors::WaitWithoutRule { step: name() });
    }
    let covered = match step.kind {
        StepKind::Modal => true,
        StepKind::Spotlight | StepKind::Tooltip => step.block_page,
        StepKind::Hotspot | StepKind::Wait => false,
    };
    if covered && rule.on == AdvanceOn::TargetClick {
        found.block(Some(step), errors::AdvanceImpossible { step: name() });
    }
}

#[derive(Default)]
struct Problems {
    blockers: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl Problems {
    fn block(&mut self, step: Option<&Step>, error: impl Code) {
        self.blockers.push(problem(Severity::Blocker, step, error));
    }

    fn warn(&mut self, step: Option<&Step>, error: impl Code) {
        self.warnings.push(problem(Severity::Warning, step, error));
    }

    fn into_sorted(mut self) -> Vec<Problem> {
        self.blockers.append(&mut self.warnings);
        self.blockers
    }
}

pub(super) fn problem(severity: Severity, step: Option<&Step>, error: impl Code) -> Problem {
    let error = error.into_field_error();
    Problem {
        severity,
        code: ErrorCode::from_graphql(error.code).expect("generated errors only have codes of the schema"),
        step_key: step.map(|step| step.key.clone()),
        locale: None,
        message: error.message,
    }
}
