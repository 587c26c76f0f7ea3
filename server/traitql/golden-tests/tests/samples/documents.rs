//! Generator, server and engine must accept the same documents. Derived from the schema, partly mutated.

use std::sync::Arc;

use fuzz_input::{Rng, mutated};
use serde_json::Value;
use traitql::{AdHoc, Ctx, CtxParts, Document, Engine, Limits, RateLimits, Rejection};
use traitql_golden::{Resolvers, SDL, engine};
use traitql_schema::model::{Field, InputValue, Model, Type, TypeRef};
use traitql_schema::{Options, SourceText, load};

use super::App;

#[path = "../../../schema/tests/support/fuzz_input.rs"]
mod fuzz_input;

const DOCUMENTS: u64 = 150;

fn unlimited() -> Limits {
    Limits {
        bytes: 1 << 20,
        tokens: 1 << 20,
        recursion: 500,
        depth: 500,
        selections: u64::MAX,
        root_fields: u64::MAX,
        aliases: u64::MAX,
        directives: u64::MAX,
        cost: u64::MAX,
    }
}

struct Writer<'m> {
    model: &'m Model,
    rng: Rng,
    variables: Vec<(String, String)>,
    fragments: Vec<String>,
    /// Defaults cannot contain variables.
    is_constant: bool,
}

impl Writer<'_> {
    fn document(model: &Model, seed: u64) -> String {
        let mut writer = Writer {
            model,
            rng: Rng::with_seed(seed),
            variables: Vec::new(),
            fragments: Vec::new(),
            is_constant: false,
        };
        let (kind, root) = match (seed % 5, &model.mutation) {
            (0, Some(mutation)) => ("mutation", mutation.as_str()),
            _ => ("query", model.query.as_str()),
        };
        let selections = writer.selections(root, 3);
        let variables: Vec<String> = writer
            .variables
            .iter()
            .map(|(name, ty)| format!("${name}: {ty}"))
            .collect();
        let variables = if variables.is_empty() {
            String::new()
        } else {
            format!("({})", variables.join(", "))
        };
        format!("{kind} Made{variables} {selections}\n{}", writer.fragments.concat())
    }

    fn fields(&self, ty: &str) -> &[Field] {
        match self.model.types.get(ty) {
            Some(Type::Object(object)) => &object.fields,
            Some(Type::Interface(interface)) => &interface.fields,
            _ => &[],
        }
    }

    fn selections(&mut self, ty: &str, depth: usize) -> String {
        let mut parts = vec!["__typename".to_owned()];
        for _ in 0..=self.rng.usize(..4) {
            match self.rng.usize(..8) {
                0 => {
                    let on = self.narrower(ty);
                    parts.push(format!("... on {on} {}", self.selections(&on, depth)));
                }
                1 if depth > 0 => {
                    let on = self.narrower(ty);
                    let selections = self.selections(&on, depth - 1);
                    let name = format!("Part{}", self.fragments.len());
                    self.fragments.push(format!("fragment {name} on {on} {selections}\n"));
                    parts.push(format!("...{name}"));
                }
                _ => parts.extend(self.field(ty, depth)),
            }
        }
        format!("{{ {} }}", parts.join(" "))
    }

    fn field(&mut self, ty: &str, depth: usize) -> Option<String> {
        let count = self.fields(ty).len();
        let at = self.rng.usize(..count.max(1));
        let field = self.fields(ty).get(at)?.clone();
        let is_leaf = matches!(
            self.model.types.get(field.ty.name()),
            None | Some(Type::Scalar(_) | Type::Enum(_))
        );
        if !is_leaf && depth == 0 {
            return None;
        }
        let arguments = self.arguments(&field.args);
        let below = if is_leaf {
            String::new()
        } else {
            format!(" {}", self.selections(field.ty.name(), depth - 1))
        };
        let condition = ["", "", "", "", " @include(if: true)", " @skip(if: false)"][self.rng.usize(..6)];
        // Fields with the same response key must be equal.
        let key = format!("{}_{}: ", field.name, self.rng.u32(..1_000_000));
        Some(format!("{key}{}{arguments}{condition}{below}", field.name))
    }

    fn arguments(&mut self, definitions: &[InputValue]) -> String {
        let given: Vec<String> = definitions
            .iter()
            .filter_map(|argument| {
                let is_needed = argument.ty.is_non_null() && argument.default.is_none();
                let is_given = is_needed || self.rng.usize(..2) == 0;
                is_given.then(|| format!("{}: {}", argument.name, self.value(&argument.ty, 3)))
            })
            .collect();
        if given.is_empty() {
            String::new()
        } else {
            format!("({})", given.join(", "))
        }
    }

    fn value(&mut self, ty: &TypeRef, depth: usize) -> String {
        if !self.is_constant && self.rng.usize(..5) == 0 {
            self.is_constant = true;
            let default = self.value(ty, 2);
            self.is_constant = false;
            let name = format!("v{}", self.variables.len());
            self.variables.push((name.clone(), format!("{ty} = {default}")));
            return format!("${name}");
        }
        match ty {
            TypeRef::NonNull(inner) => self.present(inner, depth),
            _ if depth == 0 || self.rng.usize(..4) == 0 => "null".to_owned(),
            _ => self.present(ty, depth),
        }
    }

    fn present(&mut self, ty: &TypeRef, depth: usize) -> String {
        match ty {
            TypeRef::NonNull(inner) => self.present(inner, depth),
            TypeRef::List(entry) => {
                let count = if depth == 0 { 0 } else { self.rng.usize(..3) };
                let entries: Vec<String> = (0..count).map(|_| self.value(entry, depth - 1)).collect();
                format!("[{}]", entries.join(", "))
            }
            TypeRef::Named(name) => match self.model.types.get(name) {
                Some(Type::Enum(ty)) => ty.values[self.rng.usize(..ty.values.len())].name.clone(),
                Some(Type::Input(input)) if input.one_of => {
                    let field = input.fields[self.rng.usize(..input.fields.len())].clone();
                    let present = TypeRef::NonNull(Box::new(field.ty.nullable().clone()));
                    format!(
                        "{{ {}: {} }}",
                        field.name,
                        self.present(&present, depth.saturating_sub(1))
                    )
                }
                Some(Type::Input(input)) => {
                    let fields: Vec<InputValue> = input.fields.clone();
                    let needed = |field: &InputValue| field.ty.is_non_null() && field.default.is_none();
                    let given: Vec<String> = fields
                        .iter()
                        .filter_map(|field| {
                            let is_given = needed(field) || depth > 0 && self.rng.usize(..3) == 0;
                            is_given
                                .then(|| format!("{}: {}", field.name, self.value(&field.ty, depth.saturating_sub(1))))
                        })
                        .collect();
                    format!("{{ {} }}", given.join(", "))
                }
                _ => match name.as_str() {
                    "Int" => (self.rng.usize(..40)).to_string(),
                    "Float" => format!("{}.5", self.rng.usize(..3)),
                    "Boolean" => ["true", "false"][self.rng.usize(..2)].to_owned(),
                    "DateTime" => "\"2026-01-01T00:00:00Z\"".to_owned(),
                    _ => format!("\"x{}\"", self.rng.usize(..9)),
                },
            },
        }
    }

    fn narrower(&mut self, ty: &str) -> String {
        let members = match self.model.types.get(ty) {
            Some(Type::Interface(interface)) => &interface.members,
            Some(Type::Union(union)) => &union.members,
            _ => return ty.to_owned(),
        };
        members
            .get(self.rng.usize(..members.len() + 1))
            .map_or(ty, String::as_str)
            .to_owned()
    }
}

struct Judges {
    schema: Vec<SourceText>,
    server: AdHoc,
}

impl Judges {
    /// Validates a document against the specification, without traitql's conventions for files.
    fn generator(&self, text: &str) -> Result<(), String> {
        let documents = [SourceText::new("operations/Made.graphql", text)];
        let report = load(&self.schema, &documents, &Options::lenient())
            .err()
            .unwrap_or_default();
        let rules = |id: &str| ["S", "G", "V", "D"].iter().any(|area| id.starts_with(area));
        let found = report.diagnostics().iter().filter(|found| rules(found.code.id));
        let found: Vec<String> = found
            .map(|found| format!("{}: {}", found.code, found.message))
            .collect();
        if found.is_empty() {
            Ok(())
        } else {
            Err(found.join("\n"))
        }
    }

    fn server(&self, text: &str) -> Result<Arc<Document>, Rejection> {
        self.server.check(text, None)
    }
}

fn model(schema: &[SourceText]) -> Model {
    load(schema, &[], &Options::lenient()).unwrap_or_else(|report| panic!("{report}"))
}

#[tokio::test]
async fn generator_and_server_accept_the_same_documents() {
    let judges = Judges {
        schema: vec![SourceText::new("schema/schema.graphql", SDL)],
        server: AdHoc::new(SDL, unlimited()).unwrap(),
    };
    let model = model(&judges.schema);
    let engine = engine(&Resolvers::new(Arc::new(App)), Arc::new(RateLimits::default()));
    let cx: Ctx = CtxParts::default().into();
    let (mut accepted, mut refused, mut answered) = (0, 0, 0);
    for seed in 0..DOCUMENTS {
        let right = Writer::document(&model, seed);
        let changed = mutated(std::slice::from_ref(&right), &mut Rng::with_seed(seed));
        for text in [right, changed] {
            let verdict = judges.generator(&text);
            let checked = judges.server(&text);
            if is_about_the_request(&checked) {
                continue;
            }
            let shown = checked.as_ref().map(|document| &document.hash);
            assert_eq!(
                verdict.is_ok(),
                checked.is_ok(),
                "seed {seed}:\n{verdict:?}\n{shown:?}\n{text}"
            );
            let Ok(document) = checked else {
                refused += 1;
                continue;
            };
            accepted += 1;
            let response = engine.execute(&cx, &document, Default::default()).await;
            let body: Value = serde_json::from_slice(&response.body).unwrap();
            let wrong = response
                .codes
                .iter()
                .find(|code| ["INVALID_DOCUMENT", "INTERNAL"].contains(*code));
            assert_eq!(wrong, None, "seed {seed}: {body:#}\n{text}");
            answered += u32::from(body["data"].is_object());
        }
    }
    assert!(
        accepted > 100 && refused > 50 && answered > 50,
        "{accepted} accepted, {refused} refused, {answered} answered with data"
    );
}

/// True if the request does not select an operation.
fn is_about_the_request(checked: &Result<Arc<Document>, Rejection>) -> bool {
    match checked {
        Err(Rejection::Invalid(violations)) => violations.iter().any(|found| {
            found.problem.starts_with("it has several operations") || found.problem.starts_with("it has no operation")
        }),
        _ => false,
    }
}
