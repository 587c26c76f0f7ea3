//! Limits of values: `@length`, `@count`, `@range`, `@depth` and `@format`, checked before any resolver is called.
//!
//! The generated `Check` of an argument or input names each limit once; which of them apply to null, to a field that was left
//! out, or to each entry of a list is decided here. What fits and what is said is `traitql-rules`.

use std::borrow::Cow;

use serde_json::Value;
use traitql_rules::Format;

use crate::{
    Id, Patch, Scalar,
    violation::{Findings, Violation},
};

/// A type with limits.
pub trait Check {
    /// Notes every limit that is not kept.
    fn check(&self, at: &mut Findings);
}

/// Checks the arguments of a field.
pub fn check<T: Check>(arguments: &T) -> Result<(), Vec<Violation>> {
    let mut findings = Findings::default();
    arguments.check(&mut findings);
    let violations = findings.into_violations();
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

impl<T: Check> Check for Option<T> {
    fn check(&self, at: &mut Findings) {
        if let Some(value) = self {
            value.check(at);
        }
    }
}

impl<T: Check> Check for Patch<T> {
    fn check(&self, at: &mut Findings) {
        if let Patch::Set(value) = self {
            value.check(at);
        }
    }
}

impl<T: Check> Check for Vec<T> {
    fn check(&self, at: &mut Findings) {
        for (position, value) in self.iter().enumerate() {
            at.entry(position, |at| value.check(at));
        }
    }
}

impl<T: Check> Check for Box<T> {
    fn check(&self, at: &mut Findings) {
        (**self).check(at);
    }
}

/// The scalars in a value: itself, what is inside of an option, or the entries of a list.
pub trait Scalars {
    /// Visits each scalar at its place.
    fn each(&self, at: &mut Findings, visit: &mut dyn FnMut(&dyn Leaf, &mut Findings));
}

/// A scalar as limits see it.
pub trait Leaf {
    /// Its text, if it is one.
    fn text(&self) -> Option<Cow<'_, str>>;
    /// Its number, if it is one.
    fn number(&self) -> Option<f64>;
}

impl<T: Scalar> Leaf for T {
    fn text(&self) -> Option<Cow<'_, str>> {
        match self.write() {
            Value::String(text) => Some(text.into()),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        self.write().as_f64()
    }
}

impl Leaf for String {
    fn text(&self) -> Option<Cow<'_, str>> {
        Some(self.into())
    }

    fn number(&self) -> Option<f64> {
        None
    }
}

impl Leaf for Id {
    fn text(&self) -> Option<Cow<'_, str>> {
        Some(self.as_str().into())
    }

    fn number(&self) -> Option<f64> {
        None
    }
}

impl Leaf for i32 {
    fn text(&self) -> Option<Cow<'_, str>> {
        None
    }

    fn number(&self) -> Option<f64> {
        Some((*self).into())
    }
}

impl Leaf for f64 {
    fn text(&self) -> Option<Cow<'_, str>> {
        None
    }

    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl<T: Leaf> Scalars for T {
    fn each(&self, at: &mut Findings, visit: &mut dyn FnMut(&dyn Leaf, &mut Findings)) {
        visit(self, at);
    }
}

impl<T: Scalars> Scalars for Option<T> {
    fn each(&self, at: &mut Findings, visit: &mut dyn FnMut(&dyn Leaf, &mut Findings)) {
        if let Some(value) = self {
            value.each(at, visit);
        }
    }
}

impl<T: Scalars> Scalars for Patch<T> {
    fn each(&self, at: &mut Findings, visit: &mut dyn FnMut(&dyn Leaf, &mut Findings)) {
        if let Patch::Set(value) = self {
            value.each(at, visit);
        }
    }
}

impl<T: Scalars> Scalars for Vec<T> {
    fn each(&self, at: &mut Findings, visit: &mut dyn FnMut(&dyn Leaf, &mut Findings)) {
        for (position, value) in self.iter().enumerate() {
            at.entry(position, |at| value.each(at, visit));
        }
    }
}

/// How objects stand in each other in a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Nesting {
    /// How many levels of objects there are: none where there is no object, one for an object without others inside.
    pub levels: usize,
    /// How many of the objects hold no other.
    pub leaves: usize,
}

impl Nesting {
    /// An object with these inside.
    pub fn around<const N: usize>(inside: [Self; N]) -> Self {
        let inside = inside.into_iter().fold(Self::default(), Self::beside);
        Self {
            levels: 1 + inside.levels,
            leaves: inside.leaves.max(1),
        }
    }

    fn beside(self, other: Self) -> Self {
        Self {
            levels: self.levels.max(other.levels),
            leaves: self.leaves + other.leaves,
        }
    }
}

/// A value that holds input objects, which may hold others.
pub trait Levels {
    /// How they stand in each other.
    fn nesting(&self) -> Nesting;

    /// Visits each object that is not inside of another, at its place.
    fn each_nesting(&self, at: &mut Findings, visit: &mut dyn FnMut(Nesting, &mut Findings)) {
        visit(self.nesting(), at);
    }
}

impl<T: Levels> Levels for Option<T> {
    fn nesting(&self) -> Nesting {
        self.as_ref().map(Levels::nesting).unwrap_or_default()
    }

    fn each_nesting(&self, at: &mut Findings, visit: &mut dyn FnMut(Nesting, &mut Findings)) {
        if let Some(value) = self {
            value.each_nesting(at, visit);
        }
    }
}

impl<T: Levels> Levels for Patch<T> {
    fn nesting(&self) -> Nesting {
        self.as_ref().value().map(Levels::nesting).unwrap_or_default()
    }

    fn each_nesting(&self, at: &mut Findings, visit: &mut dyn FnMut(Nesting, &mut Findings)) {
        if let Patch::Set(value) = self {
            value.each_nesting(at, visit);
        }
    }
}

impl<T: Levels> Levels for Vec<T> {
    fn nesting(&self) -> Nesting {
        self.iter()
            .map(Levels::nesting)
            .fold(Nesting::default(), Nesting::beside)
    }

    fn each_nesting(&self, at: &mut Findings, visit: &mut dyn FnMut(Nesting, &mut Findings)) {
        for (position, value) in self.iter().enumerate() {
            at.entry(position, |at| value.each_nesting(at, visit));
        }
    }
}

impl<T: Levels> Levels for Box<T> {
    fn nesting(&self) -> Nesting {
        (**self).nesting()
    }
}

/// A value that may be a list.
pub trait Entries {
    /// How many entries it has; `None` when there is no list.
    fn entries(&self) -> Option<usize>;
}

impl<T> Entries for Vec<T> {
    fn entries(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl<T: Entries> Entries for Option<T> {
    fn entries(&self) -> Option<usize> {
        self.as_ref()?.entries()
    }
}

impl<T: Entries> Entries for Patch<T> {
    fn entries(&self) -> Option<usize> {
        self.as_ref().value()?.entries()
    }
}

impl Findings {
    /// `@length`: how many characters (Unicode code points) a text may have.
    pub fn length(&mut self, name: &'static str, value: &impl Scalars, min: usize, max: usize) {
        self.each(name, value, |leaf, at| {
            at.note(
                "length",
                leaf.text().and_then(|text| traitql_rules::length(&text, min, max)),
            );
        });
    }

    /// `@range`: between which bounds a number must be.
    pub fn range(&mut self, name: &'static str, value: &impl Scalars, min: Option<f64>, max: Option<f64>) {
        self.each(name, value, |leaf, at| {
            at.note(
                "range",
                leaf.number().and_then(|number| traitql_rules::range(number, min, max)),
            );
        });
    }

    /// `@format`: a named form that a text must have.
    pub fn format(&mut self, name: &'static str, value: &impl Scalars, format: Format) {
        self.each(name, value, |leaf, at| {
            let broken = leaf.text().is_some_and(|text| !format.fits(&text));
            at.note("format", broken.then(|| format.problem().to_owned()));
        });
    }

    /// `@count`: how many entries a list may have.
    pub fn count(&mut self, name: &'static str, value: &impl Entries, min: usize, max: usize) {
        let problem = value
            .entries()
            .and_then(|entries| traitql_rules::count(entries, min, max));
        self.field(name, |at| at.note("count", problem));
    }

    /// `@depth`: how many levels of objects a value may have, and how many that hold no other.
    pub fn depth(&mut self, name: &'static str, value: &impl Levels, max: usize, leaves: Option<usize>) {
        self.field(name, |at| {
            value.each_nesting(at, &mut |nesting, at| {
                let wide = || leaves.and_then(|most| traitql_rules::leaves(nesting.leaves, most));
                at.note("depth", traitql_rules::depth(nesting.levels, max).or_else(wide));
            });
        });
    }

    fn note(&mut self, rule: &'static str, problem: Option<String>) {
        if let Some(problem) = problem {
            self.violation(rule, problem);
        }
    }

    /// The limits inside of an input object.
    pub fn nested(&mut self, name: &'static str, value: &impl Check) {
        self.field(name, |at| value.check(at));
    }

    fn each(&mut self, name: &'static str, value: &impl Scalars, mut visit: impl FnMut(&dyn Leaf, &mut Self)) {
        self.field(name, |at| value.each(at, &mut visit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Step {
        title: String,
        labels: Option<Vec<String>>,
        wait: Patch<i32>,
    }

    impl Check for Step {
        fn check(&self, at: &mut Findings) {
            at.length("title", &self.title, 1, 5);
            at.count("labels", &self.labels, 1, 2);
            at.format("labels", &self.labels, Format::Slug);
            at.range("wait", &self.wait, Some(0.0), Some(0.5));
        }
    }

    struct Args {
        input: Vec<Step>,
    }

    impl Check for Args {
        fn check(&self, at: &mut Findings) {
            at.nested("input", &self.input);
        }
    }

    #[test]
    fn all_limits_are_checked_at_once_each_at_its_place() {
        let step = |title: &str, labels: &[&str], wait| Step {
            title: title.to_owned(),
            labels: Some(labels.iter().map(|&label| label.to_owned()).collect()),
            wait,
        };
        let args = Args {
            input: vec![
                step("äöüß!", &["ok"], Patch::Clear),
                step("", &["a", "b b", "cc"], Patch::Set(1)),
            ],
        };
        let found: Vec<_> = check(&args)
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(|v| format!("{}: {}", v.path, v.problem))
            .collect();
        insta::assert_debug_snapshot!(found, @r#"
        [
            "input.1.title: must not be empty",
            "input.1.labels: must have at most 2 entries",
            "input.1.labels.0: must be 2 to 40 lowercase letters, digits and single hyphens, starting with a letter",
            "input.1.labels.1: must be 2 to 40 lowercase letters, digits and single hyphens, starting with a letter",
            "input.1.wait: must be between 0 and 0.5",
        ]
        "#);
        assert_eq!(
            check(&Step {
                title: "a".into(),
                labels: None,
                wait: Patch::Keep
            }),
            Ok(())
        );
    }
}
