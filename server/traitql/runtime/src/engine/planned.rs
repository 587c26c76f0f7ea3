use std::{
    collections::HashMap,
    num::NonZeroU64,
    panic::AssertUnwindSafe,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use apollo_compiler::{Name, ast::OperationType as Kind};
use async_graphql::PathSegment;
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use serde_json::{Map, Value};

use super::{
    Document, Engine, GeneratedSchema, GraphqlEngine, Response, Variables,
    call::{Call, Execution, Shared},
    catalog::ErrorCatalog,
    coerce,
    json::KeyPrefix,
    plan::{ColumnSource, LevelPlan, Source},
    planner,
    prepare::Prepared,
    response::{self, Located},
    rows::{Column, Rows},
    schema_index::SchemaIndex,
    write::{Writer, Written},
};
use crate::{Ctx, Documents, FieldError, OncePerKey, RateLimits, guard::Guards};

/// Covers all combinations of four conditions. Other variants are planned for each request.
const MAX_VARIANTS: usize = 16;

/// Executes trusted documents by their plans. Delegates others, and introspection, to a [`GraphqlEngine`].
pub struct PlanEngine<W: GeneratedSchema> {
    shared: Arc<Shared<W>>,
    documents: HashMap<String, Arc<PlannedDocument>>,
    /// Responses by document with variables, and version.
    shared_events: OncePerKey<(Arc<str>, NonZeroU64), Response>,
    other: GraphqlEngine<W>,
}

struct PlannedDocument {
    prepared: Arc<Prepared>,
    conditions: Vec<Name>,
    single: OnceLock<Arc<LevelPlan>>,
    variants: Mutex<HashMap<Vec<bool>, Arc<LevelPlan>>>,
    size_estimate: SizeEstimate,
}

struct Run<W: GeneratedSchema> {
    execution: Execution<W>,
    planned: Arc<PlannedDocument>,
    plan: Arc<LevelPlan>,
}

impl<W: GeneratedSchema> PlanEngine<W> {
    /// Creates an engine with a plan for each document of a manifest. `rates` is shared by all engines of a server.
    ///
    /// Panics if the manifest is invalid.
    pub fn new(resolvers: Arc<W::Schema>, rates: Arc<RateLimits>, manifest: &str) -> Self {
        let documents = Documents::from_manifest(manifest).unwrap_or_else(|problem| panic!("{problem}"));
        Self::with_sdl(W::SDL, resolvers, rates, documents.all())
    }

    #[doc(hidden)]
    pub fn with_sdl<'d>(
        sdl: &str,
        resolvers: Arc<W::Schema>,
        rates: Arc<RateLimits>,
        documents: impl IntoIterator<Item = &'d Document>,
    ) -> Self {
        let other = GraphqlEngine::with_sdl(sdl, resolvers, rates);
        let shared = Arc::clone(other.shared());
        let planned = documents.into_iter().filter_map(|document| {
            let planned = PlannedDocument::new::<W>(&shared.schema_index, document)?;
            Some((document.hash.clone(), Arc::new(planned)))
        });
        Self {
            documents: planned.collect(),
            shared_events: OncePerKey::default(),
            shared,
            other,
        }
    }

    /// Returns the numbers of planned documents and fields.
    #[doc(hidden)]
    pub fn size(&self) -> (usize, usize) {
        let sizes = self.documents.values().filter_map(|planned| {
            let plan = planned.plan::<W>(&self.shared.schema_index, &Map::new())?;
            Some(plan.size())
        });
        (self.documents.len(), sizes.sum())
    }

    fn begin(&self, cx: &Ctx, planned: &Arc<PlannedDocument>, variables: &Variables) -> Result<Run<W>, Response> {
        let schema = &self.shared.schema_index.schema;
        let prepared = &planned.prepared;
        let reject = |error: FieldError| response::not_executed(&error, cx.request_id());
        let variables = coerce::variables(schema, prepared, variables)
            .map_err(|problems| reject(ErrorCatalog(W::ERRORS).invalid(&problems)))?;
        let plan = planned.plan::<W>(&self.shared.schema_index, &variables);
        let plan = plan.ok_or_else(|| {
            let error = FieldError::internal("planning failed for an operation that was planned before");
            reject(ErrorCatalog(W::ERRORS).redact(error, cx.request_id()))
        })?;
        Ok(Run {
            execution: Execution {
                shared: Arc::clone(&self.shared),
                prepared: Arc::clone(prepared),
                cx: cx.clone(),
                variables: Arc::new(variables),
                guards: Guards::default(),
            },
            planned: Arc::clone(planned),
            plan,
        })
    }

    fn failed(&self, cx: &Ctx, error: FieldError) -> Response {
        let cause = error.cause.as_deref().unwrap_or_default();
        tracing::error!(request_id = cx.request_id(), cause, "request failed");
        let redacted = ErrorCatalog(W::ERRORS).redact(error, cx.request_id());
        response::not_executed(&redacted, cx.request_id())
    }

    fn planned(&self, document: &Document) -> Option<&Arc<PlannedDocument>> {
        self.documents.get(&document.hash).filter(|_| document.trusted)
    }
}

impl PlannedDocument {
    /// Returns `None` if the document is not an operation of the schema, or contains introspection fields.
    fn new<W: GeneratedSchema>(schema_index: &SchemaIndex, document: &Document) -> Option<Self> {
        let prepared = Prepared::new(&schema_index.schema, &document.text, document.name.as_deref()).ok()?;
        let conditions = planner::conditions(&prepared)?;
        let planned = Self {
            prepared: Arc::new(prepared),
            conditions,
            single: OnceLock::new(),
            variants: Mutex::default(),
            size_estimate: SizeEstimate::default(),
        };
        planned.plan::<W>(schema_index, &Map::new())?;
        Some(planned)
    }

    fn plan<W: GeneratedSchema>(
        &self,
        schema_index: &SchemaIndex,
        variables: &Map<String, Value>,
    ) -> Option<Arc<LevelPlan>> {
        if self.conditions.is_empty() {
            if let Some(plan) = self.single.get() {
                return Some(Arc::clone(plan));
            }
            let plan = Arc::new(planner::plan::<W>(schema_index, &self.prepared, Map::new())?);
            return Some(Arc::clone(self.single.get_or_init(|| plan)));
        }
        let holds = |name: &Name| variables.get(name.as_str()) == Some(&Value::Bool(true));
        let values: Vec<bool> = self.conditions.iter().map(holds).collect();
        let cached = self
            .variants
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&values)
            .cloned();
        if cached.is_some() {
            return cached;
        }
        let given = self.conditions.iter().zip(&values);
        let given = given.map(|(name, value)| (name.to_string(), Value::Bool(*value)));
        let plan = Arc::new(planner::plan::<W>(schema_index, &self.prepared, given.collect())?);
        let mut variants = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if variants.len() < MAX_VARIANTS {
            variants.insert(values, Arc::clone(&plan));
        }
        Some(plan)
    }
}

impl<W: GeneratedSchema> Run<W> {
    async fn query(&self) -> Response {
        let resolved = self.execution.resolve(&self.plan, vec![Some(Box::new(vec![()]))]).await;
        let report = |coordinate: &str, error| self.execution.log_failure(coordinate, error);
        let mut writer = Writer::new(self.start_response(), &report);
        let written = resolved.write(0, 0, &mut writer);
        self.finish_response(writer.finish(), matches!(written, Written::Done))
    }

    /// Completes each root field before the next one starts (GraphQL October 2021, section 6.2.2). A root field
    /// without data ends the operation.
    async fn mutation(&self) -> Response {
        let rows: Vec<Option<Box<dyn Rows>>> = vec![Some(Box::new(vec![()]))];
        let report = |coordinate: &str, error| self.execution.log_failure(coordinate, error);
        let root = &self.plan.groups[0];
        let mut output = self.start_response();
        output.0.push(b'{');
        for field in &root.fields {
            field.key_prefix.append(&mut output.0);
            let Source::Column { path, .. } = &field.source else {
                output.0.extend_from_slice(&root.quoted_name);
                continue;
            };
            let resolved = self
                .execution
                .resolve_path(&self.plan, &rows, &self.plan.paths[*path])
                .await;
            let mut writer = Writer::new(output, &report);
            let complete = writer.root(field, &resolved);
            output = writer.finish();
            if !complete {
                return self.finish_response(output, false);
            }
        }
        output.0.push(b'}');
        self.finish_response(output, true)
    }

    async fn event(&self, column: Column) -> Response {
        let resolved = self.execution.descend_path(&self.plan.paths[0], vec![column]).await;
        let report = |coordinate: &str, error| self.execution.log_failure(coordinate, error);
        let field = &self.plan.groups[0].fields[0];
        let mut output = self.start_response();
        output.0.push(b'{');
        field.key_prefix.append(&mut output.0);
        let mut writer = Writer::new(output, &report);
        let complete = writer.root(field, &resolved);
        output = writer.finish();
        output.0.push(b'}');
        self.finish_response(output, complete)
    }

    fn failed(&self, error: FieldError) -> Response {
        let error = self
            .execution
            .log_failure(&self.plan.groups[0].fields[0].coordinate, error);
        response::not_executed(&error, self.execution.cx.request_id())
    }

    fn start_response(&self) -> (Vec<u8>, Vec<Located>) {
        let mut text = Vec::with_capacity(self.planned.size_estimate.capacity());
        text.extend_from_slice(DATA_PREFIX);
        (text, Vec::new())
    }

    /// Completes a response. If it has no `data`, the part that was already written is cut off.
    fn finish_response(&self, (mut text, errors): (Vec<u8>, Vec<Located>), data: bool) -> Response {
        if !data {
            text.truncate(DATA_PREFIX.len());
            text.extend_from_slice(b"null");
        }
        let root_field = match &self.plan.groups[0].fields[..] {
            [only] if data && errors.is_empty() => {
                let start = DATA_PREFIX.len() + 1 + only.key_prefix.len();
                Some(start..text.len() - 1)
            }
            _ => None,
        };
        let response = response::assembled(text, &errors, data, self.execution.cx.request_id());
        self.planned.size_estimate.record(response.body.len());
        Response { root_field, ..response }
    }
}

/// A response then usually does not reallocate.
struct SizeEstimate(AtomicUsize);

impl Default for SizeEstimate {
    fn default() -> Self {
        Self(AtomicUsize::new(256))
    }
}

impl SizeEstimate {
    /// Returns a capacity that includes the bytes that [`KeyPrefix::append`] writes past the end.
    fn capacity(&self) -> usize {
        self.0.load(Ordering::Relaxed) + KeyPrefix::SHORT
    }

    /// Rises at once and falls by an eighth of the difference, so that one large response does not enlarge all later
    /// ones.
    fn record(&self, length: usize) {
        let before = self.0.load(Ordering::Relaxed);
        let next = length.max(before - before.saturating_sub(length) / 8);
        if next != before {
            self.0.store(next, Ordering::Relaxed);
        }
    }
}

const DATA_PREFIX: &[u8] = b"{\"data\":";

impl<W: GeneratedSchema> Engine for PlanEngine<W> {
    fn execute<'a>(&'a self, cx: &'a Ctx, document: &'a Document, variables: Variables) -> BoxFuture<'a, Response> {
        let Some(planned) = self.planned(document) else {
            return self.other.execute(cx, document, variables);
        };
        Box::pin(async move {
            let run = match self.begin(cx, planned, &variables) {
                Ok(run) => run,
                Err(response) => return response,
            };
            let response = async {
                match planned.prepared.operation.operation_type {
                    Kind::Query => run.query().await,
                    Kind::Mutation => run.mutation().await,
                    Kind::Subscription => {
                        self.failed(cx, FieldError::internal("`execute` was called for a subscription"))
                    }
                }
            };
            let response = AssertUnwindSafe(response).catch_unwind().await;
            response.unwrap_or_else(|panic| self.failed(cx, FieldError::of_panic(panic)))
        })
    }

    fn subscribe(
        &self,
        cx: Ctx,
        document: Arc<Document>,
        variables: Variables,
    ) -> BoxFuture<'_, Result<BoxStream<'static, Response>, Response>> {
        let Some(planned) = self.planned(&document).map(Arc::clone) else {
            return self.other.subscribe(cx, document, variables);
        };
        Box::pin(async move {
            let shared_events = self.shared_events.clone();
            let run = Arc::new(self.begin(&cx, &planned, &variables)?);
            let source = run.plan.paths.first().map(|path| &path.entries[0].source);
            let Some(ColumnSource::Resolver(resolver_call)) = source else {
                return Err(response::not_executed(
                    &ErrorCatalog(W::ERRORS).no_event(),
                    cx.request_id(),
                ));
            };
            let group = &run.plan.groups[0];
            let call = Call::planned(&run.execution, group.type_name, resolver_call, 1);
            let events = W::events(&call).await.map_err(|error| {
                let path = vec![PathSegment::Field(group.fields[0].key.to_string())];
                let error = call.log_failure(error);
                response::not_started(&[Located { path, error }], cx.request_id())
            });
            drop(call);
            let events = events?;
            let variables = serde_json::to_string(&*run.execution.variables);
            let variables = variables.map_err(|error| run.failed(FieldError::internal(error)))?;
            let request = Arc::<str>::from(format!("{} {variables}", document.hash));
            let responses = events.then(move |event| {
                let (run, request, shared_events) = (Arc::clone(&run), Arc::clone(&request), shared_events.clone());
                async move {
                    match (event, run.execution.cx.event_version()) {
                        (Ok(column), Some(version)) => {
                            let shared = Arc::clone(&run);
                            let execute = || async move { shared.event(column).await }.boxed();
                            let response = shared_events.run((request, version), execute).await;
                            response.unwrap_or_else(|| run.failed(FieldError::internal("a shared event panicked")))
                        }
                        (event, _) => {
                            let mut column = event.unwrap_or_else(Column::failed);
                            let coordinate = &run.plan.groups[0].fields[0].coordinate;
                            column.failures(|error| *error = run.execution.log_failure(coordinate, error.clone()));
                            run.event(column).await
                        }
                    }
                }
            });
            Ok(responses.boxed())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_as_long_as_the_last_one_does_not_reallocate() {
        let size_estimate = SizeEstimate::default();
        size_estimate.record(13_813);
        let mut text = Vec::with_capacity(size_estimate.capacity());
        let capacity = text.capacity();
        while text.len() < 13_812 {
            KeyPrefix::new(b"\"a\":").append(&mut text);
            text.truncate(13_812);
        }
        text.push(b'}');
        assert_eq!(text.capacity(), capacity);
    }

    #[test]
    fn the_estimate_falls_after_one_long_response() {
        let size_estimate = SizeEstimate::default();
        size_estimate.record(10_000_000);
        (0..128).for_each(|_| size_estimate.record(1_000));
        assert!(size_estimate.capacity() < 2_000, "{}", size_estimate.capacity());
    }
}
