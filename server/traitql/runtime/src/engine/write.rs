//! Writes resolved rows directly as response bytes (GraphQL October 2021, sections 6.4.3 and 6.4.4).
//!
//! Null propagation is a truncation: every nullable position remembers the length of the output before its value, and
//! a null in a non-null position below cuts it back and writes `null`. Errors that were reported before stay.

use async_graphql::PathSegment;
use serde_json::Value;

use super::{
    data::{Data, WriteField},
    json,
    output::Shape,
    plan::{FieldPlan, Nullability, ObjectPlan, Source},
    resolve::{LevelData, PathData},
    response::Located,
    rows::{Cells, Values},
};
use crate::{Cell, FieldError, Scalar};

/// Outcome of writing a value.
#[must_use]
pub enum Written {
    /// The value has been written.
    Done,
    /// The value is null. Nothing has been written.
    Null,
    /// The value failed. The error is not yet reported.
    Failed(Box<FieldError>),
    /// A non-null position in the value is null. The error is reported; the nearest nullable position above becomes
    /// null.
    Bubble,
}

impl Written {
    /// Returns the outcome of a failure.
    #[cold]
    pub fn failed(error: FieldError) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// The field, and the depth within its lists.
#[derive(Clone, Copy)]
pub struct Position<'p> {
    field: &'p FieldPlan,
    nullability: &'p Nullability,
}

/// The plan of a row's type, and the data of its level.
#[derive(Clone, Copy)]
pub struct RowContext<'p> {
    pub(crate) plan: &'p ObjectPlan,
    pub(crate) resolved: Option<(&'p LevelData<'p>, usize)>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Key(&'p str),
    Index(usize),
}

/// The first argument is the field's coordinate.
pub(crate) type ReportInternal<'p> = &'p (dyn Fn(&str, FieldError) -> FieldError + Sync);

/// Writes a response.
pub struct Writer<'p> {
    out: Vec<u8>,
    path: Vec<Step<'p>>,
    errors: Vec<Located>,
    report_internal: ReportInternal<'p>,
    /// Errors by coordinate, so that each field is logged once per response.
    null_errors: Vec<(&'p str, FieldError)>,
}

impl<'p> Writer<'p> {
    pub(crate) fn new((out, errors): (Vec<u8>, Vec<Located>), report_internal: ReportInternal<'p>) -> Self {
        Self {
            out,
            path: Vec::new(),
            errors,
            report_internal,
            null_errors: Vec::new(),
        }
    }

    pub(crate) fn finish(self) -> (Vec<u8>, Vec<Located>) {
        (self.out, self.errors)
    }

    #[inline]
    pub(crate) fn raw(&mut self, json: &[u8]) {
        self.out.extend_from_slice(json);
    }

    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        json::text(&mut self.out, text);
    }

    /// Appends the name of an enum value. Names need no escaping.
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

    #[inline]
    pub(crate) fn float(&mut self, value: f64) {
        self.number(&value);
    }

    #[inline]
    fn number(&mut self, value: &impl serde::Serialize) {
        serde_json::to_writer(&mut self.out, value).expect("a finite number can always be serialized into memory");
    }

    /// Appends a custom scalar that implements [`Scalar::append`]; returns false if it does not.
    #[inline]
    pub(crate) fn scalar(&mut self, value: &impl Scalar) -> bool {
        value.append(&mut self.out)
    }

    pub(crate) fn json(&mut self, value: &Value) -> Written {
        match value {
            Value::Null => return Written::Null,
            Value::String(text) => self.text(text),
            other => serde_json::to_writer(&mut self.out, other)
                .expect("a JSON value has string keys and finite numbers, so it can always be serialized into memory"),
        }
        Written::Done
    }

    pub(crate) fn list(
        &mut self,
        entries: usize,
        at: Position<'p>,
        mut entry: impl FnMut(&mut Self, usize, Position<'p>) -> Written,
    ) -> Written {
        let at = Position {
            nullability: at.nullability.item(),
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
                if self.complete(written, at, mark).is_err() {
                    return Written::Bubble;
                }
                self.path.truncate(depth);
            }
        }
        self.path.pop();
        self.out.push(b']');
        Written::Done
    }

    /// Appends an object below which no field requires a resolver. An empty name is the declared type of the field.
    pub fn object<T: Data>(&mut self, type_name: &'static str, row: &T, at: Position<'p>) -> Written {
        let plans = &at.field.inline;
        let plan = match &plans[..] {
            [only] => Some(only),
            several => several.iter().find(|plan| plan.type_name == type_name),
        };
        match plan {
            Some(plan) => self.fields(row, RowContext { plan, resolved: None }),
            None => Written::failed(FieldError::internal(format!(
                "got an object of type {type_name} in a field of type {}",
                at.field.ty
            ))),
        }
    }

    pub(crate) fn fields<T: Data>(&mut self, row: &T, context: RowContext<'p>) -> Written {
        self.out.push(b'{');
        let depth = self.path.len();
        for field in &context.plan.fields {
            field.key_prefix.append(&mut self.out);
            let mark = self.out.len();
            let at = Position {
                field,
                nullability: &field.nullability,
            };
            let written = match &field.source {
                Source::Leaf(number) => {
                    // Leaves are by far the most common fields: their key is pushed onto the path only for an error.
                    let written = row.visit(*number, WriteField { to: self, at });
                    if matches!(written, Written::Done) {
                        continue;
                    }
                    self.path.push(Step::Key(&field.key));
                    written
                }
                Source::Name => {
                    self.out.extend_from_slice(&context.plan.quoted_name);
                    continue;
                }
                Source::Inline(number) => {
                    self.path.push(Step::Key(&field.key));
                    row.visit(*number, WriteField { to: self, at })
                }
                Source::Column { path, entry } => {
                    self.path.push(Step::Key(&field.key));
                    match context.resolved {
                        Some((level, row)) => self.cell(&level.paths[*path], *entry, row, at),
                        None => Written::failed(FieldError::internal("a planned field was not resolved")),
                    }
                }
            };
            if !matches!(written, Written::Done) && self.complete(written, at, mark).is_err() {
                return Written::Bubble;
            }
            self.path.truncate(depth);
        }
        self.out.push(b'}');
        Written::Done
    }

    /// Returns false if the response has no data because of the field.
    pub(crate) fn root(&mut self, field: &'p FieldPlan, path: &'p PathData<'p>) -> bool {
        let mark = self.out.len();
        let at = Position {
            field,
            nullability: &field.nullability,
        };
        self.path.push(Step::Key(&field.key));
        let written = self.cell(path, 0, 0, at);
        matches!(written, Written::Done) || self.complete(written, at, mark).is_ok()
    }

    fn cell(&mut self, path: &'p PathData<'p>, entry: usize, row: usize, at: Position<'p>) -> Written {
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
            Cell::Failed(error) => self.fail(error),
        }
    }

    fn value(&mut self, path: &'p PathData<'p>, entry: usize, value: usize, at: Position<'p>) -> Written {
        let column = &path.columns[entry];
        match &column.values {
            Values::Leaves(leaves) => leaves.write(value, self, at),
            Values::Objects(part) => self.row(path, column.moved[*part as usize], value),
            Values::Shapes(shapes) => self.shape(path, entry, &shapes[value], at),
        }
    }

    fn shape(&mut self, path: &'p PathData<'p>, entry: usize, shape: &'p Shape, at: Position<'p>) -> Written {
        match shape {
            Shape::Null => Written::Null,
            Shape::Failed(error) => self.fail(error),
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

    /// `group` received the rows of the column, `offset` is the number of rows that were in the group before.
    fn row(&mut self, path: &'p PathData<'p>, (group, offset): (u32, u32), row: usize) -> Written {
        path.below.write(group as usize, offset as usize + row, self)
    }

    /// Expects an error that has been logged and redacted.
    #[cold]
    fn fail(&mut self, error: &FieldError) -> Written {
        self.report(error.clone());
        Written::Bubble
    }

    /// `mark` is the length of the output before the value. Returns `Err` if the position is non-null, so that null
    /// propagates to the parent.
    #[cold]
    fn complete(&mut self, written: Written, at: Position<'p>, mark: usize) -> Result<(), NullBubble> {
        match written {
            Written::Done => return Ok(()),
            Written::Null if at.nullability.non_null => {
                let error = self.null_error(at.field);
                self.report(error);
            }
            Written::Null | Written::Bubble => {}
            Written::Failed(error) => {
                let error = (self.report_internal)(&at.field.coordinate, *error);
                self.report(error);
            }
        }
        if at.nullability.non_null {
            // The nearest nullable ancestor truncates the path together with the output.
            return Err(NullBubble);
        }
        self.out.truncate(mark);
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn null_error(&mut self, field: &'p FieldPlan) -> FieldError {
        let known = self.null_errors.iter().find(|(of, _)| *of == &*field.coordinate);
        if let Some((_, error)) = known {
            return error.clone();
        }
        let problem = FieldError::internal(format!("got null in a field of type {}", field.ty));
        let error = (self.report_internal)(&field.coordinate, problem);
        self.null_errors.push((&field.coordinate, error.clone()));
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

/// Null propagates to the nearest nullable position above.
struct NullBubble;
