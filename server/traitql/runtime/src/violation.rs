//! Violations of an input, with their paths.

use serde_json::{Value, json};
use traitql_constraints::Problem;

/// One violation in an argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// Argument, field names and zero-based list indices: `input.steps.2.title`.
    pub path: String,
    /// The violated rule. Its message follows the path: `must not be empty`.
    pub problem: Problem,
}

impl Violation {
    /// Returns the entry of `extensions.violations` in a response.
    pub fn to_json(&self) -> Value {
        let Self { path, problem } = self;
        json!({ "path": path, "problem": problem.to_string(), "rule": problem.rule(), "params": problem.params() })
    }
}

/// Collects violations while an input is traversed. Valid input formats nothing.
#[derive(Debug, Default)]
pub struct Violations {
    path: Vec<Segment>,
    violations: Vec<Violation>,
}

#[derive(Debug, Clone, Copy)]
enum Segment {
    Field(&'static str),
    Entry(usize),
}

/// More are of no use to a client.
const MAX_VIOLATIONS: usize = 100;

impl Violations {
    /// Calls `look` below a field.
    pub fn field<R>(&mut self, name: &'static str, look: impl FnOnce(&mut Self) -> R) -> R {
        self.at(Segment::Field(name), look)
    }

    /// Calls `look` below a list index.
    pub fn entry<R>(&mut self, position: usize, look: impl FnOnce(&mut Self) -> R) -> R {
        self.at(Segment::Entry(position), look)
    }

    fn at<R>(&mut self, segment: Segment, look: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(segment);
        let result = look(self);
        self.path.pop();
        result
    }

    /// Records a violation at the current path.
    pub fn violation(&mut self, problem: Problem) {
        if self.violations.len() < MAX_VIOLATIONS {
            let path = self.path.iter().map(|segment| match segment {
                Segment::Field(name) => (*name).to_owned(),
                Segment::Entry(position) => position.to_string(),
            });
            let path = path.collect::<Vec<_>>().join(".");
            self.violations.push(Violation { path, problem });
        }
    }

    /// Returns the recorded violations.
    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }
}
