//! The types that async-graphql executes.
//!
//! An object is a row of a [`Level`]. async-graphql visits its fields, builds its value, propagates null, and runs root
//! fields and streams, concurrently or one after the other.
//!
//! async-graphql drops the siblings of a field that fails, and lists errors in the order in which they occur. It
//! therefore visits an operation twice. The first visit resolves the fields, and nothing fails. The second one finds
//! them resolved, so that it awaits nothing and meets the errors in response order.

use std::{
    borrow::Cow,
    marker::PhantomData,
    pin::Pin,
    sync::{Arc, PoisonError},
};

use apollo_compiler::ast::{OperationType as Kind, Type};
use async_graphql::{
    ContainerType, Context, ContextBase, ContextSelectionSet, Name, ObjectType, OutputType, Pos, Positioned, Request,
    Response, Schema, ServerError, ServerResult, SubscriptionType, ValidationMode, Value,
    parser::types::{DocumentOperations, ExecutableDocument, Field, OperationDefinition, OperationType},
    registry::{MetaTypeId, ObjectBuilder, Registry},
    resolver_utils::{resolve_container, resolve_list},
};
use futures_util::{Stream, StreamExt, future::BoxFuture, stream};

use super::{
    GeneratedSchema,
    call::{Call, Execution},
    collect::Selected,
    levels::{Entry, Level, Path, Resolved},
    output::Shape,
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
    pub(crate) execution: Arc<Execution<W>>,
    roots: Vec<Selected>,
    level: Level,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Visit {
    /// Resolves all fields. Leaves are null, and nothing fails.
    Resolve,
    /// Returns values and errors.
    Complete,
}

/// Only has the names of the root types, because apollo-compiler validates and introspects.
pub(crate) fn schema<W: GeneratedSchema>() -> Graphql<W> {
    Schema::build(Query(PhantomData), Mutation(PhantomData), Subscription(PhantomData))
        .validation_mode(ValidationMode::Fast)
        .disable_introspection()
        .disable_suggestions()
        .finish()
}

impl<W: GeneratedSchema> Run<W> {
    pub(crate) fn new(execution: Execution<W>) -> Self {
        let execution = Arc::new(execution);
        let operation = &execution.prepared.operation;
        let type_name = match operation.operation_type {
            Kind::Query => Some(W::QUERY),
            Kind::Mutation => W::MUTATION,
            Kind::Subscription => W::SUBSCRIPTION,
        };
        let type_name = type_name.expect("validation has checked that the schema has the root type of the operation");
        let roots = execution
            .collector()
            .collect(type_name, [&operation.selection_set].into_iter());
        let group = (type_name, roots.clone(), Box::new(vec![()]) as _);
        Self {
            level: Level::new(&execution, vec![group]),
            roots,
            execution,
        }
    }

    pub(crate) fn request(self: &Arc<Self>, ty: OperationType, visit: Visit) -> Request {
        let operation = OperationDefinition {
            ty,
            variable_definitions: Vec::new(),
            directives: Vec::new(),
            selection_set: self.level.groups[0].selection.clone(),
        };
        let mut request = Request::new("").data(Arc::clone(self)).data(visit);
        request.set_parsed_query(ExecutableDocument {
            operations: DocumentOperations::Single(Positioned::new(operation, Pos::default())),
            fragments: Default::default(),
        });
        request
    }

    fn root(&self, visit: Visit) -> Object<'_> {
        Object {
            level: &self.level,
            group: 0,
            row: 0,
            visit,
        }
    }
}

/// A row of a level.
struct Object<'a> {
    level: &'a Level,
    group: usize,
    row: usize,
    visit: Visit,
}

/// The value of a field for one object, or an entry of its lists.
struct Slot<'a> {
    field: &'a Resolved,
    below: &'a Level,
    /// Determines the nullability.
    ty: &'a Type,
    shape: &'a Shape,
    visit: Visit,
}

impl<'a> Slot<'a> {
    fn new(path: &'a Path, group: usize, row: usize, visit: Visit) -> Self {
        let field = path.field(group);
        Self {
            field,
            below: &path.below,
            ty: &field.ty,
            shape: &field.shapes[row],
            visit,
        }
    }

    fn complete<'f>(
        &'f self,
        ctx: &'f ContextSelectionSet<'f>,
        field: &'f Positioned<Field>,
    ) -> BoxFuture<'f, ServerResult<Value>> {
        Box::pin(async move {
            let value = match self.shape {
                Shape::List(entries) => {
                    let ty = self.ty.item_type();
                    let slots = entries.iter().map(|shape| Slot { ty, shape, ..*self });
                    resolve_list(ctx, field, slots, Some(entries.len())).await
                }
                Shape::Object(place) => {
                    let (group, row) = self.field.places[*place as usize];
                    let object = Object {
                        level: self.below,
                        group: group as usize,
                        row: row as usize,
                        visit: self.visit,
                    };
                    object.resolve(ctx, field).await
                }
                _ if self.visit == Visit::Resolve => Ok(Value::Null),
                Shape::Null => Ok(Value::Null),
                Shape::Failed(error) => Err(located(ctx, (**error).clone())),
                Shape::Leaf(leaf) => Ok(Value::from_json(leaf.clone()).expect("each JSON value is a GraphQL value")),
            };
            match value {
                Err(error) if !self.ty.is_non_null() => {
                    ctx.add_error(error);
                    Ok(Value::Null)
                }
                Ok(Value::Null) if self.ty.is_non_null() && self.visit == Visit::Complete => {
                    Err(located(ctx, self.field.null_error.clone()))
                }
                value => value,
            }
        })
    }
}

impl OutputType for Slot<'_> {
    fn type_name() -> Cow<'static, str> {
        "".into()
    }

    fn create_type_info(_: &mut Registry) -> String {
        String::new()
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        self.complete(ctx, field).await
    }
}

impl OutputType for Object<'_> {
    fn type_name() -> Cow<'static, str> {
        "".into()
    }

    fn introspection_type_name(&self) -> Cow<'static, str> {
        self.level.groups[self.group].type_name.into()
    }

    fn create_type_info(_: &mut Registry) -> String {
        String::new()
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        let selection = &self.level.groups[self.group].selection;
        resolve_container(&ctx.with_selection_set(selection), self).await
    }
}

impl ContainerType for Object<'_> {
    async fn resolve_field(&self, ctx: &Context<'_>) -> ServerResult<Option<Value>> {
        let path = self.level.path(key(ctx)).await;
        let slot = Slot::new(&path, self.group, self.row, self.visit);
        let ctx_below = ctx.with_selection_set(&ctx.item.node.selection_set);
        slot.complete(&ctx_below, ctx.item).await.map(Some)
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
    async fn resolve_field(&self, ctx: &Context<'_>) -> ServerResult<Option<Value>> {
        let visit = *ctx.data_unchecked::<Visit>();
        run::<W>(ctx).root(visit).resolve_field(ctx).await
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

    /// A root field is completed before the next one starts (GraphQL October 2021, section 6.2.2). A root field without
    /// data ends the operation and its remaining mutations.
    async fn resolve_field(&self, ctx: &Context<'_>) -> ServerResult<Option<Value>> {
        let run = run::<W>(ctx);
        run.root(Visit::Resolve).resolve_field(ctx).await?;
        run.root(Visit::Complete).resolve_field(ctx).await
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
        let run = run::<W>(ctx);
        let selected = run.roots.first()?;
        Some(stream::once(events(run, selected, ctx)).flatten().boxed())
    }
}

async fn events<'a, W: GeneratedSchema>(
    run: &'a Run<W>,
    selected: &'a Selected,
    ctx: &'a Context<'_>,
) -> impl Stream<Item = Response> + Send + 'a {
    let call = Call::new(&run.execution, run.level.groups[0].type_name, selected, 1);
    let columns = match W::events(&call).await {
        Ok(columns) => columns,
        Err(error) => {
            let response = Response::from_errors(vec![located(ctx, call.log_failure(error))]);
            return stream::iter([response]).left_stream();
        }
    };
    let responses = columns.then(move |event| async move {
        let column = event.unwrap_or_else(Column::failed).into_shapes_for(1);
        let column = Call::new(&run.execution, run.level.groups[0].type_name, selected, 1).reported(column);
        let entry = Entry {
            number: 0,
            group: Arc::clone(&run.level.groups[0]),
            selected: selected.clone(),
        };
        let path = Path::new(&run.execution, vec![(entry, column)]);
        let ctx_below = ctx.with_selection_set(&ctx.item.node.selection_set);
        let visit = |visit| {
            let (slot, ctx_below) = (Slot::new(&path, 0, 0, visit), &ctx_below);
            async move { slot.complete(ctx_below, ctx.item).await }
        };
        visit(Visit::Resolve).await.ok();
        let value = visit(Visit::Complete).await;
        let mut errors = std::mem::take(&mut *ctx.query_env.errors.lock().unwrap_or_else(PoisonError::into_inner));
        let data = match value {
            Ok(value) => Value::Object([(Name::new(key(ctx)), value)].into_iter().collect()),
            Err(error) => {
                errors.insert(0, error);
                Value::Null
            }
        };
        let mut response = Response::new(data);
        response.errors = errors;
        response
    });
    let started = Response::default().extension(STARTED, Value::Boolean(true));
    stream::iter([started]).chain(responses).right_stream()
}

/// The path is in the source, because async-graphql replaces that of an error in a list by the path of the entry.
fn located<T>(ctx: &ContextBase<'_, T>, error: FieldError) -> ServerError {
    let path = ctx.set_error_path(ServerError::new("", None)).path;
    ServerError {
        source: Some(Arc::new(Located { path, error })),
        ..ServerError::new("", None)
    }
}

/// Returns the errors of a response in response order: async-graphql begins with the one that leaves no data, which is
/// the last one.
pub(crate) fn errors(response: &mut Response) -> Vec<Located> {
    let mut errors = std::mem::take(&mut response.errors);
    if response.data == Value::Null && !errors.is_empty() {
        errors.rotate_left(1);
    }
    let located = errors.into_iter().map(|error| match error.source::<Located>() {
        Some(located) => located.clone(),
        None => Located {
            path: error.path,
            error: FieldError::internal(&error.message),
        },
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
