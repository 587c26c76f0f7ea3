//! async-graphql must accept the documents that traitql accepts, and vice versa, except for known differences.
//!
//! The documents are random mutations with fixed seeds. `TRAITQL_FUZZ=200000 cargo test -p traitql-schema --test
//! async_graphql` tries that many.
#![allow(clippy::unwrap_used)]
#![allow(
    clippy::unused_async,
    unused_variables,
    reason = "nothing is executed: only validation is compared"
)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::futures_util::{FutureExt, Stream, stream};
use async_graphql::{
    Enum, ID, InputObject, Interface, Object, OneofObject, Schema, ServerError, SimpleObject, Subscription, Union,
    ValidationResult,
};
use fuzz_input::{Rng, mutated, renamed};
use traitql_schema::{Options, SourceText, load};

#[path = "support/fuzz_input.rs"]
mod fuzz_input;

const DOCUMENTS: u64 = 2_000;

/// Code, a part of such documents, and the reason.
const STRICTER: &[(&str, &str, &str)] = &[
    (
        "S001",
        "fragment on on ",
        "async-graphql accepts `on` as the name of a fragment",
    ),
    (
        "D012",
        "$",
        "async-graphql has the rule but never runs it, because its visitor does not pass on values",
    ),
    (
        "D015",
        "__typename {",
        "async-graphql does not check the selection of `__typename`",
    ),
];

/// async-graphql's parser keeps only the last one.
const DUPLICATE_INPUT_FIELD: &str = "V006";

const VALID: &[&str] = &[
    "query A { book(id: \"1\") { id title(upper: true) state tags author { name books(first: 2) { id } } } }",
    "query B($id: ID!, $upper: Boolean = false, $some: Boolean!) { one: book(id: $id) { title(upper: $upper) @include(if: $some) } two: book(id: $id) { ...F } } fragment F on Book { id title(upper: $upper) author @skip(if: $some) { name } }",
    "query C { search(text: \"x\") { __typename ... on Book { id state } ... on Author { name } ... on Node { id } } nodes { id ... on Book { tags } ...N } } fragment N on Node { id ... on Author { name } }",
    "query D($filter: Filter, $states: [State!], $pick: Pick!) { books(filter: $filter, states: $states, first: 3) { id } picked(pick: $pick) { id } }",
    "query E { books(filter: { text: \"x\", states: [OUT, DRAFT], and: { most: 1.5 } }, states: OUT) { id title } picked(pick: { id: 3 }) { id } }",
    "mutation G($input: BookInput!) { add(input: $input) { id author { id name } } more: add(input: { title: \"t\", pages: 3 }) { state } }",
    "subscription H($state: State) { added(state: $state) { id title state } }",
    "{ __typename books { ...L } } fragment L on Book { id author { ...M } } fragment M on Author { id books(first: 1) { title } }",
    "query I { __schema { types { name fields { name } } } __type(name: \"Book\") { kind } }",
    "query J($a: Int, $b: Int! = 2, $c: [ID!]!) { byIds(ids: $c) { id } a: books(first: $a) { id } b: books(first: $b) { id } }",
];

#[derive(Enum, Copy, Clone, Eq, PartialEq)]
enum State {
    Draft,
    Out,
}

#[derive(InputObject)]
struct Filter {
    text: Option<String>,
    states: Option<Vec<State>>,
    most: Option<f64>,
    and: Option<Box<Filter>>,
}

#[derive(InputObject)]
struct BookInput {
    title: String,
    pages: i32,
    #[graphql(default = true)]
    is_new: bool,
    tags: Option<Vec<String>>,
}

#[derive(OneofObject)]
enum Pick {
    Id(ID),
    Title(String),
}

struct Book;

#[Object]
impl Book {
    async fn id(&self) -> ID {
        "1".into()
    }
    async fn title(&self, upper: Option<bool>) -> String {
        String::new()
    }
    async fn state(&self) -> State {
        State::Out
    }
    async fn tags(&self) -> Vec<String> {
        Vec::new()
    }
    async fn author(&self) -> Option<Author> {
        None
    }
}

struct Author;

#[Object]
impl Author {
    async fn id(&self) -> ID {
        "1".into()
    }
    async fn name(&self) -> String {
        String::new()
    }
    async fn books(&self, #[graphql(default = 10)] first: i32) -> Vec<Book> {
        Vec::new()
    }
}

#[derive(SimpleObject)]
struct Note {
    id: ID,
    pages: Option<i32>,
}

#[derive(Interface)]
#[graphql(field(name = "id", ty = "ID"))]
enum Node {
    Book(Book),
    Author(Author),
}

#[derive(Union)]
enum Found {
    Book(Book),
    Author(Author),
    Note(Note),
}

struct Query;

#[Object]
impl Query {
    async fn book(&self, id: ID) -> Option<Book> {
        None
    }
    async fn books(&self, filter: Option<Filter>, states: Option<Vec<State>>, first: Option<i32>) -> Vec<Book> {
        Vec::new()
    }
    async fn by_ids(&self, ids: Vec<ID>) -> Vec<Book> {
        Vec::new()
    }
    async fn picked(&self, pick: Pick) -> Option<Book> {
        None
    }
    async fn search(&self, text: String) -> Vec<Found> {
        Vec::new()
    }
    async fn nodes(&self) -> Vec<Node> {
        Vec::new()
    }
}

struct Mutation;

#[Object]
impl Mutation {
    async fn add(&self, input: BookInput) -> Book {
        Book
    }
}

struct Events;

#[Subscription]
impl Events {
    async fn added(&self, state: Option<State>) -> impl Stream<Item = Book> {
        stream::empty()
    }
    async fn removed(&self) -> impl Stream<Item = ID> {
        stream::empty()
    }
}

/// Stops the execution.
#[derive(Clone, Default)]
struct Verdict(Arc<Mutex<Option<Vec<String>>>>);

impl ExtensionFactory for Verdict {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(self.clone())
    }
}

#[async_graphql::async_trait::async_trait]
impl Extension for Verdict {
    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        let result = next.run(ctx).await;
        let errors = result.as_ref().err().into_iter().flatten();
        *self.0.lock().unwrap() = Some(errors.map(|error| error.message.clone()).collect());
        Err(Vec::new())
    }
}

struct Judge {
    schema: Schema<Query, Mutation, Events>,
    verdict: Verdict,
}

impl Judge {
    /// Returns async-graphql's validation errors, or `None` if it cannot parse the document.
    fn errors(&self, document: &str) -> Option<Vec<String>> {
        *self.verdict.0.lock().unwrap() = None;
        let response = self.schema.execute(document).now_or_never();
        response.expect("validation never waits");
        self.verdict.0.lock().unwrap().take()
    }
}

fn codes(sdl: &str, document: &str) -> Vec<&'static str> {
    let schema = [SourceText::new("schema.graphql", sdl)];
    let documents = [SourceText::new("operations.graphql", document)];
    let report = load(&schema, &documents, &Options::lenient()).err().unwrap_or_default();
    let codes = report.diagnostics().iter().map(|found| found.code.id);
    codes.filter(|code| code.starts_with(['S', 'G', 'V', 'D'])).collect()
}

/// Splits a text into words, keeping everything in parentheses together.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in text.split_inclusive(' ') {
        match words.last_mut() {
            Some(last) if last.matches('(').count() > last.matches(')').count() => last.push_str(part),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// Splits a word into the text before, in and after its parentheses.
fn parts(word: &str) -> Option<(&str, Vec<&str>, &str)> {
    let (head, rest) = word.split_once('(')?;
    let (inner, tail) = rest.rsplit_once(')')?;
    Some((head, inner.split(", ").collect(), tail))
}

/// Adds, removes or replaces one word, argument or variable.
fn mutate_slightly(texts: &[String], rng: &mut Rng) -> String {
    let all: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    let mut words = words(&texts[rng.usize(..texts.len())]);
    let at = rng.usize(..words.len().max(1));
    let changed = match parts(&words[at]) {
        Some((head, mut inner, tail)) if rng.usize(..3) > 0 => {
            let others: Vec<&str> = all
                .iter()
                .filter_map(|word| parts(word))
                .flat_map(|parts| parts.1)
                .collect();
            change(&mut inner, &others, rng);
            Some(if inner.is_empty() {
                format!("{head}{tail}")
            } else {
                format!("{head}({}){tail}", inner.join(", "))
            })
        }
        _ => None,
    };
    match changed {
        Some(word) => words[at] = word,
        None => change(&mut words, &all, rng),
    }
    words.concat()
}

fn change<T: Clone>(list: &mut Vec<T>, others: &[T], rng: &mut Rng) {
    let (at, other) = (
        rng.usize(..list.len().max(1)),
        others[rng.usize(..others.len())].clone(),
    );
    match rng.usize(..3) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, other),
        _ => list[at] = other,
    }
}

#[test]
fn traitql_and_async_graphql_accept_the_same_documents() {
    let count =
        std::env::var("TRAITQL_FUZZ").map_or(DOCUMENTS, |count| count.parse().expect("TRAITQL_FUZZ is a number"));
    let verdict = Verdict::default();
    let schema = Schema::build(Query, Mutation, Events)
        .extension(verdict.clone())
        .finish();
    let sdl = schema.sdl();
    let judge = Judge { schema, verdict };
    let valid: Vec<String> = VALID.iter().map(|text| (*text).to_owned()).collect();
    for text in &valid {
        assert_eq!(
            (codes(&sdl, text), judge.errors(text)),
            (vec![], Some(vec![])),
            "{text}\n{sdl}"
        );
    }

    let (mut accepted, mut rejected, mut differences) = (0_u64, 0_u64, BTreeMap::new());
    for seed in 0..count {
        let mut rng = Rng::with_seed(seed);
        let text = match seed % 4 {
            0 => renamed(&valid, &mut rng),
            1 => mutated(&valid, &mut rng),
            _ => mutate_slightly(&valid, &mut rng),
        };
        let theirs = judge.errors(&text);
        // Most documents that cannot be parsed are alike.
        if theirs.is_none() && seed % 8 != 0 {
            continue;
        }
        let ours = codes(&sdl, &text);
        match theirs {
            Some(errors) if errors.is_empty() && ours.is_empty() => accepted += 1,
            Some(errors) if errors.is_empty() => {
                let is_known = |code: &&str| {
                    STRICTER
                        .iter()
                        .any(|(known, part, _)| known == code && text.contains(part))
                };
                if !ours.contains(&DUPLICATE_INPUT_FIELD) && !ours.iter().all(is_known) {
                    differences
                        .entry(format!("rejected only by traitql: {ours:?}"))
                        .or_insert(text);
                }
            }
            Some(errors) if ours.is_empty() => {
                differences
                    .entry(format!("rejected only by async-graphql: {errors:?}"))
                    .or_insert(text);
            }
            Some(_) => rejected += 1,
            None if ours.is_empty() => {
                differences
                    .entry("syntax error only for async-graphql".to_owned())
                    .or_insert(text);
            }
            None => {}
        }
    }
    let listed = differences.iter().map(|(what, text)| format!("{what}\n{text}\n\n"));
    assert!(differences.is_empty(), "{}{sdl}", listed.collect::<String>());
    // The comparison is meaningful only with many documents of both kinds.
    assert!(
        accepted * 20 > count && rejected * 5 > count,
        "{accepted} accepted, {rejected} rejected of {count}"
    );
}
