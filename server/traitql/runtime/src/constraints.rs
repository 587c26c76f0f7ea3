//! Decides how constraints apply to null, to absent fields and to list entries. `traitql-constraints` has the checks
//! and their messages.

use std::borrow::Cow;

use serde_json::Value;
use traitql_constraints::{Format, Problem};

use crate::{
    Id, Patch, Scalar,
    violation::{Violation, Violations},
};

/// A type with constraints.
pub trait Check {
    /// Records every constraint that is violated.
    fn check(&self, at: &mut Violations);
}

/// Checks the arguments of a field.
pub fn check<T: Check>(arguments: &T) -> Result<(), Vec<Violation>> {
    let mut violations = Violations::default();
    arguments.check(&mut violations);
    let violations = violations.into_violations();
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

impl<T: Check> Check for Option<T> {
    fn check(&self, at: &mut Violations) {
        if let Some(value) = self {
            value.check(at);
        }
    }
}

impl<T: Check> Check for Patch<T> {
    fn check(&self, at: &mut Violations) {
        if let Patch::Set(value) = self {
            value.check(at);
        }
    }
}

impl<T: Check> Check for Vec<T> {
    fn check(&self, at: &mut Violations) {
        for (position, value) in self.iter().enumerate() {
            at.entry(position, |at| value.check(at));
        }
    }
}

impl<T: Check> Check for Box<T> {
    fn check(&self, at: &mut Violations) {
        (**self).check(at);
    }
}

/// The scalars in a value: the value itself, the content of an option, or the entries of a list.
pub trait Scalars {
    /// Calls `visit` for each scalar, with the path set to it.
    fn each(&self, at: &mut Violations, visit: &mut dyn FnMut(&dyn Leaf, &mut Violations));
}

/// The view of a scalar that constraints use.
pub trait Leaf {
    /// Returns the value if it is a string.
    fn text(&self) -> Option<Cow<'_, str>>;
    /// Returns the value if it is a number.
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
    fn each(&self, at: &mut Violations, visit: &mut dyn FnMut(&dyn Leaf, &mut Violations)) {
        visit(self, at);
    }
}

impl<T: Scalars> Scalars for Option<T> {
    fn each(&self, at: &mut Violations, visit: &mut dyn FnMut(&dyn Leaf, &mut Violations)) {
        if let Some(value) = self {
            value.each(at, visit);
        }
    }
}

impl<T: Scalars> Scalars for Patch<T> {
    fn each(&self, at: &mut Violations, visit: &mut dyn FnMut(&dyn Leaf, &mut Violations)) {
        if let Patch::Set(value) = self {
            value.each(at, visit);
        }
    }
}

impl<T: Scalars> Scalars for Vec<T> {
    fn each(&self, at: &mut Violations, visit: &mut dyn FnMut(&dyn Leaf, &mut Violations)) {
        for (position, value) in self.iter().enumerate() {
            at.entry(position, |at| value.each(at, visit));
        }
    }
}

/// Nesting of the objects in a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Nesting {
    /// Number of nested levels: 0 without objects.
    pub levels: usize,
    /// Number of innermost objects.
    pub leaves: usize,
}

impl Nesting {
    /// Returns the nesting of an object that contains these values.
    pub fn around<const N: usize>(inside: [Self; N]) -> Self {
        let inside = inside.into_iter().fold(Self::default(), Self::merge);
        Self {
            levels: 1 + inside.levels,
            leaves: inside.leaves.max(1),
        }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            levels: self.levels.max(other.levels),
            leaves: self.leaves + other.leaves,
        }
    }
}

/// A value that contains input objects.
pub trait Levels {
    /// Returns the nesting of the value.
    fn nesting(&self) -> Nesting;

    /// Calls `visit` for each outermost object, with the path set to it.
    fn each_nesting(&self, at: &mut Violations, visit: &mut dyn FnMut(Nesting, &mut Violations)) {
        visit(self.nesting(), at);
    }
}

impl<T: Levels> Levels for Option<T> {
    fn nesting(&self) -> Nesting {
        self.as_ref().map(Levels::nesting).unwrap_or_default()
    }

    fn each_nesting(&self, at: &mut Violations, visit: &mut dyn FnMut(Nesting, &mut Violations)) {
        if let Some(value) = self {
            value.each_nesting(at, visit);
        }
    }
}

impl<T: Levels> Levels for Patch<T> {
    fn nesting(&self) -> Nesting {
        self.as_ref().value().map(Levels::nesting).unwrap_or_default()
    }

    fn each_nesting(&self, at: &mut Violations, visit: &mut dyn FnMut(Nesting, &mut Violations)) {
        if let Patch::Set(value) = self {
            value.each_nesting(at, visit);
        }
    }
}

impl<T: Levels> Levels for Vec<T> {
    fn nesting(&self) -> Nesting {
        self.iter()
            .map(Levels::nesting)
            .fold(Nesting::default(), Nesting::merge)
    }

    fn each_nesting(&self, at: &mut Violations, visit: &mut dyn FnMut(Nesting, &mut Violations)) {
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
    /// Returns the number of entries, or `None` if there is no list.
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

impl Violations {
    /// Checks `@length`, in Unicode code points.
    pub fn length(&mut self, name: &'static str, value: &impl Scalars, min: usize, max: usize) {
        self.each(name, value, |leaf, at| {
            at.record(
                leaf.text()
                    .and_then(|text| traitql_constraints::length(&text, min, max)),
            );
        });
    }

    /// Checks `@range`.
    pub fn range(&mut self, name: &'static str, value: &impl Scalars, min: Option<f64>, max: Option<f64>) {
        self.each(name, value, |leaf, at| {
            at.record(
                leaf.number()
                    .and_then(|number| traitql_constraints::range(number, min, max)),
            );
        });
    }

    /// Checks `@format`.
    pub fn format(&mut self, name: &'static str, value: &impl Scalars, format: Format) {
        self.each(name, value, |leaf, at| {
            at.record(leaf.text().and_then(|text| format.check(&text)));
        });
    }

    /// Checks `@count`.
    pub fn count(&mut self, name: &'static str, value: &impl Entries, min: usize, max: usize) {
        let problem = value
            .entries()
            .and_then(|entries| traitql_constraints::count(entries, min, max));
        self.field(name, |at| at.record(problem));
    }

    /// Checks `@depth`.
    pub fn depth(&mut self, name: &'static str, value: &impl Levels, max: usize, leaves: Option<usize>) {
        self.field(name, |at| {
            value.each_nesting(at, &mut |nesting, at| {
                let too_wide = || leaves.and_then(|max| traitql_constraints::leaves(nesting.leaves, max));
                at.record(traitql_constraints::depth(nesting.levels, max).or_else(too_wide));
            });
        });
    }

    fn record(&mut self, problem: Option<Problem>) {
        if let Some(problem) = problem {
            self.violation(problem);
        }
    }

    /// Checks the constraints inside an input object.
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
        fn check(&self, at: &mut Violations) {
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
        fn check(&self, at: &mut Violations) {
            at.nested("input", &self.input);
        }
    }

    #[test]
    fn all_violations_are_reported_at_once_with_their_paths() {
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
