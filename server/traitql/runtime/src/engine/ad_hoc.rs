//! Executes ad-hoc documents and introspection without a plan. Tests use it as a reference.

use std::{panic::AssertUnwindSafe, sync::Arc};

use apollo_compiler::ast::OperationType as Kind;
use async_graphql::parser::types::OperationType;
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use quick_cache::sync::Cache;

use super::{
    Document, Engine, GeneratedSchema, Response, Variables,
    call::{Execution, Shared},
    catalog::ErrorCatalog,
    coerce,
    graphql::{self, Graphql, Run, STARTED, Visit},
    prepare::Prepared,
    response,
    schema_index::SchemaIndex,
};
use crate::{Ctx, FieldError, guard::Guards, rate::RateLimits};

const MAX_CACHED_DOCUMENTS: usize = 1000;

/// Executes any document of a schema with its resolvers.
pub struct GraphqlEngine<W: GeneratedSchema> {
    shared: Arc<Shared<W>>,
    graphql: Graphql<W>,
    prepared: Cache<(String, Option<String>), Arc<Prepared>>,
}

impl<W: GeneratedSchema> GraphqlEngine<W> {
    /// Creates an engine. `rates` is shared by all engines of a server.
    pub fn new(resolvers: Arc<W::Schema>, rates: Arc<RateLimits>) -> Self {
        Self::with_sdl(W::SDL, resolvers, rates)
    }

    #[doc(hidden)]
    pub fn with_sdl(sdl: &str, resolvers: Arc<W::Schema>, rates: Arc<RateLimits>) -> Self {
        let schema_index = SchemaIndex::new(sdl);
        Self {
            shared: Arc::new(Shared {
                schema_index,
                resolvers,
                rates,
            }),
            graphql: graphql::schema(),
            prepared: Cache::new(MAX_CACHED_DOCUMENTS),
        }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared<W>> {
        &self.shared
    }

    fn begin(&self, cx: &Ctx, document: &Document, variables: &Variables) -> Result<Arc<Run<W>>, Response> {
        let catalog = ErrorCatalog(W::ERRORS);
        let reject = |error| response::not_executed(&error, cx.request_id());
        let schema = &self.shared.schema_index.schema;
        let prepare = || Prepared::new(schema, &document.text, document.name.as_deref()).map(Arc::new);
        let key = (document.hash.clone(), document.name.clone());
        let prepared = self
            .prepared
            .get_or_insert_with(&key, prepare)
            .map_err(|problem| reject(catalog.error("INVALID_DOCUMENT", &[("problem", &problem)])))?;
        let variables =
            coerce::variables(schema, &prepared, variables).map_err(|problems| reject(catalog.invalid(&problems)))?;
        let execution = Execution {
            shared: Arc::clone(&self.shared),
            prepared,
            cx: cx.clone(),
            variables: Arc::new(variables),
            guards: Guards::default(),
        };
        Ok(Arc::new(Run::new(execution)))
    }

    async fn run(&self, cx: &Ctx, document: &Document, variables: Variables) -> Response {
        let run = match self.begin(cx, document, &variables) {
            Ok(run) => run,
            Err(response) => return response,
        };
        let kind = match run.execution.prepared.operation.operation_type {
            Kind::Query => OperationType::Query,
            Kind::Mutation => OperationType::Mutation,
            Kind::Subscription => {
                return self.failed(cx, &FieldError::internal("`execute` was called for a subscription"));
            }
        };
        if kind == OperationType::Query {
            self.graphql.execute(run.request(kind, Visit::Resolve)).await;
        }
        let mut result = self.graphql.execute(run.request(kind, Visit::Complete)).await;
        let errors = graphql::errors(&mut result);
        response::executed(&result.data, &errors, cx.request_id())
    }

    fn failed(&self, cx: &Ctx, error: &FieldError) -> Response {
        let cause = error.cause.as_deref().unwrap_or_default();
        tracing::error!(request_id = cx.request_id(), cause, "request failed");
        let redacted = ErrorCatalog(W::ERRORS).redact(error.clone(), cx.request_id());
        response::not_executed(&redacted, cx.request_id())
    }
}

impl<W: GeneratedSchema> Engine for GraphqlEngine<W> {
    fn execute<'a>(&'a self, cx: &'a Ctx, document: &'a Document, variables: Variables) -> BoxFuture<'a, Response> {
        Box::pin(async move {
            let run = AssertUnwindSafe(self.run(cx, document, variables)).catch_unwind();
            run.await
                .unwrap_or_else(|panic| self.failed(cx, &FieldError::of_panic(panic)))
        })
    }

    fn subscribe(
        &self,
        cx: Ctx,
        document: Arc<Document>,
        variables: Variables,
    ) -> BoxFuture<'_, Result<BoxStream<'static, Response>, Response>> {
        Box::pin(async move {
            let run = self.begin(&cx, &document, &variables)?;
            let mut responses = self
                .graphql
                .execute_stream(run.request(OperationType::Subscription, Visit::Resolve));
            let mut first = responses.next().await.unwrap_or_default();
            if !first.extensions.contains_key(STARTED) {
                let errors = graphql::errors(&mut first);
                return Err(if errors.is_empty() {
                    response::not_executed(&ErrorCatalog(W::ERRORS).no_event(), cx.request_id())
                } else {
                    response::not_started(&errors, cx.request_id())
                });
            }
            let write = move |mut result: async_graphql::Response| {
                let errors = graphql::errors(&mut result);
                response::executed(&result.data, &errors, cx.request_id())
            };
            Ok(responses.map(write).boxed())
        })
    }
}
