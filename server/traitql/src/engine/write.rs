//! From resolved rows straight to the bytes of the answer (GraphQL October 2021, sections 6.4.3 and 6.4.4).
//!
//! The writer goes through the answer from its beginning to its end, so errors come in the order of the answer, each with its own
//! path. Where a position must not be null but is, what was written of the nearest nullable position above is cut off again and
//! replaced by null; errors found before it stay.

use async_graphql::PathSegment;
use serde_json::Value;

use super::{
    complete::Located,
    data::{Data, Put},
    json,
    output::Shape,
    plan::{FieldPlan, ObjectPlan, Position, Source},
    resolve::{LevelData, PathData},
    rows::{Cells, Values},
};
use crate::{Cell, FieldError, Scalar};

/// What became of a value.
#[must_use]
pub enum Written {
    /// It is in the answer.
    Done,
    /// It is null, which is not written yet: the position decides whether it may be.
    Null,
    /// It failed, which is not reported yet.
    Failed(Box<FieldError>),
    /// A position in it must not be null but is. That is reported; the nearest nullable position above becomes null.
    Bubble,
}

impl Written {
    /// A failure.
    #[cold]
    pub fn failed(error: FieldError) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// Where a value stands: in which field, and how deep in its lists.
#[derive(Clone, Copy)]
pub struct At<'p> {
    field: &'p FieldPlan,
    position: &'p Position,
}

/// What is written of a row: the plan of its type, and what was resolved for its level.
#[derive(Clone, Copy)]
pub struct Scope<'p> {
    pub(crate) plan: &'p ObjectPlan,
    pub(crate) resolved: Option<(&'p LevelData<'p>, usize)>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Key(&'p str),
    Index(usize),
}

/// Tells callers of an error, and the log of what callers are not told. The first argument is the coordinate of the field.
pub(crate) type Tell<'p> = &'p (dyn Fn(&str, FieldError) -> FieldError + Sync);

/// Writes an answer.
pub struct Writer<'p> {
    out: Vec<u8>,
    path: Vec<Step<'p>>,
    errors: Vec<Located>,
    tell: Tell<'p>,
    /// What was said of a null, by the coordinate of the field: the log hears of it once.
    refused: Vec<(&'p str, FieldError)>,
}

impl<'p> Writer<'p> {
    /// A writer that appends to a text, and to what went wrong before.
    pub(crate) fn new((out, errors): (Vec<u8>, Vec<Located>), tell: Tell<'p>) -> Self {
        Self {
            out,
            path: Vec::new(),
            errors,
            tell,
            refused: Vec::new(),
        }
    }

    /// What was written, and what went wrong.
    pub(crate) fn finish(self) -> (Vec<u8>, Vec<Located>) {
        (self.out, self.errors)
    }

    /// Appends JSON.
    #[inline]
    pub(crate) fn raw(&mut self, json: &[u8]) {
        self.out.extend_from_slice(json);
    }

    /// Appends a text.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        json::text(&mut self.out, text);
    }

    /// Appends the name of an enum value, which holds nothing that is escaped.
    #[inline]
    pub fn name(&mut self, name: &str) -> Written {
        self.out.reserve(name.len() + 2);
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.push(b'"');
        Written::Done
    }

    #[inline]
    pub(crate) fn integer(&mut self, value: i32) {
        self.number(&value);
    }

    /// Appends a finite number.
    #[inline]
    pub(crate) fn float(&mut self, value: f64) {
        self.number(&value);
    }

    #[inline]
    fn number(&mut self, value: &impl serde::Serialize) {
        serde_json::to_writer(&mut self.out, value).expect("a number is written, and memory does not fail");
    }

    /// Appends a custom scalar that does so by itself; false where it does not.
    #[inline]
    pub(crate) fn scalar(&mut self, value: &impl Scalar) -> bool {
        value.append(&mut self.out)
    }

    /// Appends the value of a custom scalar.
    pub(crate) fn json(&mut self, value: &Value) -> Written {
        match value {
            Value::Null => return Written::Null,
            Value::String(text) => self.text(text),
            other => serde_json::to_writer(&mut self.out, other)
                .expect("a value has text keys and finite numbers, and memory does not fail"),
        }
        Written::Done
    }

    /// Appends a list whose entries `entry` writes.
    pub(crate) fn list(
        &mut self,
        entries: usize,
        at: At<'p>,
        mut entry: impl FnMut(&mut Self, usize, At<'p>) -> Written,
    ) -> Written {
        let at = At {
            position: at.position.item(),
            ..at
        };
        self.out.push(b'[');
        self.path.push(Step::Index(0));
        let depth = self.path.len();
        for index in 0..entries {
            if index > 0 {
                self.out.push(b',');
                if let Some(last) = self.path.last_mut() {
                    *last = Step::Index(index);
                }
            }
            let mark = self.out.len();
            let written = entry(self, index, at);
            if !matches!(written, Written::Done) {
                if self.settle(written, at, mark).is_err() {
                    return Written::Bubble;
                }
                self.path.truncate(depth);
            }
        }
        self.path.pop();
        self.out.push(b']');
        Written::Done
    }

    /// Appends an object below which nothing has to be asked of a resolver. An empty name stands for the type with which the
    /// field is declared.
    pub fn object<T: Data>(&mut self, type_name: &'static str, row: &T, at: At<'p>) -> Written {
        let plans = &at.field.inline;
        let plan = match &plans[..] {
            [only] => Some(only),
            several => several.iter().find(|plan| plan.type_name == type_name),
        };
        match plan {
            Some(plan) => self.fields(row, Scope { plan, resolved: None }),
            None => Written::failed(FieldError::internal(format!(
                "an object of the type {type_name} where the schema says {}",
                at.field.ty
            ))),
        }
    }

    /// Appends the fields of a row.
    pub(crate) fn fields<T: Data>(&mut self, row: &T, scope: Scope<'p>) -> Written {
        self.out.push(b'{');
        let depth = self.path.len();
        for field in &scope.plan.fields {
            field.lead.append(&mut self.out);
            let mark = self.out.len();
            let at = At {
                field,
                position: &field.position,
            };
            let written = match &field.source {
                Source::Leaf(number) => {
                    let written = row.visit(*number, Put { to: self, at });
                    if matches!(written, Written::Done) {
                        continue;
                    }
                    self.path.push(Step::Key(&field.key));
                    written
                }
                Source::Name => {
                    self.out.extend_from_slice(&scope.plan.quoted_name);
                    continue;
                }
                Source::Inline(number) => {
                    self.path.push(Step::Key(&field.key));
                    row.visit(*number, Put { to: self, at })
                }
                Source::Column { path, entry } => {
                    self.path.push(Step::Key(&field.key));
                    match scope.resolved {
                        Some((level, row)) => self.cell(&level.paths[*path], *entry, row, at),
                        None => Written::failed(FieldError::internal("a field was planned and not resolved")),
                    }
                }
            };
            if !matches!(written, Written::Done) && self.settle(written, at, mark).is_err() {
                return Written::Bubble;
            }
            self.path.truncate(depth);
        }
        self.out.push(b'}');
        Written::Done
    }

    /// Appends the value of a root field. False when it leaves no data at all.
    pub(crate) fn root(&mut self, field: &'p FieldPlan, path: &'p PathData<'p>) -> bool {
        let mark = self.out.len();
        let at = At {
            field,
            position: &field.position,
        };
        self.path.push(Step::Key(&field.key));
        let written = self.cell(path, 0, 0, at);
        matches!(written, Written::Done) || self.settle(written, at, mark).is_ok()
    }

    /// Appends a field that was resolved, for one row.
    fn cell(&mut self, path: &'p PathData<'p>, entry: usize, row: usize, at: At<'p>) -> Written {
        let column = &path.columns[entry];
        let cell = match &column.cells {
            Cells::Each => return self.value(path, entry, row, at),
            Cells::All(cell) => cell,
            Cells::Mixed(cells) => &cells[row],
        };
        match cell {
            Cell::Row(row) => self.value(path, entry, *row as usize, at),
            Cell::Rows { start, end } => {
                let start = *start as usize;
                let count = *end as usize - start;
                self.list(count, at, |to, index, at| to.value(path, entry, start + index, at))
            }
            Cell::Null => Written::Null,
            Cell::Failed(error) => self.told(error),
        }
    }

    fn value(&mut self, path: &'p PathData<'p>, entry: usize, value: usize, at: At<'p>) -> Written {
        let column = &path.columns[entry];
        match &column.values {
            Values::Leaves(leaves) => leaves.write(value, self, at),
            Values::Objects(part) => self.row(path, column.moved[*part as usize], value),
            Values::Shapes(shapes) => self.shape(path, entry, &shapes[value], at),
        }
    }

    fn shape(&mut self, path: &'p PathData<'p>, entry: usize, shape: &'p Shape, at: At<'p>) -> Written {
        match shape {
            Shape::Null => Written::Null,
            Shape::Failed(error) => self.told(error),
            Shape::Leaf(value) => self.json(value),
            Shape::List(entries) => self.list(entries.len(), at, |to, index, at| {
                to.shape(path, entry, &entries[index], at)
            }),
            Shape::Object(place) => {
                let column = &path.columns[entry];
                let (part, row) = column.places[*place as usize];
                self.row(path, column.moved[part as usize], row as usize)
            }
        }
    }

    /// Appends a row of the level below a path. `group` and `offset` say where the rows of the column went.
    fn row(&mut self, path: &'p PathData<'p>, (group, offset): (u32, u32), row: usize) -> Written {
        path.below.write(group as usize, offset as usize + row, self)
    }

    /// Reports a failure that callers and the log have been told of.
    #[cold]
    fn told(&mut self, error: &FieldError) -> Written {
        self.report(error.clone());
        Written::Bubble
    }

    /// Decides what a position becomes that was not simply written.
    #[cold]
    fn settle(&mut self, written: Written, at: At<'p>, mark: usize) -> Result<(), Bubble> {
        match written {
            Written::Done => return Ok(()),
            Written::Null if at.position.non_null => {
                let error = self.refusal(at.field);
                self.report(error);
            }
            Written::Null | Written::Bubble => {}
            Written::Failed(error) => {
                let error = (self.tell)(&at.field.coordinate, *error);
                self.report(error);
            }
        }
        if at.position.non_null {
            // The path stays as long as it is: who takes the failure cuts it.
            return Err(Bubble);
        }
        self.out.truncate(mark);
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn refusal(&mut self, field: &'p FieldPlan) -> FieldError {
        let known = self.refused.iter().find(|(of, _)| *of == &*field.coordinate);
        if let Some((_, error)) = known {
            return error.clone();
        }
        let problem = FieldError::internal(format!("null where the schema says {}", field.ty));
        let error = (self.tell)(&field.coordinate, problem);
        self.refused.push((&field.coordinate, error.clone()));
        error
    }

    fn report(&mut self, error: FieldError) {
        let path = self.path.iter().map(|step| match step {
            Step::Key(key) => PathSegment::Field((*key).to_owned()),
            Step::Index(at) => PathSegment::Index(*at),
        });
        let path = path.collect();
        self.errors.push(Located { path, error });
    }
}

/// A position that must not be null would be.
struct Bubble;
