use std::{
    cell::RefCell,
    collections::BTreeSet,
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use apollo_compiler::ast;
use futures_util::StreamExt;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;
use traitql::{
    AdHoc, Ctx, CtxParts, Document, Engine, Limits, OperationKind, Response,
    engine::{GraphqlEngine, PlanEngine},
};

use crate::{
    dynamic_schema::{CurrentCase, Dynamic, ResolverCall, Resolvers},
    facts::{Facts, MUTATION},
    judge::{Judged, LocatedError, Verdict, judge},
    world::World,
};

const REQUEST: &str = "r1";

pub(crate) struct Bench {
    pub(crate) facts: Arc<Facts>,
    documents: AdHoc,
    reference: (Arc<Resolvers>, GraphqlEngine<Dynamic>),
    planned: (Arc<Resolvers>, PlanEngine<Dynamic>),
    runtime: Runtime,
    /// The last document for the judge, because each is executed in many worlds.
    parsed: RefCell<Option<(String, Arc<ast::Document>)>>,
}

/// The responses of an engine, and the resolver calls that it made.
struct Outcome {
    started: bool,
    answers: Vec<Response>,
    calls: Vec<ResolverCall>,
}

#[derive(Default, Clone, Copy)]
pub(crate) struct Properties {
    pub(crate) bytes: usize,
    pub(crate) errors: usize,
    pub(crate) calls: usize,
    pub(crate) refused: bool,
    pub(crate) without_data: bool,
}

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
        CurrentCase::begin(&facts, &World::default());
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
            parsed: RefCell::default(),
            facts,
        }
    }

    pub(crate) fn check(&self, text: &str) -> Result<Arc<Document>, String> {
        let checked = self.documents.check(text, None);
        let document = checked.map_err(|rejection| format!("{rejection:?}"))?;
        Ok(Arc::new(Document {
            text: document.text.clone(),
            name: document.name.clone(),
            hash: document.hash.clone(),
            trusted: true,
            ..*document
        }))
    }

    /// Others are delegated to the ad-hoc engine.
    pub(crate) fn plan(&mut self, documents: &[Arc<Document>]) {
        CurrentCase::begin(&self.facts, &World::default());
        let resolvers = Arc::clone(&self.planned.0);
        let trusted = documents.iter().map(|document| &**document);
        self.planned.1 = PlanEngine::with_sdl(&self.facts.sdl, resolvers, Arc::default(), trusted);
        // Documents with introspection are delegated to the ad-hoc engine.
        let is_planned =
            |document: &&Arc<Document>| !["__schema", "__type("].iter().any(|it| document.text.contains(it));
        let hashes: BTreeSet<&String> = documents
            .iter()
            .filter(is_planned)
            .map(|document| &document.hash)
            .collect();
        assert_eq!(self.planned.1.size().0, hashes.len(), "documents without a plan");
    }

    pub(crate) fn planned_fields(&self) -> usize {
        CurrentCase::begin(&self.facts, &World::default());
        self.planned.1.size().1
    }

    /// Engines and judge. `Err` describes the difference.
    pub(crate) fn compare(
        &self,
        document: &Arc<Document>,
        variables: &Map<String, Value>,
        world: &World,
    ) -> Result<Properties, String> {
        CurrentCase::begin(&self.facts, world);
        let parsed = self.parsed(&document.text);
        let verdict = judge(&self.facts, world, (&document.text, &parsed), variables, REQUEST);
        let engines: [(_, _, &dyn Engine); 2] = [
            ("async-graphql", &self.reference.0, &self.reference.1),
            ("plans", &self.planned.0, &self.planned.1),
        ];
        let outcomes =
            engines.map(|(name, resolvers, engine)| (name, self.run(resolvers, engine, document, variables, world)));
        let (first, rest) = outcomes.split_first().expect("there are engines");
        for other in rest {
            same(first, other, document.kind)?;
        }
        for (name, outcome) in &outcomes {
            check_against_judge(&verdict, outcome).map_err(|problem| format!("{name} and the judge: {problem}"))?;
        }
        let outcome = &first.1;
        Ok(Properties {
            bytes: outcome.answers.iter().map(|answer| answer.body.len()).sum(),
            errors: verdict.answers.iter().map(|answer| answer.errors.len()).sum(),
            calls: outcome.calls.len(),
            refused: verdict.answers.iter().any(|answer| answer.data.is_none()),
            without_data: verdict.answers.iter().any(|answer| answer.data == Some(Value::Null)),
        })
    }

    fn parsed(&self, text: &str) -> Arc<ast::Document> {
        let mut last = self.parsed.borrow_mut();
        if let Some((known, document)) = &*last
            && known == text
        {
            return Arc::clone(document);
        }
        let document = Arc::new(ast::Document::parse(text, "document").expect("the document is valid"));
        *last = Some((text.to_owned(), Arc::clone(&document)));
        document
    }

    fn run(
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
        let (started, answers) = self.runtime.block_on(async {
            if document.kind != OperationKind::Subscription {
                return (false, vec![engine.execute(&cx, document, variables.clone()).await]);
            }
            match engine.subscribe(cx, Arc::clone(document), variables.clone()).await {
                Ok(events) => (true, events.collect().await),
                Err(rejection) => (false, vec![rejection]),
            }
        });
        let calls = std::mem::take(&mut *resolvers.calls.lock().unwrap());
        Outcome {
            started,
            answers,
            calls,
        }
    }
}

fn same(one: &(&str, Outcome), other: &(&str, Outcome), kind: OperationKind) -> Result<(), String> {
    let ((a, one), (b, other)) = (one, other);
    let description = |outcome: &Outcome| {
        let mut out = format!("started: {}\n", outcome.started);
        for answer in &outcome.answers {
            writeln!(out, "{} {:?} {}", answer.http, answer.codes, text(answer))
                .expect("writing to a string cannot fail");
        }
        out
    };
    if description(one) != description(other) {
        return Err(format!(
            "the responses of {a} and {b} differ\n{a}:\n{}\n{b}:\n{}",
            description(one),
            description(other)
        ));
    }
    let (calls, others) = (in_order(&one.calls, kind), in_order(&other.calls, kind));
    if calls != others {
        return Err(format!(
            "the resolver calls of {a} and {b} differ\n{a}:\n{calls:#?}\n{b}:\n{others:#?}"
        ));
    }
    Ok(())
}

/// Sorts calls whose order is not significant. Mutations run sequentially, including everything below them.
fn in_order(calls: &[ResolverCall], kind: OperationKind) -> Vec<ResolverCall> {
    let is_root = |call: &ResolverCall| kind == OperationKind::Mutation && call.coordinate.starts_with(MUTATION);
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

fn check_against_judge(verdict: &Verdict, outcome: &Outcome) -> Result<(), String> {
    let expected: Vec<String> = verdict.answers.iter().map(body).collect();
    let answers: Vec<String> = outcome.answers.iter().map(without_words).collect();
    if (verdict.started, &expected) != (outcome.started, &answers) {
        return Err(format!(
            "the responses differ\njudge (started: {}):\n{}\nengine (started: {}):\n{}",
            verdict.started,
            expected.join("\n"),
            outcome.started,
            answers.join("\n")
        ));
    }
    for (judged, answer) in verdict.answers.iter().zip(&outcome.answers) {
        let http = match &judged.data {
            None | Some(Value::Null) => judged.errors.first().map_or(200, |located| located.error.http),
            Some(_) => 200,
        };
        let codes: Vec<&str> = judged.errors.iter().map(|located| located.error.code).collect();
        if (http, &codes) != (answer.http, &answer.codes) {
            return Err(format!(
                "the judge expects {http} {codes:?}, the engine returned {} {:?}",
                answer.http, answer.codes
            ));
        }
    }
    // The engine makes additional calls only if something failed.
    let calls_made: BTreeSet<ResolverCall> = outcome.calls.iter().flat_map(single).collect();
    if let Some(missing) = verdict.calls.difference(&calls_made).next() {
        return Err(format!("the call {missing:?} is missing"));
    }
    let is_whole = verdict.answers.iter().all(|answer| answer.errors.is_empty());
    if is_whole {
        if let Some(superfluous) = calls_made.difference(&verdict.calls).next() {
            return Err(format!("the call {superfluous:?} is not needed"));
        }
        if outcome.calls.len() > verdict.batches {
            return Err(format!(
                "{} batches are sufficient, but there were {:#?}",
                verdict.batches, outcome.calls
            ));
        }
    }
    Ok(())
}

fn single(call: &ResolverCall) -> Vec<ResolverCall> {
    if call.parents.is_empty() {
        return vec![call.clone()];
    }
    let one = |parent: &u64| ResolverCall {
        parents: vec![*parent],
        ..call.clone()
    };
    call.parents.iter().map(one).collect()
}

/// Returns the bytes that the judge expects (section 7.1, and `extensions` as documented by the engines).
fn body(judged: &Judged) -> String {
    let errors: Vec<String> = judged.errors.iter().map(error).collect();
    let mut parts = Vec::new();
    parts.extend(judged.data.as_ref().map(|data| format!("\"data\":{data}")));
    if !errors.is_empty() {
        parts.push(format!("\"errors\":[{}]", errors.join(",")));
    }
    format!("{{{}}}", parts.join(","))
}

fn error(LocatedError { path, error }: &LocatedError) -> String {
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

/// The judge knows that input is invalid, but not the engines' wording.
fn without_words(response: &Response) -> String {
    if !response.codes.contains(&INVALID) {
        return text(response);
    }
    let mut answer: Value = serde_json::from_slice(&response.body).expect("an engine returns valid JSON");
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
