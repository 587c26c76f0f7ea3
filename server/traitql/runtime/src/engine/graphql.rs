//! Root types for async-graphql, which calls the root fields, concurrently for queries and sequentially for mutations,
//! and runs the streams of subscriptions.
//!
//! Below them [`level`](super::level) takes over: batches need all siblings of a level at once, and async-graphql
//! visits a fragment again for each spread, so that one kilobyte can keep it busy for minutes.

use std::{
    borrow::Cow,
    marker::PhantomData,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use async_graphql::{
    ContainerType, Context, ContextSelectionSet, Name, ObjectType, OutputType, PathSegment, Pos, Positioned, Request,
    Response, Schema, ServerError, ServerResult, SubscriptionType, ValidationMode, Value,
    parser::types::{
        DocumentOperations, ExecutableDocument, Field, OperationDefinition, OperationType, Selection, SelectionSet,
    },
    registry::{MetaTypeId, ObjectBuilder, Registry},
    resolver_utils::resolve_container,
};
use futures_util::{Stream, StreamExt, stream};
use indexmap::IndexMap;

use super::{
    GeneratedSchema,
    call::{Call, Execution},
    collect::Selected,
    complete::{NullBubble, complete},
    response::Located,
    rows::Column,
};
use crate::FieldError;

pub(crate) type Graphql<W> = Schema<Query<W>, Mutation<W>, Subscription<W>>;

pub(crate) const STARTED: &str = "started";

pub(crate) struct Query<W>(PhantomData<fn() -> W>);

pub(crate) struct Mutation<W>(PhantomData<fn() -> W>);

pub(crate) struct Subscription<W>(PhantomData<fn() -> W>);

pub(crate) struct Run<W: GeneratedSchema> {
    pub(crate) execution: Execution<W>,
    /// Root fields by response key, in response order.
    pub(crate) roots: IndexMap<String, Selected>,
    /// The failures below each root field.
    failures: Mutex<Vec<Failures>>,
}

#[derive(Default)]
struct Failures {
    errors: Vec<Located>,
    /// True if a non-null root field is null, so the response has no data.
    fatal: bool,
}

/// Only has the names of the root types. apollo-compiler does validation and introspection, because async-graphql's
/// introspection lacks, for instance, interfaces of interfaces.
pub(crate) fn schema<W: GeneratedSchema>() -> Graphql<W> {
    Schema::build(Query(PhantomData), Mutation(PhantomData), Subscription(PhantomData))
        .validation_mode(ValidationMode::Fast)
        .disable_suggestions()
        .finish()
}

pub(crate) fn request<W: GeneratedSchema>(run: &Arc<Run<W>>, kind: OperationType) -> Request {
    let at = Pos::default();
    let named = |name: &str| Positioned::new(Name::new(name), at);
    let fields = run
        .roots
        .iter()
        .filter(|(_, root)| !root.is_introspection())
        .map(|(key, root)| {
            let field = Field {
                alias: Some(named(key)),
                name: named(root.name()),
                arguments: Vec::new(),
                directives: Vec::new(),
                selection_set: Positioned::default(),
            };
            Positioned::new(Selection::Field(Positioned::new(field, at)), at)
        });
    let operation = OperationDefinition {
        ty: kind,
        variable_definitions: Vec::new(),
        directives: Vec::new(),
        selection_set: Positioned::new(
            SelectionSet {
                items: fields.collect(),
            },
            at,
        ),
    };
    let mut request = Request::new("").data(Arc::clone(run));
    request.set_parsed_query(ExecutableDocument {
        operations: DocumentOperations::Single(Positioned::new(operation, at)),
        fragments: Default::default(),
    });
    request
}

impl<W: GeneratedSchema> Run<W> {
    pub(crate) fn new(execution: Execution<W>) -> Self {
        let operation = &execution.prepared.operation;
        let fields = execution
            .collector()
            .collect(operation.object_type(), [&operation.selection_set].into_iter());
        let roots: IndexMap<String, Selected> = fields
            .into_iter()
            .map(|field| (field.key().to_string(), field))
            .collect();
        let failures = roots.iter().map(|_| Failures::default()).collect();
        Self {
            execution,
            roots,
            failures: Mutex::new(failures),
        }
    }

    /// Returns true if the errors leave no data. The list ends at the first such field in document order, because the
    /// root fields of a query finish in any order.
    pub(crate) fn failures(&self) -> (Vec<Located>, bool) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let mut errors = Vec::new();
        for failure in failures.iter_mut() {
            errors.append(&mut failure.errors);
            if failure.fatal {
                return (errors, true);
            }
        }
        (errors, false)
    }

    async fn root(&self, type_name: &'static str, key: &str) -> Result<Value, NullBubble> {
        let Some((at, _, selected)) = self.roots.get_full(key) else {
            return Ok(Value::Null);
        };
        let rows = vec![()];
        let column = self.execution.column(type_name, &rows, selected).await;
        let (value, errors) = self.below(type_name, selected, column).await;
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures[at] = Failures {
            errors,
            fatal: value.is_err(),
        };
        value
    }

    async fn below(
        &self,
        type_name: &'static str,
        selected: &Selected,
        column: Column,
    ) -> (Result<Value, NullBubble>, Vec<Located>) {
        let columns = vec![(type_name, selected.clone(), column)];
        let resolved = self.execution.descend(columns).await;
        let null_error = |coordinate: &str, error| self.execution.log_failure(coordinate, error);
        complete(&resolved[0], &null_error)
    }
}

impl<W: GeneratedSchema> OutputType for Query<W> {
    fn type_name() -> Cow<'static, str> {
        W::QUERY.into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_output_type::<Self, _>(MetaTypeId::Object, |_| root_type::<Self>(W::QUERY))
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        resolve_container(ctx, self).await
    }
}

impl<W: GeneratedSchema> ContainerType for Query<W> {
    /// A root field without data does not end the others, or the reported error would depend on which field fails
    /// first.
    async fn resolve_field(&self, ctx: &Context<'_>) -> ServerResult<Option<Value>> {
        let value = run::<W>(ctx).root(W::QUERY, key(ctx)).await;
        Ok(Some(value.unwrap_or(Value::Null)))
    }
}

impl<W: GeneratedSchema> ObjectType for Query<W> {}

impl<W: GeneratedSchema> OutputType for Mutation<W> {
    fn type_name() -> Cow<'static, str> {
        W::MUTATION.unwrap_or("Mutation").into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_output_type::<Self, _>(MetaTypeId::Object, |_| {
            root_type::<Self>(&<Self as OutputType>::type_name())
        })
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        resolve_container(ctx, self).await
    }
}

impl<W: GeneratedSchema> ContainerType for Mutation<W> {
    fn is_empty() -> bool {
        W::MUTATION.is_none()
    }

    /// A root field without data ends the operation and its remaining mutations.
    async fn resolve_field(&self, ctx: &Context<'_>) -> ServerResult<Option<Value>> {
        let Some(type_name) = W::MUTATION else { return Ok(None) };
        match run::<W>(ctx).root(type_name, key(ctx)).await {
            Ok(value) => Ok(Some(value)),
            Err(NullBubble) => Err(ServerError::new("A mutation failed.", None)),
        }
    }
}

impl<W: GeneratedSchema> ObjectType for Mutation<W> {}

impl<W: GeneratedSchema> SubscriptionType for Subscription<W> {
    fn type_name() -> Cow<'static, str> {
        W::SUBSCRIPTION.unwrap_or("Subscription").into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_subscription_type::<Self, _>(|_| root_type::<Self>(&<Self as SubscriptionType>::type_name()))
    }

    fn is_empty() -> bool {
        W::SUBSCRIPTION.is_none()
    }

    fn create_field_stream<'a>(
        &'a self,
        ctx: &'a Context<'_>,
    ) -> Option<Pin<Box<dyn Stream<Item = Response> + Send + 'a>>> {
        let type_name = W::SUBSCRIPTION?;
        let run = Arc::clone(run::<W>(ctx));
        let key = key(ctx).to_owned();
        Some(stream::once(events(run, type_name, key)).flatten().boxed())
    }
}

async fn events<W: GeneratedSchema>(
    run: Arc<Run<W>>,
    type_name: &'static str,
    key: String,
) -> impl Stream<Item = Response> + Send {
    let events = match run.roots.get(&key) {
        Some(selected) => {
            let call = Call::new(&run.execution, type_name, selected, 1);
            W::events(&call).await.map_err(|error| call.log_failure(error))
        }
        None => Err(FieldError::internal("the operation selects no subscription field")),
    };
    let columns = match events {
        Ok(columns) => columns,
        Err(error) => {
            let path = vec![PathSegment::Field(key)];
            return stream::iter([response(Value::Null, vec![Located { path, error }])]).left_stream();
        }
    };
    let responses = columns.then(move |event| {
        let (run, key) = (Arc::clone(&run), key.clone());
        async move {
            let Some(selected) = run.roots.get(&key) else {
                return response(Value::Null, Vec::new());
            };
            let column = event.unwrap_or_else(Column::failed).into_shapes_for(1);
            let column = Call::new(&run.execution, type_name, selected, 1).reported(column);
            let (value, errors) = run.below(type_name, selected, column).await;
            let data = value.map_or(Value::Null, |value| {
                Value::Object([(Name::new(&key), value)].into_iter().collect())
            });
            response(data, errors)
        }
    });
    let started = Response::default().extension(STARTED, Value::Boolean(true));
    stream::iter([started]).chain(responses).right_stream()
}

fn response(data: Value, errors: Vec<Located>) -> Response {
    let mut response = Response::new(data);
    response.errors = errors
        .into_iter()
        .map(|Located { path, error }| ServerError {
            path,
            source: Some(Arc::new(error)),
            ..ServerError::new("", None)
        })
        .collect();
    response
}

pub(crate) fn located(errors: Vec<ServerError>) -> Vec<Located> {
    let located = errors.into_iter().map(|error| {
        let source = error.source::<FieldError>().cloned();
        let error = source.map_or_else(
            || (Vec::new(), FieldError::internal(&error.message)),
            |source| (error.path, source),
        );
        Located {
            path: error.0,
            error: error.1,
        }
    });
    located.collect()
}

fn root_type<T: ?Sized>(name: &str) -> async_graphql::registry::MetaType {
    ObjectBuilder::new(name, Default::default())
        .rust_typename(std::any::type_name::<T>())
        .build()
}

fn run<'a, W: GeneratedSchema>(ctx: &Context<'a>) -> &'a Arc<Run<W>> {
    ctx.data_unchecked::<Arc<Run<W>>>()
}

fn key<'a>(ctx: &Context<'a>) -> &'a str {
    ctx.item.node.response_key().node.as_str()
}
