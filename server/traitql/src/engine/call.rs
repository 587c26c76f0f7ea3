//! What generated code sees of an execution: one field, its parents, and ways to answer.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Instant,
};

use apollo_compiler::{Node, executable::Field};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use serde_json::{Map, Value};

use super::{
    Wiring,
    blueprint::Blueprint,
    catalogue::Catalogue,
    coerce,
    collect::{Collector, Selected},
    output::{Output, Shape},
    plan::Asked,
    prepare::Prepared,
    rows::{Cells, Column, RowSet, Values},
    selection::{Selection, Within},
};
use crate::{
    Batch, Check, Ctx, FieldError, Grant, Id, Input, Level, Many, One, SignedIn, Viewer, Violation,
    guard::Guards,
    input,
    rate::{Rate, Rates, address_key},
    rules, viewer,
};

/// What all requests share.
pub(crate) struct Shared<W: Wiring> {
    pub(crate) blueprint: Blueprint,
    pub(crate) resolvers: Arc<W::Schema>,
    pub(crate) rates: Arc<Rates>,
}

/// One request.
pub(crate) struct Session<W: Wiring> {
    pub(crate) shared: Arc<Shared<W>>,
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) cx: Ctx,
    pub(crate) variables: Arc<Map<String, Value>>,
    pub(crate) guards: Guards<W::Role>,
}

impl<W: Wiring> Session<W> {
    pub(crate) fn blueprint(&self) -> &Blueprint {
        &self.shared.blueprint
    }

    pub(crate) fn catalogue(&self) -> Catalogue {
        Catalogue(W::SENTENCES)
    }

    /// Logs what callers are not told, and says what they are.
    pub(crate) fn told(&self, coordinate: &str, error: FieldError) -> FieldError {
        if error.code == "INTERNAL" {
            let (request_id, cause) = (self.cx.request_id(), error.cause.as_deref().unwrap_or_default());
            tracing::error!(request_id, coordinate, cause, "a field failed");
        }
        self.catalogue().told(error, self.cx.request_id())
    }

    /// What is selected below some fields of the document.
    pub(crate) fn selection(&self, nodes: &[Node<Field>]) -> Selection {
        let within = Within {
            prepared: Arc::clone(&self.prepared),
            variables: Arc::clone(&self.variables),
        };
        Selection::new(&within, nodes)
    }

    pub(crate) fn collector(&self) -> Collector<'_> {
        Collector {
            blueprint: &self.shared.blueprint,
            document: &self.prepared.document,
            variables: &self.variables,
        }
    }
}

/// The answer of a field: there already, or to be waited for.
pub enum Answer<'c> {
    /// Data of the parents.
    Now(Column),
    /// A resolver has to be asked.
    Later(BoxFuture<'c, Column>),
}

/// The events of a subscription, each as a column of one row.
pub type EventColumns = BoxStream<'static, Result<Column, FieldError>>;

/// One field of all objects of a level.
pub struct Call<'c, W: Wiring> {
    session: &'c Session<W>,
    cx: Ctx,
    parent: &'static str,
    /// The first selection of the field: all others have the same arguments.
    node: &'c Node<Field>,
    /// The arguments as an object, where they are known beforehand.
    constant: Option<&'c Value>,
    parents: usize,
}

impl<'c, W: Wiring> Call<'c, W> {
    pub(crate) fn new(session: &'c Session<W>, parent: &'static str, selected: &'c Selected, parents: usize) -> Self {
        Self {
            session,
            cx: session.cx.selecting(Arc::new(session.selection(&selected.nodes))),
            parent,
            node: &selected.nodes[0],
            constant: None,
            parents,
        }
    }

    pub(crate) fn planned(session: &'c Session<W>, parent: &'static str, asked: &'c Asked, parents: usize) -> Self {
        Self {
            session,
            cx: session.cx.selecting(Arc::clone(&asked.selection)),
            parent,
            node: &asked.node,
            constant: asked.constant.as_ref(),
            parents,
        }
    }

    /// Name of the parents' type.
    pub fn parent(&self) -> &'static str {
        self.parent
    }

    /// Name of the field.
    pub fn field(&self) -> &'c str {
        &self.node.name
    }

    /// The request, and what it selects below the field.
    pub fn cx(&self) -> &Ctx {
        &self.cx
    }

    /// The resolvers.
    pub fn resolvers(&self) -> &'c W::Schema {
        &self.session.shared.resolvers
    }

    /// All parents as a batch.
    pub fn batch<P>(&self, rows: &'c [P]) -> Batch<'c, P> {
        Batch::__row(rows)
    }

    /// The arguments, coerced to the types of the schema, with defaults filled in.
    pub fn arguments(&self) -> Result<Map<String, Value>, FieldError> {
        if let Some(Value::Object(constant)) = self.constant {
            return Ok(constant.clone());
        }
        let definition = self.session.blueprint().field(self.parent, self.field());
        let definition = definition.expect("validation has found every field of the document in the schema");
        let schema = &self.session.blueprint().schema;
        coerce::arguments(schema, &definition.arguments, self.node, &self.session.variables)
            .map_err(|problems| self.session.catalogue().invalid(&problems))
    }

    /// The arguments in the form of the generated code, and within the limits of the schema.
    pub fn read<T: Input + Check>(&self, arguments: Map<String, Value>) -> Result<T, FieldError> {
        self.read_object(&Value::Object(arguments))
    }

    fn read_object<T: Input + Check>(&self, arguments: &Value) -> Result<T, FieldError> {
        let invalid = |violations: Vec<Violation>| self.session.catalogue().invalid(&violations);
        let read: T = input::read(arguments).map_err(invalid)?;
        rules::check(&read).map_err(invalid)?;
        Ok(read)
    }

    /// Asks a resolver with its arguments, once they are read and within the limits of the schema.
    pub async fn given<A, T>(
        &self,
        ask: impl FnOnce(A) -> BoxFuture<'c, Result<T, FieldError>>,
    ) -> Result<T, FieldError>
    where
        A: Input + Check,
    {
        let arguments = match self.constant {
            Some(constant) => self.read_object(constant)?,
            None => self.read(self.arguments()?)?,
        };
        ask(arguments).await
    }

    /// The argument at a path, for what is decided before all arguments are checked.
    pub fn at<T: Input>(&self, arguments: &Map<String, Value>, path: &[&str]) -> Result<T, FieldError> {
        input::read(found(arguments, path)).map_err(|mut violations| {
            for violation in &mut violations {
                violation.path = path.join(".");
            }
            self.session.catalogue().invalid(&violations)
        })
    }

    /// A root field. Below a field that answers with the root itself there may be several parents; a root knows nothing that
    /// tells them apart, so the field is asked once and all of them share its value.
    pub fn value<T, F>(&'c self, ask: F) -> Answer<'c>
    where
        T: Output,
        F: Future<Output = Result<T, FieldError>> + Send + 'c,
    {
        self.column(ask, |value, rows| {
            let (cell, values) = value.cell(rows);
            (Cells::All(cell), values)
        })
    }

    /// A field that has at most one value per parent.
    pub fn one<T, F>(&'c self, ask: F) -> Answer<'c>
    where
        T: Output,
        F: Future<Output = Result<One<'c, T>, FieldError>> + Send + 'c,
    {
        self.column(ask, |one, rows| {
            let (values, cells) = one.__into_parts();
            (Cells::Mixed(cells), T::values(values, rows))
        })
    }

    /// A field that has a list per parent.
    pub fn many<T, F>(&'c self, ask: F) -> Answer<'c>
    where
        T: Output,
        F: Future<Output = Result<Many<'c, T>, FieldError>> + Send + 'c,
    {
        self.column(ask, |many, rows| {
            let (values, cells) = many.__into_parts();
            (Cells::Mixed(cells), T::values(values, rows))
        })
    }

    /// A field in the most general form: `take` makes one shape per parent.
    pub fn shapes<T, F>(&'c self, ask: F, take: impl FnOnce(T, &mut RowSet) -> Vec<Shape> + Send + 'c) -> Answer<'c>
    where
        T: Send + 'c,
        F: Future<Output = Result<T, FieldError>> + Send + 'c,
    {
        self.column(ask, |value, rows| (Cells::Each, Values::Shapes(take(value, rows))))
    }

    fn column<T, F>(&'c self, ask: F, take: impl FnOnce(T, &mut RowSet) -> (Cells, Values) + Send + 'c) -> Answer<'c>
    where
        T: Send + 'c,
        F: Future<Output = Result<T, FieldError>> + Send + 'c,
    {
        Answer::Later(Box::pin(async move {
            let column = self.watched(ask).await.and_then(|value| taken(value, take));
            let column = column.and_then(|column| self.complete(column));
            column.unwrap_or_else(Column::failed)
        }))
    }

    /// The events of a subscription field.
    pub async fn events<T, E, F>(&self, ask: F) -> Result<EventColumns, FieldError>
    where
        T: Output,
        E: Into<FieldError> + 'static,
        F: Future<Output = Result<BoxStream<'static, Result<T, E>>, FieldError>> + Send,
    {
        let events = AssertUnwindSafe(self.watched(ask).await?).catch_unwind();
        let columns = events.map(move |event| {
            let value = event.map_err(panicked)?.map_err(Into::into)?;
            taken(value, |value: T, rows| {
                let (cell, values) = value.cell(rows);
                (Cells::All(cell), values)
            })
        });
        Ok(columns.boxed())
    }

    /// Who calls. `ask` is awaited at most once per request.
    pub async fn account(&self, ask: impl Future<Output = Result<Id, FieldError>>) -> Result<Id, FieldError> {
        if self.cx().principal().is_none() {
            return Err(self.session.catalogue().error("UNAUTHENTICATED", &[]));
        }
        self.session.guards.account(ask).await
    }

    /// The proof that somebody is signed in.
    pub fn signed_in(&self, account: &Id) -> Viewer<SignedIn> {
        viewer::signed_in(account.clone())
    }

    /// The proof that the caller has the role `L` on the subject `kind` that `key` identifies. `ask` is awaited at most once
    /// per request and subject. `thing` is the subject in words, `role` the name of the role.
    pub async fn viewer<L: Level<Role = W::Role>>(
        &self,
        account: &Id,
        (kind, key): (&'static str, &str),
        (thing, role): (&str, &str),
        ask: impl Future<Output = Result<Option<Grant<W::Role>>, FieldError>>,
    ) -> Result<Viewer<L>, FieldError> {
        let catalogue = self.session.catalogue();
        match self.session.guards.grant(kind, key, ask).await? {
            None => Err(catalogue.error("NOT_FOUND", &[("thing", thing)])),
            Some(grant) => {
                viewer::granted(account.clone(), grant).ok_or_else(|| catalogue.error("FORBIDDEN", &[("role", role)]))
            }
        }
    }

    /// Counts the call against a limit. `caller` tells callers apart; without one the network address does.
    pub fn rate(&self, rate: Rate, caller: Option<&str>) -> Result<(), FieldError> {
        let address = || self.cx().address().map_or_else(String::new, address_key);
        let caller = caller.map_or_else(address, str::to_owned);
        self.session
            .shared
            .rates
            .check(rate, &caller, Instant::now())
            .map_err(|seconds| {
                self.session
                    .catalogue()
                    .error("RATE_LIMITED", &[("seconds", &seconds.to_string())])
            })
    }

    /// A field that generated code does not know: the schema and the code are of different versions.
    pub fn unknown(&self) -> Answer<'c> {
        let error = FieldError::internal("the generated code does not know this field");
        Answer::Now(Column::failed(error))
    }

    /// Turns a panic into a failure of the field: one mistake in one resolver costs one field, not the connection.
    async fn watched<T>(&self, ask: impl Future<Output = Result<T, FieldError>>) -> Result<T, FieldError> {
        match AssertUnwindSafe(ask).catch_unwind().await {
            Ok(result) => result,
            Err(panic) => Err(panicked(panic)),
        }
    }

    /// A resolver answers for each of its parents; a column from elsewhere must not shift answers to other parents.
    fn complete(&self, column: Column) -> Result<Column, FieldError> {
        match column.len() {
            Some(answers) if answers != self.parents => Err(FieldError::internal(format!(
                "{answers} answers for {} parents",
                self.parents
            ))),
            _ => Ok(column),
        }
    }

    /// Logs what callers are not told, and puts the sentence for callers in its place.
    pub(crate) fn reported(&self, mut column: Column) -> Column {
        // One failure of a resolver fails all its parents: it is logged once.
        let mut last: Option<(FieldError, FieldError)> = None;
        column.failures(|error| {
            if error.code == "INTERNAL" {
                let told = match last.take() {
                    Some((known, told)) if known == *error => told,
                    _ => self.told(error.clone()),
                };
                last = Some((std::mem::replace(error, told.clone()), told));
            }
        });
        column
    }

    /// Logs what callers are not told.
    pub(crate) fn told(&self, error: FieldError) -> FieldError {
        match error.code {
            "INTERNAL" => self.session.told(&format!("{}.{}", self.parent, self.field()), error),
            _ => error,
        }
    }
}

/// The value at a path of the arguments; null where there is none.
fn found<'v>(arguments: &'v Map<String, Value>, path: &[&str]) -> &'v Value {
    let Some((first, rest)) = path.split_first() else {
        return &Value::Null;
    };
    let start = arguments.get(*first).unwrap_or(&Value::Null);
    rest.iter()
        .fold(start, |value, name| value.get(*name).unwrap_or(&Value::Null))
}

/// What tells callers apart when a limit counts by an argument.
pub fn caller_key(arguments: &Map<String, Value>, path: &[&str]) -> String {
    match found(arguments, path) {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Takes a value apart.
fn taken<T>(value: T, take: impl FnOnce(T, &mut RowSet) -> (Cells, Values)) -> Result<Column, FieldError> {
    let take = || {
        let mut rows = RowSet::default();
        let (cells, values) = take(value, &mut rows);
        Column { cells, values, rows }
    };
    catch_unwind(AssertUnwindSafe(take)).map_err(panicked)
}

/// What a panic says, for the log.
pub(crate) fn panicked(panic: Box<dyn std::any::Any + Send>) -> FieldError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    FieldError::internal(format!("a panic: {}", text.unwrap_or("without a text")))
}
