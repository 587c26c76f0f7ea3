//! A case, the engines that answer it, and what has to be equal.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use futures_util::StreamExt;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;
use traitql::{
    AdHoc, Ctx, CtxParts, Document, Engine, Limits, OperationKind, Response,
    engine::{GraphqlEngine, PlanEngine},
};

use crate::{
    facts::{Facts, MUTATION},
    judge::{Judged, Told, Verdict, judge},
    wiring::{Asked, Dynamic, Now, Resolvers},
    world::World,
};

const REQUEST: &str = "r1";

/// The engines over one schema, each with resolvers of its own.
pub(crate) struct Bench {
    pub(crate) facts: Arc<Facts>,
    documents: AdHoc,
    reference: (Arc<Resolvers>, GraphqlEngine<Dynamic>),
    planned: (Arc<Resolvers>, PlanEngine<Dynamic>),
    runtime: Runtime,
}

/// What an engine answered, and what it asked for that.
struct Outcome {
    begun: bool,
    answers: Vec<Response>,
    calls: Vec<Asked>,
}

/// What is worth counting: a comparison says something only when there was much to compare.
#[derive(Default, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) bytes: usize,
    pub(crate) errors: usize,
    pub(crate) calls: usize,
    pub(crate) refused: bool,
    pub(crate) without_data: bool,
}

/// Nothing is too much here.
fn boundless() -> Limits {
    Limits {
        bytes: 1 << 24,
        tokens: 1 << 24,
        recursion: 500,
        depth: 500,
        selections: u64::MAX,
        root_fields: u64::MAX,
        aliases: u64::MAX,
        directives: u64::MAX,
        cost: u64::MAX,
    }
}

impl Bench {
    pub(crate) fn new(sdl: String) -> Self {
        let documents = AdHoc::new(&sdl, boundless()).unwrap_or_else(|report| panic!("{report}\n{sdl}"));
        let facts = Arc::new(Facts::new(sdl));
        let resolvers = || {
            Arc::new(Resolvers {
                facts: Arc::clone(&facts),
                world: Mutex::default(),
                calls: Mutex::default(),
            })
        };
        Now::begin(&facts, &World::default());
        let (first, second) = (resolvers(), resolvers());
        let reference = GraphqlEngine::with_sdl(&facts.sdl, Arc::clone(&first), Arc::default());
        let plans = PlanEngine::with_sdl(&facts.sdl, Arc::clone(&second), Arc::default(), []);
        Self {
            documents,
            reference: (first, reference),
            planned: (second, plans),
            runtime: tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime"),
            facts,
        }
    }

    /// The document, if it is valid.
    pub(crate) fn admit(&self, text: &str) -> Result<Arc<Document>, String> {
        let admitted = self.documents.admit(text, None);
        let document = admitted.map_err(|refusal| format!("{refusal:?}"))?;
        Ok(Arc::new(Document {
            text: document.text.clone(),
            name: document.name.clone(),
            hash: document.hash.clone(),
            trusted: true,
            ..*document
        }))
    }

    /// Plans documents. Without plans, the engine for trusted documents leaves them to the other one.
    pub(crate) fn plan(&mut self, documents: &[Arc<Document>]) {
        Now::begin(&self.facts, &World::default());
        let resolvers = Arc::clone(&self.planned.0);
        let trusted = documents.iter().map(|document| &**document);
        self.planned.1 = PlanEngine::with_sdl(&self.facts.sdl, resolvers, Arc::default(), trusted);
        // Introspection is left to the other engine too.
        let is_planned =
            |document: &&Arc<Document>| !["__schema", "__type("].iter().any(|it| document.text.contains(it));
        let hashes: BTreeSet<&String> = documents
            .iter()
            .filter(is_planned)
            .map(|document| &document.hash)
            .collect();
        assert_eq!(self.planned.1.size().0, hashes.len(), "documents without a plan");
    }

    /// How many fields there are in the plans of all documents.
    pub(crate) fn planned_fields(&self) -> usize {
        Now::begin(&self.facts, &World::default());
        self.planned.1.size().1
    }

    /// `Err` says how the engines and the judge differ.
    pub(crate) fn compare(
        &self,
        document: &Arc<Document>,
        variables: &Map<String, Value>,
        world: &World,
    ) -> Result<Seen, String> {
        Now::begin(&self.facts, world);
        let verdict = judge(&self.facts, world, &document.text, variables, REQUEST);
        let engines: [(_, _, &dyn Engine); 2] = [
            ("async-graphql", &self.reference.0, &self.reference.1),
            ("plans", &self.planned.0, &self.planned.1),
        ];
        let outcomes =
            engines.map(|(name, resolvers, engine)| (name, self.ask(resolvers, engine, document, variables, world)));
        let (first, rest) = outcomes.split_first().expect("there are engines");
        for other in rest {
            same(first, other, document.kind)?;
        }
        for (name, outcome) in &outcomes {
            judged(&verdict, outcome).map_err(|problem| format!("{name} and the judge: {problem}"))?;
        }
        let outcome = &first.1;
        Ok(Seen {
            bytes: outcome.answers.iter().map(|answer| answer.body.len()).sum(),
            errors: verdict.answers.iter().map(|answer| answer.errors.len()).sum(),
            calls: outcome.calls.len(),
            refused: verdict.answers.iter().any(|answer| answer.data.is_none()),
            without_data: verdict.answers.iter().any(|answer| answer.data == Some(Value::Null)),
        })
    }

    fn ask(
        &self,
        resolvers: &Resolvers,
        engine: &dyn Engine,
        document: &Arc<Document>,
        variables: &Map<String, Value>,
        world: &World,
    ) -> Outcome {
        *resolvers.world.lock().unwrap() = world.clone();
        resolvers.calls.lock().unwrap().clear();
        let cx: Ctx = CtxParts {
            request_id: REQUEST.to_owned(),
            ..CtxParts::default()
        }
        .into();
        let (begun, answers) = self.runtime.block_on(async {
            if document.kind != OperationKind::Subscription {
                return (false, vec![engine.execute(&cx, document, variables.clone()).await]);
            }
            match engine.subscribe(cx, Arc::clone(document), variables.clone()).await {
                Ok(events) => (true, events.collect().await),
                Err(refusal) => (false, vec![refusal]),
            }
        });
        let calls = std::mem::take(&mut *resolvers.calls.lock().unwrap());
        Outcome { begun, answers, calls }
    }
}

/// What two engines must have in common: everything that a client or a resolver can see.
fn same(one: &(&str, Outcome), other: &(&str, Outcome), kind: OperationKind) -> Result<(), String> {
    let ((a, one), (b, other)) = (one, other);
    let told = |outcome: &Outcome| {
        let mut out = format!("begun: {}\n", outcome.begun);
        for answer in &outcome.answers {
            writeln!(out, "{} {:?} {}", answer.http, answer.codes, text(answer)).expect("a text takes everything");
        }
        out
    };
    if told(one) != told(other) {
        return Err(format!(
            "{a} and {b} answer differently\n{a}:\n{}\n{b}:\n{}",
            told(one),
            told(other)
        ));
    }
    let (calls, others) = (in_order(&one.calls, kind), in_order(&other.calls, kind));
    if calls != others {
        return Err(format!(
            "{a} and {b} ask differently\n{a}:\n{calls:#?}\n{b}:\n{others:#?}"
        ));
    }
    Ok(())
}

/// Calls as far as their order means something: mutations go one after the other, with all that is below them.
fn in_order(calls: &[Asked], kind: OperationKind) -> Vec<Asked> {
    let is_root = |call: &Asked| kind == OperationKind::Mutation && call.coordinate.starts_with(MUTATION);
    let mut calls = calls.to_vec();
    let mut start = 0;
    for at in 0..=calls.len() {
        if at == calls.len() || is_root(&calls[at]) {
            let from = start + usize::from(start < at && is_root(&calls[start]));
            calls[from..at].sort();
            start = at;
        }
    }
    calls
}

fn judged(verdict: &Verdict, outcome: &Outcome) -> Result<(), String> {
    let expected: Vec<String> = verdict.answers.iter().map(body).collect();
    let answers: Vec<String> = outcome.answers.iter().map(without_words).collect();
    if (verdict.begun, &expected) != (outcome.begun, &answers) {
        return Err(format!(
            "the answers differ\njudge (begun: {}):\n{}\nengine (begun: {}):\n{}",
            verdict.begun,
            expected.join("\n"),
            outcome.begun,
            answers.join("\n")
        ));
    }
    for (judged, answer) in verdict.answers.iter().zip(&outcome.answers) {
        let http = match &judged.data {
            None | Some(Value::Null) => judged.errors.first().map_or(200, |told| told.error.http),
            Some(_) => 200,
        };
        let codes: Vec<&str> = judged.errors.iter().map(|told| told.error.code).collect();
        if (http, &codes) != (answer.http, &answer.codes) {
            return Err(format!(
                "the judge says {http} {codes:?}, the engine {} {:?}",
                answer.http, answer.codes
            ));
        }
    }
    // Whatever the judge asked, the engine asked; it asks for more only where something failed, because it resolves level by level
    // and completes afterwards.
    let asked: BTreeSet<Asked> = outcome.calls.iter().flat_map(single).collect();
    if let Some(missing) = verdict.asked.difference(&asked).next() {
        return Err(format!("{missing:?} was not asked"));
    }
    let is_whole = verdict.answers.iter().all(|answer| answer.errors.is_empty());
    if is_whole {
        if let Some(needless) = asked.difference(&verdict.asked).next() {
            return Err(format!("{needless:?} was asked, and nobody wants to know it"));
        }
        if outcome.calls.len() > verdict.batches {
            return Err(format!(
                "{} batches are enough, and there were {:#?}",
                verdict.batches, outcome.calls
            ));
        }
    }
    Ok(())
}

fn single(call: &Asked) -> Vec<Asked> {
    if call.parents.is_empty() {
        return vec![call.clone()];
    }
    let one = |parent: &u64| Asked {
        parents: vec![*parent],
        ..call.clone()
    };
    call.parents.iter().map(one).collect()
}

/// The bytes that the judge expects (section 7.1, and `extensions` as the engines document them).
fn body(judged: &Judged) -> String {
    let errors: Vec<String> = judged.errors.iter().map(error).collect();
    let mut parts = Vec::new();
    parts.extend(judged.data.as_ref().map(|data| format!("\"data\":{data}")));
    if !errors.is_empty() {
        parts.push(format!("\"errors\":[{}]", errors.join(",")));
    }
    format!("{{{}}}", parts.join(","))
}

fn error(Told { path, error }: &Told) -> String {
    let mut out = Map::new();
    if error.code != INVALID {
        out.insert("message".to_owned(), error.message.clone().into());
    }
    if !path.is_empty() {
        out.insert("path".to_owned(), path.clone().into());
    }
    let extensions = if error.code == INVALID {
        json!({ "code": INVALID })
    } else {
        error.extensions(REQUEST).into()
    };
    out.insert("extensions".to_owned(), extensions);
    Value::Object(out).to_string()
}

const INVALID: &str = "INVALID_INPUT";

/// The bytes of an answer, without the words about invalid input: the judge knows that it is wrong, not how that is said.
fn without_words(response: &Response) -> String {
    if !response.codes.contains(&INVALID) {
        return text(response);
    }
    let mut answer: Value = serde_json::from_slice(&response.body).expect("an engine answers with JSON");
    for error in answer["errors"].as_array_mut().into_iter().flatten() {
        if error["extensions"]["code"] == INVALID {
            let error = error.as_object_mut().expect("an error is an object");
            error.shift_remove("message");
            error.insert("extensions".to_owned(), json!({ "code": INVALID }));
        }
    }
    answer.to_string()
}

fn text(response: &Response) -> String {
    String::from_utf8(response.body.to_vec()).expect("JSON is UTF-8")
}
