//! What is wrong with an input: everything at once, each with its place.

use serde_json::{Value, json};

/// One thing that is wrong with an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where: the argument, then fields and positions from 0: `input.steps.2.title`.
    pub path: String,
    /// What is wrong, in words that follow the path: `must not be empty`.
    pub problem: String,
    /// Which rule: `required`, `type`, `enum`, `length`, `count`, `range` or `format`.
    pub rule: &'static str,
}

impl Violation {
    /// As it stands in `extensions.violations` of an answer.
    pub fn to_json(&self) -> Value {
        json!({ "path": self.path, "problem": self.problem, "rule": self.rule })
    }
}

/// Violations in the making: knows where in the input it is. Cheap while nothing is wrong.
#[derive(Debug, Default)]
pub struct Findings {
    path: Vec<Segment>,
    violations: Vec<Violation>,
}

#[derive(Debug, Clone, Copy)]
enum Segment {
    Field(&'static str),
    Entry(usize),
}

/// More than this many violations help nobody; a request must not be answered with megabytes of them.
const MOST: usize = 100;

impl Findings {
    /// Goes to a field and back.
    pub fn field<R>(&mut self, name: &'static str, look: impl FnOnce(&mut Self) -> R) -> R {
        self.at(Segment::Field(name), look)
    }

    /// Goes to an entry of a list and back.
    pub fn entry<R>(&mut self, position: usize, look: impl FnOnce(&mut Self) -> R) -> R {
        self.at(Segment::Entry(position), look)
    }

    fn at<R>(&mut self, segment: Segment, look: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(segment);
        let result = look(self);
        self.path.pop();
        result
    }

    /// Notes that something is wrong here.
    pub fn violation(&mut self, rule: &'static str, problem: impl Into<String>) {
        if self.violations.len() < MOST {
            let path = self.path.iter().map(|segment| match segment {
                Segment::Field(name) => (*name).to_owned(),
                Segment::Entry(position) => position.to_string(),
            });
            let path = path.collect::<Vec<_>>().join(".");
            self.violations.push(Violation {
                path,
                problem: problem.into(),
                rule,
            });
        }
    }

    /// What was found.
    pub fn into_violations(self) -> Vec<Violation> {
        self.violations
    }
}
