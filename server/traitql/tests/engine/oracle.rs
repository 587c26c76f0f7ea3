//! The engine against an executor that resolves one field at a time (apollo-compiler's): hundreds of generated documents over
//! a world of generated objects, full of nulls and errors, must give the same data and the same errors in the same order.

use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::{Arc, OnceLock},
};

use apollo_compiler::{
    ExecutableDocument, Schema,
    ast::Type,
    resolvers::{Execution, ExecutionError, ObjectValue, ResolveInfo, ResolvedValue},
    response::JsonMap,
    schema::ExtendedType,
    validation::Valid,
};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use traitql::{
    CtxParts, Engine, FieldError, Rates,
    engine::{Answer, Call, EventColumns, GraphqlEngine, RowSet, Rows, Sentence, Shape, Wiring, rows_of},
};

use crate::document;

fn schema() -> &'static Valid<Schema> {
    static SCHEMA: OnceLock<Valid<Schema>> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema::parse_and_validate(Generated::SDL, "schema").unwrap())
}

/// An object: everything about it follows from its type and its number.
#[derive(Clone, Copy)]
struct Thing {
    type_name: &'static str,
    number: u64,
}

/// What a field answers, for either executor.
enum Given {
    Null,
    Failed,
    Leaf(Value),
    Thing(Thing),
    List(Vec<Given>),
}

impl Thing {
    fn field(self, name: &str, arguments: &BTreeMap<String, String>) -> Given {
        let definition = schema().type_field(self.type_name, name).unwrap();
        given(
            &definition.ty,
            hash((self.type_name, self.number % 40, name, arguments)),
        )
    }
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

fn given(ty: &Type, seed: u64) -> Given {
    let (null, failure) = if ty.is_non_null() { (41, 37) } else { (7, 11) };
    if seed.is_multiple_of(null) {
        return Given::Null;
    }
    if seed.is_multiple_of(failure) {
        return Given::Failed;
    }
    match ty {
        Type::List(item) | Type::NonNullList(item) => {
            let entries = (0..hash((seed, "length")) % 4).map(|at| given(item, hash((seed, at))));
            Given::List(entries.collect())
        }
        Type::Named(name) | Type::NonNullNamed(name) => match &schema().types[name] {
            ExtendedType::Scalar(_) => Given::Leaf(match name.as_str() {
                "Int" => json!(seed % 1000),
                "Float" => json!((seed % 1000) as f64 / 8.0),
                "Boolean" => json!(seed.is_multiple_of(2)),
                _ => json!(format!("{name} {}", seed % 1000)),
            }),
            _ => {
                let members = members(name);
                Given::Thing(Thing {
                    type_name: members[(seed % members.len() as u64) as usize],
                    number: seed >> 8,
                })
            }
        },
    }
}

/// The object types that a value of a composite type can have.
fn members(name: &str) -> Vec<&'static str> {
    let objects = schema().types.iter().filter(|(_, ty)| ty.is_object());
    let members = objects
        .map(|(member, _)| member.as_str())
        .filter(|m| *m == name || schema().is_subtype(name, m));
    members.collect()
}

fn root(number: u64) -> Thing {
    Thing {
        type_name: "Query",
        number,
    }
}

struct Generated;

impl Wiring for Generated {
    type Schema = ();
    type Role = ();
    const SDL: &'static str = include_str!("schema.graphql");
    const QUERY: &'static str = "Query";
    const MUTATION: Option<&'static str> = Some("Mutation");
    const SUBSCRIPTION: Option<&'static str> = None;
    const SENTENCES: &'static [Sentence] = &[];

    fn column<'c>(rows: &'c dyn Rows, call: &'c Call<'c, Self>) -> Answer<'c> {
        let things = match call.parent() {
            "Query" if rows.as_any().is::<Vec<()>>() => vec![root(call.cx().request_id().parse().unwrap())],
            _ => rows_of::<Thing>(rows).to_vec(),
        };
        let ask = async move {
            // Some resolvers answer at once, some later.
            for _ in 0..hash((call.parent(), call.field())) % 3 {
                tokio::task::yield_now().await;
            }
            let arguments = call
                .arguments()?
                .into_iter()
                .map(|(name, value)| (name, value.to_string()))
                .collect();
            Ok(things
                .into_iter()
                .map(|thing| thing.field(call.field(), &arguments))
                .collect::<Vec<_>>())
        };
        call.column(ask, |given: Vec<Given>, rows| {
            given.into_iter().map(|given| given.shape(rows)).collect()
        })
    }

    fn events<'c>(_: &'c Call<'c, Self>) -> BoxFuture<'c, Result<EventColumns, FieldError>> {
        Box::pin(async { Err(FieldError::internal("there are no events")) })
    }
}

impl Given {
    fn shape(self, rows: &mut RowSet) -> Shape {
        match self {
            Self::Null => Shape::Null,
            Self::Failed => Shape::failed(FieldError::new("FAILED", 400, "failed")),
            Self::Leaf(value) => Shape::Leaf(value),
            Self::Thing(thing) => rows.push(thing.type_name, thing),
            Self::List(entries) => Shape::List(entries.into_iter().map(|entry| entry.shape(rows)).collect()),
        }
    }

    fn resolved<'a>(self) -> Result<ResolvedValue<'a>, ExecutionError> {
        Ok(match self {
            Self::Null => ResolvedValue::null(),
            Self::Failed => {
                return Err(ExecutionError {
                    message: "failed".to_owned(),
                });
            }
            Self::Leaf(value) => ResolvedValue::leaf(value),
            Self::Thing(thing) => ResolvedValue::object(thing),
            Self::List(entries) => ResolvedValue::List(Box::new(entries.into_iter().map(Self::resolved))),
        })
    }
}

impl ObjectValue for Thing {
    fn type_name(&self) -> &str {
        self.type_name
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, ExecutionError> {
        let arguments = info
            .arguments()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), value.to_string()));
        self.field(info.field_name(), &arguments.collect()).resolved()
    }
}

/// Writes documents. The same seed gives the same document.
struct Writer {
    seed: u64,
    fragments: Vec<String>,
}

impl Writer {
    fn below(&mut self, bound: u64) -> u64 {
        self.seed = hash(self.seed);
        self.seed % bound
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }

    fn condition(&mut self) -> &'static str {
        let none = [""; 8];
        let some = [
            " @skip(if: $yes)",
            " @skip(if: $no)",
            " @include(if: $yes)",
            " @include(if: $no)",
            " @include(if: true)",
        ];
        let all: Vec<&str> = none.iter().chain(&some).copied().collect();
        self.one(&all)
    }

    fn selections(&mut self, type_name: &str, depth: u32) -> String {
        let mut out = "__typename ".to_owned();
        for _ in 0..=self.below(4) {
            let condition = self.condition();
            match self.below(6) {
                0 => {
                    let on = self.overlapping(type_name);
                    out += &format!("... on {on}{condition} {{ {}}} ", self.selections(on, depth));
                }
                1 if depth > 0 => {
                    let on = self.overlapping(type_name);
                    let selections = self.selections(on, depth - 1);
                    let name = format!("F{}", self.fragments.len());
                    self.fragments
                        .push(format!("fragment {name} on {on} {{ {selections}}}\n"));
                    out += &format!("...{name}{condition} ");
                    if self.below(2) == 0 {
                        out += &format!("...{name} ");
                    }
                }
                _ => out += &self.field(type_name, depth, condition),
            }
        }
        out
    }

    fn field(&mut self, type_name: &str, depth: u32, condition: &str) -> String {
        let fields: Vec<_> = match &schema().types[type_name] {
            ExtendedType::Object(ty) => ty.fields.values().collect(),
            ExtendedType::Interface(ty) => ty.fields.values().collect(),
            _ => return String::new(),
        };
        let field = fields[usize::try_from(self.below(fields.len() as u64)).unwrap()];
        let composite = !schema().types[field.ty.inner_named_type()].is_scalar();
        if composite && depth == 0 {
            return String::new();
        }
        let arguments: Vec<String> = field
            .arguments
            .iter()
            .filter_map(|argument| {
                let value = match argument.ty.inner_named_type().as_str() {
                    "Int" => ["1", "2", "$two"][usize::try_from(self.below(3)).unwrap()],
                    "ID" => ["\"a\"", "\"b\""][usize::try_from(self.below(2)).unwrap()],
                    "Boolean" => ["true", "null", "$yes"][usize::try_from(self.below(3)).unwrap()],
                    _ => return None,
                };
                (argument.is_required() || self.below(2) == 0).then(|| format!("{}: {value}", argument.name))
            })
            .collect();
        let arguments = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        // Equal keys must mean equal fields: the key says what is asked.
        let key = match self.below(3) {
            0 if arguments.is_empty() => String::new(),
            _ => format!(
                "{}_{}: ",
                field.name,
                hash((field.ty.to_string(), &arguments)) % 100_000
            ),
        };
        let below = if composite {
            format!(" {{ {}}}", self.selections(field.ty.inner_named_type(), depth - 1))
        } else {
            String::new()
        };
        format!("{key}{}{arguments}{condition}{below} ", field.name)
    }

    /// A type that objects of `type_name` may have, or an interface that they may implement.
    fn overlapping(&mut self, type_name: &str) -> &'static str {
        let mine = members(type_name);
        let types = schema()
            .types
            .iter()
            .filter(|(_, ty)| ty.is_object() || ty.is_interface() || ty.is_union());
        let names = types.map(|(name, _)| name.as_str());
        let names: Vec<&str> = names
            .filter(|name| members(name).iter().any(|member| mine.contains(member)))
            .collect();
        self.one(&names)
    }
}

/// A document, and whether it is valid: generated fragments may select one key with two types.
fn write(seed: u64) -> (String, Option<Valid<ExecutableDocument>>) {
    let mut writer = Writer {
        seed,
        fragments: Vec::new(),
    };
    let selections = writer.selections("Query", 4);
    let text = format!(
        "query ($yes: Boolean! = true, $no: Boolean! = false, $two: Int! = 2) {{ {selections}\n  v: tours(first: $two) @include(if: $yes) @skip(if: $no) {{ id }} }}\n{}",
        writer.fragments.concat()
    );
    let document = ExecutableDocument::parse_and_validate(schema(), &text, "document").ok();
    (text, document)
}

#[tokio::test]
async fn generated_documents_are_answered_as_by_an_executor_that_resolves_field_by_field() {
    let engine = GraphqlEngine::<Generated>::new(Arc::new(()), Arc::new(Rates::default()));
    let (mut valid, mut with_errors, mut without_data, mut longest) = (0, 0, 0, 0);
    for seed in 0..400 {
        let (text, Some(parsed)) = write(seed) else { continue };
        let none = JsonMap::default();
        let execution = Execution::new(schema(), &parsed).raw_variable_values(&none);
        let expected = execution.execute_sync(&root(seed)).unwrap();
        let expected = serde_json::to_value(expected).unwrap();
        let cx = CtxParts {
            request_id: seed.to_string(),
            ..CtxParts::default()
        }
        .into();
        let response = engine.execute(&cx, &document(&text), Default::default()).await;
        let body = String::from_utf8(response.body.to_vec()).unwrap();
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(answer["data"].to_string(), expected["data"].to_string(), "{text}");
        assert_eq!(paths(&answer), paths(&expected), "{text} {expected:#}");
        valid += 1;
        with_errors += usize::from(answer.get("errors").is_some());
        without_data += usize::from(answer["data"].is_null());
        longest = longest.max(body.len());
    }
    // The comparison says something only when there was much to compare.
    assert!(valid > 200, "{valid} documents were valid");
    assert!(
        with_errors > 100 && valid - with_errors > 10,
        "{with_errors} of {valid} had errors"
    );
    assert!(
        without_data > 20 && longest > 2_000,
        "{without_data} without data, the longest had {longest} bytes"
    );
}

fn paths(answer: &Value) -> Vec<String> {
    answer["errors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|error| error["path"].to_string())
        .collect()
}
