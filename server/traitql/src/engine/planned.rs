//! The engine for trusted documents: each is planned when the server starts, and served by its plan.

use std::{
    collections::HashMap,
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
    Document, Engine, GraphqlEngine, Response, Variables, Wiring, answer,
    blueprint::Blueprint,
    call::{Call, Session, Shared, panicked},
    catalogue::Catalogue,
    coerce,
    complete::Located,
    json::Lead,
    plan::{Ask, LevelPlan, Source},
    planner,
    prepare::Prepared,
    rows::{Column, Rows},
    write::{Writer, Written},
};
use crate::{Ctx, Documents, FieldError, Rates, guard::Guards};

/// Plans of one document that are kept: as many as there are combinations of four conditions. Others are made anew.
const VARIANTS: usize = 16;

/// Executes trusted documents by plans. Any other document, and introspection, is left to a [`GraphqlEngine`].
pub struct PlanEngine<W: Wiring> {
    shared: Arc<Shared<W>>,
    /// By the hash of their texts.
    documents: HashMap<String, Arc<Planned>>,
    other: GraphqlEngine<W>,
}

/// A document and its plans.
struct Planned {
    prepared: Arc<Prepared>,
    conditions: Vec<Name>,
    /// The only plan of a document without conditions.
    only: OnceLock<Arc<LevelPlan>>,
    /// The others, by whether each condition holds.
    variants: Mutex<HashMap<Vec<bool>, Arc<LevelPlan>>>,
    expected: Expected,
}

/// One operation in execution.
struct Run<W: Wiring> {
    session: Session<W>,
    planned: Arc<Planned>,
    plan: Arc<LevelPlan>,
}

impl<W: Wiring> PlanEngine<W> {
    /// An engine over resolvers, with a plan for each document of a manifest. `rates` are the buckets that all engines of a server
    /// share. Panics if the manifest is none: generated code embeds the one that the generator has written.
    pub fn new(resolvers: Arc<W::Schema>, rates: Arc<Rates>, manifest: &str) -> Self {
        let documents = Documents::from_manifest(manifest).unwrap_or_else(|problem| panic!("{problem}"));
        Self::with_sdl(W::SDL, resolvers, rates, documents.all())
    }

    /// For tests whose schemas and documents are made while they run.
    #[doc(hidden)]
    pub fn with_sdl<'d>(
        sdl: &str,
        resolvers: Arc<W::Schema>,
        rates: Arc<Rates>,
        documents: impl IntoIterator<Item = &'d Document>,
    ) -> Self {
        let other = GraphqlEngine::with_sdl(sdl, resolvers, rates);
        let shared = Arc::clone(other.shared());
        let planned = documents.into_iter().filter_map(|document| {
            let planned = Planned::new::<W>(&shared.blueprint, document)?;
            Some((document.hash.clone(), Arc::new(planned)))
        });
        Self {
            documents: planned.collect(),
            shared,
            other,
        }
    }

    /// How many documents have plans, and how many fields are planned in all.
    #[doc(hidden)]
    pub fn size(&self) -> (usize, usize) {
        let sizes = self.documents.values().filter_map(|planned| {
            let plan = planned.plan::<W>(&self.shared.blueprint, &Map::new())?;
            Some(plan.size())
        });
        (self.documents.len(), sizes.sum())
    }

    fn begin(&self, cx: &Ctx, planned: &Arc<Planned>, variables: &Variables) -> Result<Run<W>, Response> {
        let schema = &self.shared.blueprint.schema;
        let prepared = &planned.prepared;
        let refuse = |error: FieldError| answer::refused(&error, cx.request_id());
        let variables = coerce::variables(schema, &prepared.operation.variables, variables)
            .map_err(|problems| refuse(Catalogue(W::SENTENCES).invalid(&problems)))?;
        let plan = planned.plan::<W>(&self.shared.blueprint, &variables);
        let plan = plan.ok_or_else(|| {
            let error = FieldError::internal("an operation was planned once and cannot be planned again");
            refuse(Catalogue(W::SENTENCES).told(error, cx.request_id()))
        })?;
        Ok(Run {
            session: Session {
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

    /// The answer to a request that failed as a whole.
    fn failed(&self, cx: &Ctx, error: FieldError) -> Response {
        let cause = error.cause.as_deref().unwrap_or_default();
        tracing::error!(request_id = cx.request_id(), cause, "a request failed");
        let told = Catalogue(W::SENTENCES).told(error, cx.request_id());
        answer::refused(&told, cx.request_id())
    }

    fn planned(&self, document: &Document) -> Option<&Arc<Planned>> {
        self.documents.get(&document.hash).filter(|_| document.trusted)
    }
}

impl Planned {
    /// `None` where the document is no operation of the schema, or asks for introspection.
    fn new<W: Wiring>(blueprint: &Blueprint, document: &Document) -> Option<Self> {
        let prepared = Prepared::new(&blueprint.schema, &document.text, document.name.as_deref()).ok()?;
        let conditions = planner::conditions(&prepared)?;
        let planned = Self {
            prepared: Arc::new(prepared),
            conditions,
            only: OnceLock::new(),
            variants: Mutex::default(),
            expected: Expected::default(),
        };
        planned.plan::<W>(blueprint, &Map::new())?;
        Some(planned)
    }

    fn plan<W: Wiring>(&self, blueprint: &Blueprint, variables: &Map<String, Value>) -> Option<Arc<LevelPlan>> {
        if self.conditions.is_empty() {
            if let Some(plan) = self.only.get() {
                return Some(Arc::clone(plan));
            }
            let plan = Arc::new(planner::plan::<W>(blueprint, &self.prepared, Map::new())?);
            return Some(Arc::clone(self.only.get_or_init(|| plan)));
        }
        let holds = |name: &Name| variables.get(name.as_str()) == Some(&Value::Bool(true));
        let values: Vec<bool> = self.conditions.iter().map(holds).collect();
        let known = self
            .variants
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&values)
            .cloned();
        if known.is_some() {
            return known;
        }
        let given = self.conditions.iter().zip(&values);
        let given = given.map(|(name, value)| (name.to_string(), Value::Bool(*value)));
        let plan = Arc::new(planner::plan::<W>(blueprint, &self.prepared, given.collect())?);
        let mut variants = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        if variants.len() < VARIANTS {
            variants.insert(values, Arc::clone(&plan));
        }
        Some(plan)
    }
}

impl<W: Wiring> Run<W> {
    /// Answers a query: all root fields are resolved at once.
    async fn query(&self) -> Response {
        let resolved = self.session.resolve(&self.plan, vec![Some(Box::new(vec![()]))]).await;
        let tell = |coordinate: &str, error| self.session.told(coordinate, error);
        let mut writer = Writer::new(self.begun(), &tell);
        let written = resolved.write(0, 0, &mut writer);
        self.finished(writer.finish(), matches!(written, Written::Done))
    }

    /// Answers a mutation: each root field is resolved and completed before the next (GraphQL October 2021, section 6.2.2).
    /// One that leaves no data ends the operation: the mutations after it are not begun.
    async fn mutation(&self) -> Response {
        let rows: Vec<Option<Box<dyn Rows>>> = vec![Some(Box::new(vec![()]))];
        let tell = |coordinate: &str, error| self.session.told(coordinate, error);
        let root = &self.plan.groups[0];
        let mut answer = self.begun();
        answer.0.push(b'{');
        for field in &root.fields {
            field.lead.append(&mut answer.0);
            let Source::Column { path, .. } = &field.source else {
                answer.0.extend_from_slice(&root.quoted_name);
                continue;
            };
            let resolved = self
                .session
                .path_planned(&self.plan, &rows, &self.plan.paths[*path])
                .await;
            let mut writer = Writer::new(answer, &tell);
            let complete = writer.root(field, &resolved);
            answer = writer.finish();
            if !complete {
                return self.finished(answer, false);
            }
        }
        answer.0.push(b'}');
        self.finished(answer, true)
    }

    /// Answers one event of a subscription.
    async fn event(&self, column: Column) -> Response {
        let resolved = self.session.descend_planned(&self.plan.paths[0], vec![column]).await;
        let tell = |coordinate: &str, error| self.session.told(coordinate, error);
        let field = &self.plan.groups[0].fields[0];
        let mut answer = self.begun();
        answer.0.push(b'{');
        field.lead.append(&mut answer.0);
        let mut writer = Writer::new(answer, &tell);
        let complete = writer.root(field, &resolved);
        answer = writer.finish();
        answer.0.push(b'}');
        self.finished(answer, complete)
    }

    /// An answer that has begun, without errors up to now.
    fn begun(&self) -> (Vec<u8>, Vec<Located>) {
        let mut text = Vec::with_capacity(self.planned.expected.room());
        text.extend_from_slice(BEGINNING);
        (text, Vec::new())
    }

    /// The answer as it is sent. Without `data`, what was written of it is cut off.
    fn finished(&self, (mut text, errors): (Vec<u8>, Vec<Located>), data: bool) -> Response {
        if !data {
            text.truncate(BEGINNING.len());
            text.extend_from_slice(b"null");
        }
        let response = answer::written(text, &errors, data, self.session.cx.request_id());
        self.planned.expected.answered(response.body.len());
        response
    }
}

/// How many bytes the next answer to a document is likely to have.
struct Expected(AtomicUsize);

impl Default for Expected {
    fn default() -> Self {
        Self(AtomicUsize::new(256))
    }
}

impl Expected {
    /// Room for an answer of that length, and for what is written beyond its end on the way.
    fn room(&self) -> usize {
        self.0.load(Ordering::Relaxed) + Lead::SHORT
    }

    /// Learns from an answer. One that is long is forgotten with those after it, which would all pay for it. Of two that end at once
    /// one may be missed.
    fn answered(&self, length: usize) {
        let before = self.0.load(Ordering::Relaxed);
        let next = length.max(before - before.saturating_sub(length) / 8);
        if next != before {
            self.0.store(next, Ordering::Relaxed);
        }
    }
}

/// How an answer begins.
const BEGINNING: &[u8] = b"{\"data\":";

impl<W: Wiring> Engine for PlanEngine<W> {
    fn execute<'a>(&'a self, cx: &'a Ctx, document: &'a Document, variables: Variables) -> BoxFuture<'a, Response> {
        let Some(planned) = self.planned(document) else {
            return self.other.execute(cx, document, variables);
        };
        Box::pin(async move {
            let run = match self.begin(cx, planned, &variables) {
                Ok(run) => run,
                Err(refusal) => return refusal,
            };
            let answered = async {
                match planned.prepared.operation.operation_type {
                    Kind::Query => run.query().await,
                    Kind::Mutation => run.mutation().await,
                    Kind::Subscription => self.failed(cx, FieldError::internal("a subscription was executed")),
                }
            };
            let answered = AssertUnwindSafe(answered).catch_unwind().await;
            answered.unwrap_or_else(|panic| self.failed(cx, panicked(panic)))
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
            let run = Arc::new(self.begin(&cx, &planned, &variables)?);
            let asked = run.plan.paths.first().map(|path| &path.entries[0].ask);
            let Some(Ask::Resolver(asked)) = asked else {
                return Err(answer::refused(&Catalogue(W::SENTENCES).no_event(), cx.request_id()));
            };
            let group = &run.plan.groups[0];
            let call = Call::planned(&run.session, group.type_name, asked, 1);
            let begun = W::events(&call).await.map_err(|error| {
                let path = vec![PathSegment::Field(group.fields[0].key.to_string())];
                let error = call.told(error);
                answer::unbegun(&[Located { path, error }], cx.request_id())
            });
            drop(call);
            let answers = begun?.then(move |event| {
                let run = Arc::clone(&run);
                async move {
                    let mut column = event.unwrap_or_else(Column::failed);
                    let coordinate = &run.plan.groups[0].fields[0].coordinate;
                    column.failures(|error| *error = run.session.told(coordinate, error.clone()));
                    run.event(column).await
                }
            });
            Ok(answers.boxed())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_as_long_as_the_last_one_need_not_grow() {
        let expected = Expected::default();
        expected.answered(13_813);
        let mut text = Vec::with_capacity(expected.room());
        let room = text.capacity();
        while text.len() < 13_812 {
            Lead::new(b"\"a\":").append(&mut text);
            text.truncate(13_812);
        }
        text.push(b'}');
        assert_eq!(text.capacity(), room);
    }

    #[test]
    fn a_long_answer_is_forgotten() {
        let expected = Expected::default();
        expected.answered(10_000_000);
        (0..128).for_each(|_| expected.answered(1_000));
        assert!(expected.room() < 2_000, "{}", expected.room());
    }
}
