//! Texts of steps in the further languages of a tour.
//!
//! A translation keeps its original: a change of the original makes it outdated, and it identifies a branch label,
//! because branches have no key and can be reordered.

use std::{collections::HashSet, sync::Arc};

use traitql::{Code, Patch};
use waypost_api::{BranchInput, Problem, Severity, Step, StepInput, StepKind, TextField, Translation, errors};

use super::{content::Content, problem::problem};

/// Returns the texts that visitors see and that are not empty.
fn texts(step: &Step) -> Vec<(TextField, &str)> {
    if step.kind == StepKind::Wait {
        return Vec::new();
    }
    let fields = [
        (TextField::Title, Some(&step.title)),
        (TextField::Body, Some(&step.body)),
        (TextField::NextLabel, step.next_label.as_ref()),
        (TextField::PreviousLabel, step.previous_label.as_ref()),
        (TextField::DoneLabel, step.done_label.as_ref()),
    ];
    let labels = step.branches.iter().filter_map(|branch| branch.label.as_ref());
    let mut seen = HashSet::new();
    let labels = labels.filter(|label| seen.insert(*label));
    let labels: Vec<_> = labels.map(|label| (TextField::BranchLabel, Some(label))).collect();
    let all = fields.into_iter().chain(labels);
    all.filter_map(|(field, text)| Some((field, text?.as_str())))
        .filter(|(_, text)| !text.trim().is_empty())
        .collect()
}

/// Checks a translation with the constraints that the schema declares for its original.
fn text_violation(field: TextField, text: &str) -> Option<String> {
    let text = text.to_owned();
    let violations = if field == TextField::BranchLabel {
        let label = BranchInput {
            label: Patch::Set(text),
            ..BranchInput::default()
        };
        traitql::check(&label)
    } else {
        let mut step = StepInput::new("key".to_owned(), "Title".to_owned());
        match field {
            TextField::Title => step.title = text,
            TextField::Body => step.body = text,
            TextField::NextLabel => step.next_label = Patch::Set(text),
            TextField::PreviousLabel => step.previous_label = Patch::Set(text),
            TextField::DoneLabel | TextField::BranchLabel => step.done_label = Patch::Set(text),
        }
        traitql::check(&step)
    };
    Some(violations.err()?.swap_remove(0).problem.to_string())
}

/// Checks that languages are unique and that translations are into one of them, unique, and not too long.
pub fn check(content: &Content) -> Result<(), errors::InvalidInput> {
    let mut locales = HashSet::new();
    for (at, locale) in content.locales.iter().enumerate() {
        if !locales.insert(locale.to_ascii_lowercase()) {
            let problem = format!("the tour already has the language `{locale}`");
            return Err(invalid(format!("locales[{at}]"), problem));
        }
    }
    let targets = content.locales.get(1..).unwrap_or_default();
    for (step_at, step) in content.steps.iter().enumerate() {
        let mut seen = HashSet::new();
        for (at, translation) in step.translations.iter().enumerate() {
            let Translation {
                locale,
                field,
                source,
                text,
            } = translation;
            let path = |name: &str| format!("steps[{step_at}].translations[{at}].{name}");
            if !targets.contains(locale) {
                let problem = format!("`{locale}` is not a language into which `locales` translates this tour");
                return Err(invalid(path("locale"), problem));
            }
            let label = (*field == TextField::BranchLabel).then_some(source);
            if !seen.insert((locale, field, label)) {
                let problem = format!("the step has two translations of this text into `{locale}`");
                return Err(invalid(path("field"), problem));
            }
            if let Some(problem) = text_violation(*field, text) {
                return Err(invalid(path("text"), problem));
            }
        }
    }
    Ok(())
}

fn invalid(field: String, problem: String) -> errors::InvalidInput {
    errors::InvalidInput { field, problem }
}

/// Returns at most one warning per language for missing translations, and one for outdated ones.
pub fn problems(steps: &[Arc<Step>], locales: &[String]) -> Vec<Problem> {
    let mut found = Vec::new();
    for locale in locales.iter().skip(1) {
        let (mut missing, mut outdated) = (Texts::default(), Texts::default());
        for step in steps {
            for (field, original) in texts(step) {
                let mut translations = step.translations.iter();
                let translation = translations.find(|translation| {
                    translation.locale == *locale
                        && translation.field == field
                        && (field != TextField::BranchLabel || translation.source == original)
                });
                match translation {
                    None => missing.add(step),
                    Some(translation) if translation.source != original => outdated.add(step),
                    Some(_) => {}
                }
            }
        }
        let (locale, count) = (locale.clone(), missing.count.to_string());
        found.extend(missing.warning(
            &locale,
            errors::TranslationsMissing {
                locale: locale.clone(),
                count,
            },
        ));
        let count = outdated.count.to_string();
        found.extend(outdated.warning(
            &locale,
            errors::TranslationsOutdated {
                locale: locale.clone(),
                count,
            },
        ));
    }
    found
}

#[derive(Default)]
struct Texts<'a> {
    count: usize,
    first: Option<&'a Step>,
}

impl<'a> Texts<'a> {
    fn add(&mut self, step: &'a Step) {
        self.count += 1;
        self.first.get_or_insert(step);
    }

    fn warning(&self, locale: &str, error: impl Code) -> Option<Problem> {
        let step = self.first?;
        Some(Problem {
            locale: Some(locale.to_owned()),
            ..problem(Severity::Warning, Some(step), error)
        })
    }
}

#[cfg(test)]
mod tests {
    use waypost_api::Branch;

    use super::*;
    use crate::{testing::step, tour::content};

    fn translation(locale: &str, field: TextField, source: &str, text: &str) -> Translation {
        Translation {
            locale: locale.to_owned(),
            field,
            source: source.to_owned(),
            text: text.to_owned(),
        }
    }

    fn branch(label: &str) -> Branch {
        Branch {
            to: None,
            label: Some(label.to_owned()),
            when: None,
        }
    }

    fn content(locales: &[&str], translations: &[Translation]) -> Content {
        let mut step = content::step(step("a"));
        step.translations = translations.to_vec();
        Content {
            steps: vec![step.into()],
            locales: locales.iter().map(|locale| (*locale).to_owned()).collect(),
            ..Content::empty(String::new())
        }
    }

    #[test]
    fn translations_are_into_a_language_of_the_tour_once_and_not_too_long() {
        let title = |locale: &str, text: &str| translation(locale, TextField::Title, "Step a", text);
        let refused = |content: &Content| check(content).map_err(|error| format!("{}: {}", error.field, error.problem));
        assert_eq!(
            refused(&content(&["en", "de"], &[title("de", &"é".repeat(80))])),
            Ok(())
        );
        assert_eq!(
            refused(&content(&["en", "de", "EN"], &[])),
            Err("locales[2]: the tour already has the language `EN`".to_owned())
        );
        for locale in ["en", "fr"] {
            assert_eq!(
                refused(&content(&["en", "de"], &[title(locale, "x")])),
                Err(format!(
                    "steps[0].translations[0].locale: `{locale}` is not a language into which `locales` translates this tour"
                ))
            );
        }
        assert_eq!(
            refused(&content(&["en", "de"], &[title("de", "x"), title("de", "y")])),
            Err("steps[0].translations[1].field: the step has two translations of this text into `de`".to_owned())
        );
        assert_eq!(
            refused(&content(&["en", "de"], &[title("de", &"é".repeat(81))])),
            Err("steps[0].translations[0].text: must have at most 80 characters".to_owned())
        );
        let label = |source: &str| translation("de", TextField::BranchLabel, source, "x");
        assert_eq!(refused(&content(&["en", "de"], &[label("Yes"), label("No")])), Ok(()));
    }

    #[test]
    fn missing_and_outdated_translations_are_warnings_for_each_language() {
        let warnings = |content: &Content| -> Vec<(String, Option<String>, Option<String>)> {
            let found = problems(&content.steps, &content.locales).into_iter();
            found
                .inspect(|problem| assert_eq!(problem.severity, Severity::Warning))
                .map(|problem| (problem.message, problem.locale, problem.step_key))
                .collect()
        };
        let mut draft = content(
            &["en", "de", "fr"],
            &[
                translation("de", TextField::Title, "An older title", "Schritt a"),
                translation("de", TextField::BranchLabel, "Yes", "Ja"),
            ],
        );
        let step = Arc::make_mut(&mut draft.steps[0]);
        step.branches = vec![branch("Yep"), branch("Yep")];
        let line = |message: &str, locale: &str| (message.to_owned(), Some(locale.to_owned()), Some("a".to_owned()));
        assert_eq!(
            warnings(&draft),
            [
                line(
                    "Texts not translated into de: 1. Visitors see the original texts.",
                    "de"
                ),
                line(
                    "Outdated translations into de: 1. The original texts have changed; check the translations.",
                    "de"
                ),
                line(
                    "Texts not translated into fr: 2. Visitors see the original texts.",
                    "fr"
                ),
            ]
        );
        Arc::make_mut(&mut draft.steps[0]).branches = vec![branch("Yes")];
        Arc::make_mut(&mut draft.steps[0]).title = "An older title".to_owned();
        draft.locales.truncate(2);
        assert_eq!(warnings(&draft), []);
        Arc::make_mut(&mut draft.steps[0]).kind = StepKind::Wait;
        draft.locales.push("fr".to_owned());
        assert_eq!(warnings(&draft), [], "a wait is invisible");
    }
}
