//! The third opinion: chapter 6 of the specification (GraphQL September 2025), one algorithm a function, one field of one object
//! at a time. It shares no code with the engines: it reads the text of the document with the parser and nothing else.
//!
//! Where the specification leaves open what is told, it does what the engines document: fields are completed in the order
//! of the answer, and an object is given up at its first field that leaves nothing.

mod coerce;
mod collect;

use std::collections::{BTreeSet, HashSet};

use apollo_compiler::{
    ExecutableDocument, Node,
    ast::{self, Field, OperationType, Selection, Type},
    introspection,
    response::JsonMap,
    validation::Valid,
};
use serde_json::{Map, Value, json};
use traitql::FieldError;

use self::coerce::{Coercion, Wrong};
use crate::{
    facts::{Facts, MUTATION, QUERY, SUBSCRIPTION},
    wiring::{Asked, is_data, root},
    world::{Broken, Given, Thing, World, canonical, is_refused},
};

/// What the judge says about a case.
pub(crate) struct Verdict {
    /// One for a query or mutation, one per event of a subscription.
    pub(crate) answers: Vec<Judged>,
    /// Whether a subscription has begun.
    pub(crate) begun: bool,
    /// Single questions to resolvers, each with at most one parent.
    pub(crate) asked: BTreeSet<Asked>,
    /// How many calls there may be: one per field of all objects at one path that have one type and the same selections.
    pub(crate) batches: usize,
}

/// One answer.
pub(crate) struct Judged {
    /// `None` where nothing was executed.
    pub(crate) data: Option<Value>,
    pub(crate) errors: Vec<Told>,
}

/// One error of an answer.
#[derive(Clone)]
pub(crate) struct Told {
    pub(crate) path: Vec<Value>,
    pub(crate) error: FieldError,
}

/// Nothing can stand here: the nearest place above that may be null is.
struct Bubble;

type Completed = Result<Value, Bubble>;

/// The fields of one response key.
type Fields<'d> = Vec<&'d Node<Field>>;

pub(crate) struct Judge<'a> {
    facts: &'a Facts,
    world: &'a World,
    document: &'a ast::Document,
    request_id: &'a str,
    variables: Map<String, Value>,
    introspected: Map<String, Value>,
    path: Vec<Value>,
    errors: Vec<Told>,
    asked: BTreeSet<Asked>,
    batches: HashSet<String>,
    /// Number of the event of a subscription: each has batches of its own.
    event: usize,
}

/// Executes the only operation of a document (ExecuteRequest).
pub(crate) fn judge(
    facts: &Facts,
    world: &World,
    text: &str,
    variables: &Map<String, Value>,
    request_id: &str,
) -> Verdict {
    let document = &ast::Document::parse(text, "document").expect("the document is valid");
    let mut operations = document
        .definitions
        .iter()
        .filter_map(ast::Definition::as_operation_definition);
    let operation = operations.next().expect("the document is valid");
    let mut judge = Judge {
        facts,
        world,
        document,
        request_id,
        variables: Map::new(),
        introspected: Map::new(),
        path: Vec::new(),
        errors: Vec::new(),
        asked: BTreeSet::new(),
        batches: HashSet::new(),
        event: 0,
    };
    let coercion = Coercion { facts };
    let answers = match coercion.variables(&operation.variables, variables) {
        Err(Wrong) => vec![Judged {
            data: None,
            errors: vec![judge.told(invalid())],
        }],
        Ok(variables) => {
            judge.variables = variables;
            judge.operation(text, operation)
        }
    };
    let begun =
        operation.operation_type == OperationType::Subscription && answers.iter().all(|answer| answer.data.is_some());
    Verdict {
        answers,
        begun,
        asked: judge.asked,
        batches: judge.batches.len(),
    }
}

impl<'a> Judge<'a> {
    fn operation(&mut self, text: &str, operation: &'a ast::OperationDefinition) -> Vec<Judged> {
        let selections = [operation.selection_set.as_slice()];
        match operation.operation_type {
            OperationType::Query => {
                self.introspected = self.introspect(text);
                let data = self.selection_set(root(QUERY), &selections, "");
                vec![self.answer(data)]
            }
            // ExecuteSelectionSet goes one field after the other anyway; serially is what that means for effects.
            OperationType::Mutation => {
                let data = self.selection_set(root(MUTATION), &selections, "");
                vec![self.answer(data)]
            }
            OperationType::Subscription => self.subscription(&selections),
        }
    }

    fn answer(&mut self, data: Completed) -> Judged {
        Judged {
            data: Some(data.unwrap_or(Value::Null)),
            errors: std::mem::take(&mut self.errors),
        }
    }

    /// CreateSourceEventStream and MapSourceToResponseEvent.
    fn subscription(&mut self, selections: &[&'a [Selection]]) -> Vec<Judged> {
        let fields = self.collect(SUBSCRIPTION, selections);
        let (key, fields) = fields.into_iter().next().expect("a subscription has one root field");
        let name = fields[0].name.as_str();
        let definition = self.facts.field(SUBSCRIPTION, name).expect("the document is valid");
        self.path.push(key.into());
        let begun = self.arguments(SUBSCRIPTION, fields[0]).and_then(|arguments| {
            let coordinate = format!("{SUBSCRIPTION}.{name}");
            self.batches.insert(coordinate.clone());
            self.ask(&coordinate, &arguments, None);
            match self.world.broken(&coordinate, &arguments) {
                Some(Broken::Fails(error)) => Err(error),
                Some(Broken::Panics) => Err(FieldError::internal("")),
                Some(Broken::Short) | None => self.world.events(self.facts, name, &arguments),
            }
        });
        let answers = match begun {
            Err(error) => {
                let errors = vec![self.told(error)];
                vec![Judged { data: None, errors }]
            }
            Ok(events) => events
                .into_iter()
                .map(|event| {
                    self.event += 1;
                    let value = event.map_err(|error| self.fail(error));
                    let value = value.and_then(|given| self.complete(&definition.ty, &fields, given, ""));
                    let value = position(&definition.ty, value);
                    let data = value.map(|value| json!({ key: value }));
                    self.answer(data)
                })
                .collect(),
        };
        self.path.pop();
        answers
    }

    /// ExecuteSelectionSet. `group` names the selections through which the object came.
    fn selection_set(&mut self, thing: Thing, selections: &[&'a [Selection]], group: &str) -> Completed {
        let mut data = Map::new();
        for (key, fields) in self.collect(thing.type_name, selections) {
            self.path.push(key.into());
            let value = self.field(thing, key, &fields, group);
            self.path.pop();
            data.insert(key.to_owned(), value?);
        }
        Ok(Value::Object(data))
    }

    /// ExecuteField.
    fn field(&mut self, thing: Thing, key: &str, fields: &Fields<'a>, group: &str) -> Completed {
        let name = fields[0].name.as_str();
        if name == "__typename" {
            return Ok(thing.type_name.into());
        }
        if name.starts_with("__") {
            return Ok(self.introspected.get(key).cloned().unwrap_or_default());
        }
        let definition = self.facts.field(thing.type_name, name).expect("the document is valid");
        // Objects of one type at one path are asked about together if they came through the same selections.
        let nodes: Vec<_> = fields.iter().map(|field| std::ptr::from_ref(&***field)).collect();
        let keys: Vec<&str> = self.path.iter().filter_map(Value::as_str).collect();
        let place = format!("{} {} {} {group}", self.event, keys.join("."), thing.type_name);
        let value = match self.resolve(thing, fields[0], place) {
            Err(error) => Err(self.fail(error)),
            Ok(given) => self.complete(&definition.ty, fields, given, &format!("{nodes:?}")),
        };
        position(&definition.ty, value)
    }

    /// ResolveFieldValue, with the arguments of CoerceArgumentValues.
    fn resolve(&mut self, thing: Thing, field: &Node<Field>, place: String) -> Result<Given, FieldError> {
        let name = field.name.as_str();
        let coordinate = format!("{}.{name}", thing.type_name);
        if is_data(self.facts, thing.type_name, name) {
            if self.world.panics(thing, name) {
                return Err(FieldError::internal(""));
            }
            return Ok(self.world.answer(self.facts, thing, name, &Map::new(), true));
        }
        let arguments = self.arguments(thing.type_name, field)?;
        self.batches.insert(place);
        let is_root = [QUERY, MUTATION].contains(&thing.type_name);
        self.ask(&coordinate, &arguments, (!is_root).then_some(thing.number));
        match self.world.broken(&coordinate, &arguments) {
            Some(Broken::Fails(error)) => Err(error),
            Some(Broken::Panics) => Err(FieldError::internal("")),
            Some(Broken::Short) if !is_root => Err(FieldError::internal("")),
            _ => match self.world.answer(self.facts, thing, name, &arguments, false) {
                Given::Failed(error) => Err(error),
                given => Ok(given),
            },
        }
    }

    fn arguments(&self, type_name: &str, field: &Field) -> Result<Map<String, Value>, FieldError> {
        let definition = self.facts.field(type_name, &field.name).expect("the document is valid");
        let coercion = Coercion { facts: self.facts };
        let arguments = coercion.arguments(&definition.arguments, &field.arguments, &self.variables);
        arguments
            .ok()
            .filter(|arguments| !arguments.values().any(is_refused))
            .ok_or_else(invalid)
    }

    fn ask(&mut self, coordinate: &str, arguments: &Map<String, Value>, parent: Option<u64>) {
        self.asked.insert(Asked {
            coordinate: coordinate.to_owned(),
            arguments: canonical(arguments),
            parents: parent.into_iter().collect(),
        });
    }

    /// CompleteValue.
    fn complete(&mut self, ty: &Type, fields: &Fields<'a>, given: Given, group: &str) -> Completed {
        let value = match (given, ty) {
            (Given::List(entries), Type::List(item) | Type::NonNullList(item)) => {
                let mut values = Vec::with_capacity(entries.len());
                for (at, entry) in entries.into_iter().enumerate() {
                    self.path.push(at.into());
                    let value = self.complete(item, fields, entry, group);
                    self.path.pop();
                    values.push(position(item, value)?);
                }
                Value::Array(values)
            }
            (Given::Null, _) => Value::Null,
            (Given::Failed(error), _) => return Err(self.fail(error)),
            (Given::Panics, _) => return Err(self.fail(FieldError::internal(""))),
            (Given::Boolean(value), _) => value.into(),
            (Given::Int(value), _) => value.into(),
            (Given::Float(value), _) if value.is_finite() => value.into(),
            (Given::Float(_), _) => return Err(self.fail(FieldError::internal(""))),
            (Given::Text(value), _) => value.into(),
            (Given::Json(value), _) => value,
            (Given::Thing(thing), _) => {
                // MergeSelectionSets.
                let sets: Vec<_> = fields
                    .iter()
                    .filter_map(|field| field.selection_set.as_deref())
                    .collect();
                self.selection_set(thing, &sets, group)?
            }
            (Given::List(_), _) => panic!("the world answers by the types of the schema"),
        };
        if value.is_null() && ty.is_non_null() {
            return Err(self.fail(FieldError::internal("")));
        }
        Ok(value)
    }

    fn fail(&mut self, error: FieldError) -> Bubble {
        let told = self.told(error);
        self.errors.push(told);
        Bubble
    }

    fn told(&self, mut error: FieldError) -> Told {
        if error.code == "INTERNAL" {
            let message = format!("Something failed on our side. Reference {}.", self.request_id);
            error = FieldError::new("INTERNAL", 500, message).slot("id", self.request_id);
        }
        Told {
            path: self.path.clone(),
            error,
        }
    }

    /// `__schema` and `__type` of the root, as apollo-compiler answers them.
    fn introspect(&self, text: &str) -> Map<String, Value> {
        if !text.contains("__schema") && !text.contains("__type(") {
            return Map::new();
        }
        let document = ExecutableDocument::parse(&self.facts.schema, text, "document").expect("the document is valid");
        let document = Valid::assume_valid(document);
        let operation = document.operations.iter().next().expect("the document is valid");
        let variables: JsonMap = serde_json::from_value(self.variables.clone().into()).expect("an object");
        let answer = introspection::partial_execute(
            &self.facts.schema,
            &self.facts.schema.implementers_map(),
            &document,
            operation,
            Valid::assume_valid_ref(&variables),
        );
        let answer = answer.expect("introspection cannot fail");
        serde_json::to_value(answer.data)
            .expect("JSON")
            .as_object()
            .cloned()
            .unwrap_or_default()
    }
}

/// Where null may stand, null stands for what failed.
fn position(ty: &Type, value: Completed) -> Completed {
    match value {
        Err(Bubble) if !ty.is_non_null() => Ok(Value::Null),
        value => value,
    }
}

/// The words are the engines' own; only that there is such an error is compared.
fn invalid() -> FieldError {
    FieldError::new("INVALID_INPUT", 400, "")
}
