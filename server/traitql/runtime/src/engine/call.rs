//! The view of an execution that generated code receives.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Instant,
};

use apollo_compiler::{Node, executable::Field};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{
    GeneratedSchema,
    catalog::ErrorCatalog,
    coerce,
    collect::{Collector, Selected},
    output::{Output, Shape},
    plan::ResolverCall,
    prepare::Prepared,
    rows::{Cells, Column, RowSet, Rows, Values},
    schema_index::SchemaIndex,
    selection::{Selection, SelectionContext},
};
use crate::{
    AcrLevels, Authenticated, Batch, Check, Ctx, FieldError, Grant, Id, Input, Level, Many, One, SignedIn, Viewer,
    Violation, constraints,
    guard::Guards,
    input,
    rate::{RateLimit, RateLimits, address_key},
    viewer,
};

pub(crate) struct Shared<W: GeneratedSchema> {
    pub(crate) schema_index: SchemaIndex,
    pub(crate) resolvers: Arc<W::Schema>,
    pub(crate) rates: Arc<RateLimits>,
}

pub(crate) struct Execution<W: GeneratedSchema> {
    pub(crate) shared: Arc<Shared<W>>,
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) cx: Ctx,
    pub(crate) variables: Arc<Map<String, Value>>,
    pub(crate) guards: Guards<W::Role>,
}

impl<W: GeneratedSchema> Execution<W> {
    pub(crate) fn schema_index(&self) -> &SchemaIndex {
        &self.shared.schema_index
    }

    pub(crate) fn catalog(&self) -> ErrorCatalog {
        ErrorCatalog(W::ERRORS)
    }

    pub(crate) fn log_failure(&self, coordinate: &str, error: FieldError) -> FieldError {
        if !error.is_failure() {
            return error;
        }
        let (request_id, cause) = (self.cx.request_id(), error.cause.as_deref().unwrap_or_default());
        if error.code == "INTERNAL" {
            tracing::error!(request_id, coordinate, cause, "field failed");
        } else {
            tracing::error!(request_id, coordinate, cause, "outage");
        }
        self.catalog().redact(error, self.cx.request_id())
    }

    pub(crate) async fn call_resolver<'c>(&'c self, call: &'c Call<'c, W>, rows: &'c dyn Rows) -> Column {
        match catch_unwind(AssertUnwindSafe(|| W::column(rows, call))) {
            Ok(Resolution::Ready(column)) => column,
            Ok(Resolution::Pending(column)) => column.await,
            Err(panic) => Column::failed(FieldError::of_panic(panic)),
        }
    }

    pub(crate) fn selection(&self, nodes: &[Node<Field>]) -> Selection {
        let context = SelectionContext {
            prepared: Arc::clone(&self.prepared),
            variables: Arc::clone(&self.variables),
        };
        Selection::new(&context, nodes)
    }

    pub(crate) fn collector(&self) -> Collector<'_> {
        Collector {
            schema_index: &self.shared.schema_index,
            document: &self.prepared.document,
            variables: &self.variables,
        }
    }
}

/// The result of a field.
pub enum Resolution<'c> {
    /// Stored in the parents.
    Ready(Column),
    /// The future that a resolver has returned.
    Pending(BoxFuture<'c, Column>),
}

/// The events of a subscription, each as a column with one row.
pub type EventColumns = BoxStream<'static, Result<Column, FieldError>>;

/// One field of all objects of a level.
pub struct Call<'c, W: GeneratedSchema> {
    execution: &'c Execution<W>,
    cx: Ctx,
    parent: &'static str,
    /// The first selection; all others have the same arguments.
    node: &'c Node<Field>,
    /// The arguments, if they contain no variables.
    constant: Option<&'c Value>,
    parents: usize,
}

impl<'c, W: GeneratedSchema> Call<'c, W> {
    pub(crate) fn new(
        execution: &'c Execution<W>,
        parent: &'static str,
        selected: &'c Selected,
        parents: usize,
    ) -> Self {
        Self {
            execution,
            cx: execution.cx.selecting(Arc::new(execution.selection(&selected.nodes))),
            parent,
            node: &selected.nodes[0],
            constant: None,
            parents,
        }
    }

    pub(crate) fn planned(
        execution: &'c Execution<W>,
        parent: &'static str,
        resolver_call: &'c ResolverCall,
        parents: usize,
    ) -> Self {
        Self {
            execution,
            cx: execution.cx.selecting(Arc::clone(&resolver_call.selection)),
            parent,
            node: &resolver_call.node,
            constant: resolver_call.constant.as_ref(),
            parents,
        }
    }

    /// Returns the name of the parents' type.
    pub fn parent(&self) -> &'static str {
        self.parent
    }

    /// Returns the name of the field.
    pub fn field(&self) -> &'c str {
        &self.node.name
    }

    /// Returns the context of the request, with the selection below the field.
    pub fn cx(&self) -> &Ctx {
        &self.cx
    }

    /// Returns the resolvers.
    pub fn resolvers(&self) -> &'c W::Schema {
        &self.execution.shared.resolvers
    }

    /// Returns all parents.
    pub fn batch<P>(&self, rows: &'c [P]) -> Batch<'c, P> {
        Batch::__row(rows)
    }

    /// Returns the coerced arguments with defaults.
    pub fn arguments(&self) -> Result<Map<String, Value>, FieldError> {
        if let Some(Value::Object(constant)) = self.constant {
            return Ok(constant.clone());
        }
        let definition = self.execution.schema_index().field(self.parent, self.field());
        let definition = definition.expect("validation has lookup every field of the document in the schema");
        let schema = &self.execution.schema_index().schema;
        coerce::arguments(schema, &definition.arguments, self.node, &self.execution.variables)
            .map_err(|problems| self.execution.catalog().invalid(&problems))
    }

    /// Converts the arguments and checks their constraints.
    pub fn read<T: Input + Check>(&self, arguments: Map<String, Value>) -> Result<T, FieldError> {
        self.read_object(&Value::Object(arguments))
    }

    fn read_object<T: Input + Check>(&self, arguments: &Value) -> Result<T, FieldError> {
        let invalid = |violations: Vec<Violation>| self.execution.catalog().invalid(&violations);
        let read: T = input::read(arguments).map_err(invalid)?;
        constraints::check(&read).map_err(invalid)?;
        Ok(read)
    }

    /// Calls a resolver after its arguments were converted and checked.
    pub async fn with_arguments<A, T>(
        &self,
        call: impl FnOnce(A) -> BoxFuture<'c, Result<T, FieldError>>,
    ) -> Result<T, FieldError>
    where
        A: Input + Check,
    {
        let arguments = match self.constant {
            Some(constant) => self.read_object(constant)?,
            None => self.read(self.arguments()?)?,
        };
        call(arguments).await
    }

    /// Returns the argument at a path, for checks that precede validation.
    pub fn at<T: Input>(&self, arguments: &Map<String, Value>, path: &[&str]) -> Result<T, FieldError> {
        input::read(lookup(arguments, path)).map_err(|mut violations| {
            for violation in &mut violations {
                violation.path = path.join(".");
            }
            self.execution.catalog().invalid(&violations)
        })
    }

    /// Resolves a root field. Several parents, if a field returns the root type, share the value of one call.
    pub fn value<T, F>(&'c self, future: F) -> Resolution<'c>
    where
        T: Output,
        F: Future<Output = Result<T, FieldError>> + Send + 'c,
    {
        self.column(future, |value, rows| {
            let (cell, values) = value.cell(rows);
            (Cells::All(cell), values)
        })
    }

    /// Resolves a field with at most one value per parent.
    pub fn one<T, F>(&'c self, future: F) -> Resolution<'c>
    where
        T: Output,
        F: Future<Output = Result<One<'c, T>, FieldError>> + Send + 'c,
    {
        self.column(future, |one, rows| {
            let (values, cells) = one.__into_parts();
            (Cells::Mixed(cells), T::values(values, rows))
        })
    }

    /// Resolves a field with a list per parent.
    pub fn many<T, F>(&'c self, future: F) -> Resolution<'c>
    where
        T: Output,
        F: Future<Output = Result<Many<'c, T>, FieldError>> + Send + 'c,
    {
        self.column(future, |many, rows| {
            let (values, cells) = many.__into_parts();
            (Cells::Mixed(cells), T::values(values, rows))
        })
    }

    /// Resolves a field in general: `take` returns one shape per parent.
    pub fn shapes<T, F>(
        &'c self,
        future: F,
        take: impl FnOnce(T, &mut RowSet) -> Vec<Shape> + Send + 'c,
    ) -> Resolution<'c>
    where
        T: Send + 'c,
        F: Future<Output = Result<T, FieldError>> + Send + 'c,
    {
        self.column(future, |value, rows| (Cells::Each, Values::Shapes(take(value, rows))))
    }

    fn column<T, F>(
        &'c self,
        future: F,
        take: impl FnOnce(T, &mut RowSet) -> (Cells, Values) + Send + 'c,
    ) -> Resolution<'c>
    where
        T: Send + 'c,
        F: Future<Output = Result<T, FieldError>> + Send + 'c,
    {
        Resolution::Pending(Box::pin(async move {
            let column = self.catch_panic(future).await.and_then(|value| to_column(value, take));
            let column = column.and_then(|column| self.complete(column));
            column.unwrap_or_else(Column::failed)
        }))
    }

    /// Starts the stream of a subscription field.
    pub async fn events<T, E, F>(&self, future: F) -> Result<EventColumns, FieldError>
    where
        T: Output,
        E: Into<FieldError> + 'static,
        F: Future<Output = Result<BoxStream<'static, Result<T, E>>, FieldError>> + Send,
    {
        let events = AssertUnwindSafe(self.catch_panic(future).await?).catch_unwind();
        let columns = events.map(move |event| {
            let value = event.map_err(FieldError::of_panic)?.map_err(Into::into)?;
            to_column(value, |value: T, rows| {
                let (cell, values) = value.cell(rows);
                (Cells::All(cell), values)
            })
        });
        Ok(columns.boxed())
    }

    /// Returns the caller's account. Awaits `future` at most once per request.
    pub async fn account(&self, future: impl Future<Output = Result<Id, FieldError>>) -> Result<Id, FieldError> {
        if self.cx().principal().is_none() {
            return Err(self.execution.catalog().error("UNAUTHENTICATED", &[]));
        }
        self.execution.guards.account(future).await
    }

    /// Returns the proof that the caller is signed in.
    pub fn signed_in(&self, account: &Id) -> Viewer<SignedIn> {
        viewer::signed_in(account.clone())
    }

    /// Returns the proof that the caller has the role `L` on the subject. Awaits `future` at most once per request and
    /// subject. Error messages contain `thing` and `role`.
    pub async fn viewer<L: Level<Role = W::Role>>(
        &self,
        account: &Id,
        (kind, key): (&'static str, &str),
        (thing, role): (&str, &str),
        future: impl Future<Output = Result<Option<Grant<W::Role>>, FieldError>>,
    ) -> Result<Viewer<L>, FieldError> {
        let catalog = self.execution.catalog();
        match self.execution.guards.grant(kind, key, future).await? {
            None => Err(catalog.error("NOT_FOUND", &[("thing", thing)])),
            Some(grant) => {
                viewer::granted(account.clone(), grant).ok_or_else(|| catalog.error("FORBIDDEN", &[("role", role)]))
            }
        }
    }

    /// Checks that the caller has authenticated within the last `max_age` seconds (`@auth(maxAge:)`), and with the
    /// level `acr` (`@auth(acr:)`). The error contains both requirements.
    pub fn authenticated(&self, max_age: Option<u32>, acr: Option<&str>) -> Result<(), FieldError> {
        let (authenticated, levels) = match self.cx().principal() {
            Some(principal) => (principal.authenticated, &principal.acr_levels),
            None => (Authenticated::Unknown, &AcrLevels::Unknown),
        };
        let is_recent = max_age.is_none_or(|seconds| authenticated.is_within(seconds, Timestamp::now()));
        if is_recent && acr.is_none_or(|level| levels.has_reached(level)) {
            return Ok(());
        }
        let seconds = max_age.filter(|_| authenticated != Authenticated::Unchecked);
        let acr_values = acr
            .and_then(|name| levels.find(name))
            .map(|level| level.acr_values.join(" "));
        let slots = [
            ("seconds", seconds.map(|seconds| seconds.to_string())),
            ("acr", acr_values),
        ];
        let known: Vec<_> = slots
            .iter()
            .filter_map(|(name, value)| Some((*name, value.as_deref()?)))
            .collect();
        let error = self.execution.catalog().error("STEP_UP_REQUIRED", &known);
        // Set even if the message does not contain them, because the response's challenge and clients need them.
        Err(known
            .iter()
            .fold(error, |error, (name, value)| error.slot(name, *value)))
    }

    /// Counts the call against a rate limit. Callers without `caller` are distinguished by network address.
    pub fn rate(&self, rate: RateLimit, caller: Option<&str>) -> Result<(), FieldError> {
        let address = || self.cx().address().map_or_else(String::new, address_key);
        let caller = caller.map_or_else(address, str::to_owned);
        self.execution
            .shared
            .rates
            .check(rate, &caller, Instant::now())
            .map_err(|seconds| {
                self.execution
                    .catalog()
                    .error("RATE_LIMITED", &[("seconds", &seconds.to_string())])
            })
    }

    /// Fails a field that the generated code lacks: schema and code are of different versions.
    pub fn unknown(&self) -> Resolution<'c> {
        let error = FieldError::internal("the generated code has no such field");
        Resolution::Ready(Column::failed(error))
    }

    /// Turns a panic into an error of the field, so that a bug in one resolver fails one field.
    async fn catch_panic<T>(&self, future: impl Future<Output = Result<T, FieldError>>) -> Result<T, FieldError> {
        match AssertUnwindSafe(future).catch_unwind().await {
            Ok(result) => result,
            Err(panic) => Err(FieldError::of_panic(panic)),
        }
    }

    /// A wrong count would assign results to the wrong parents.
    fn complete(&self, column: Column) -> Result<Column, FieldError> {
        match column.len() {
            Some(results) if results != self.parents => Err(FieldError::internal(format!(
                "the resolver returned {results} results for {} parents",
                self.parents
            ))),
            _ => Ok(column),
        }
    }

    pub(crate) fn reported(&self, mut column: Column) -> Column {
        // An error of a resolver fails all parents, so equal consecutive errors are logged once.
        let mut last: Option<(FieldError, FieldError)> = None;
        column.failures(|error| {
            if error.is_failure() {
                let redacted = match last.take() {
                    Some((previous, redacted)) if previous == *error => redacted,
                    _ => self.log_failure(error.clone()),
                };
                last = Some((std::mem::replace(error, redacted.clone()), redacted));
            }
        });
        column
    }

    pub(crate) fn log_failure(&self, error: FieldError) -> FieldError {
        if !error.is_failure() {
            return error;
        }
        let coordinate = format!("{}.{}", self.parent, self.field());
        self.execution.log_failure(&coordinate, error)
    }
}

fn lookup<'v>(arguments: &'v Map<String, Value>, path: &[&str]) -> &'v Value {
    let Some((first, rest)) = path.split_first() else {
        return &Value::Null;
    };
    let start = arguments.get(*first).unwrap_or(&Value::Null);
    rest.iter()
        .fold(start, |value, name| value.get(*name).unwrap_or(&Value::Null))
}

/// Returns the key of a rate limit by an argument.
pub fn argument_key(arguments: &Map<String, Value>, path: &[&str]) -> String {
    match lookup(arguments, path) {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn to_column<T>(value: T, take: impl FnOnce(T, &mut RowSet) -> (Cells, Values)) -> Result<Column, FieldError> {
    let take = || {
        let mut rows = RowSet::default();
        let (cells, values) = take(value, &mut rows);
        Column { cells, values, rows }
    };
    catch_unwind(AssertUnwindSafe(take)).map_err(FieldError::of_panic)
}
