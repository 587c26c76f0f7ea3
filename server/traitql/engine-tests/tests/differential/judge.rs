//! A third implementation: chapter 6 of the specification (GraphQL September 2025), one field at a time. It shares
//! only the parser with the engines.
//!
//! If the specification leaves the reported errors open, fields are completed in response order, and an object stops
//! at its first violation of non-null.

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

use self::coerce::{Coercion, Invalid};
use crate::{
    dynamic_schema::{ResolverCall, is_stored, root},
    facts::{Facts, MUTATION, QUERY, SUBSCRIPTION},
    world::{Broken, Given, Thing, World, canonical, is_rejected},
};

pub(crate) struct Verdict {
    pub(crate) answers: Vec<Judged>,
    pub(crate) started: bool,
    pub(crate) calls: BTreeSet<ResolverCall>,
    /// One per field of all objects at one path with one type and the same selections.
    pub(crate) batches: usize,
}

pub(crate) struct Judged {
    /// Nothing was executed.
    pub(crate) data: Option<Value>,
    pub(crate) errors: Vec<LocatedError>,
}

#[derive(Clone)]
pub(crate) struct LocatedError {
    pub(crate) path: Vec<Value>,
    pub(crate) error: FieldError,
}

/// The nearest nullable position above becomes null.
struct NullBubble;

type Completed = Result<Value, NullBubble>;

type Fields<'d> = Vec<&'d Node<Field>>;

pub(crate) struct Judge<'a> {
    facts: &'a Facts,
    world: &'a World,
    document: &'a ast::Document,
    request_id: &'a str,
    variables: Map<String, Value>,
    introspected: Map<String, Value>,
    path: Vec<Value>,
    errors: Vec<LocatedError>,
    calls: BTreeSet<ResolverCall>,
    batches: HashSet<String>,
    /// Each event has its own batches.
    event: usize,
}

/// Executes the only operation of a document (ExecuteRequest).
pub(crate) fn judge(
    facts: &Facts,
    world: &World,
    (text, document): (&str, &ast::Document),
    variables: &Map<String, Value>,
    request_id: &str,
) -> Verdict {
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
        calls: BTreeSet::new(),
        batches: HashSet::new(),
        event: 0,
    };
    let coercion = Coercion { facts };
    let answers = match coercion.variables(&operation.variables, variables) {
        Err(Invalid) => vec![Judged {
            data: None,
            errors: vec![judge.locate(invalid())],
        }],
        Ok(variables) => {
            judge.variables = variables;
            if judge.has_null_condition(operation) {
                vec![Judged {
                    data: None,
                    errors: vec![judge.locate(invalid())],
                }]
            } else {
                judge.operation(text, operation)
            }
        }
    };
    let started =
        operation.operation_type == OperationType::Subscription && answers.iter().all(|answer| answer.data.is_some());
    Verdict {
        answers,
        started,
        calls: judge.calls,
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
            // ExecuteSelectionSet is sequential anyway, which satisfies the serial execution of mutations.
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
        let started = self.arguments(SUBSCRIPTION, fields[0]).and_then(|arguments| {
            let coordinate = format!("{SUBSCRIPTION}.{name}");
            self.batches.insert(coordinate.clone());
            self.record_call(&coordinate, &arguments, None);
            match self.world.broken(&coordinate, &arguments) {
                Some(Broken::Fails(error)) => Err(error),
                Some(Broken::Panics) => Err(FieldError::internal("")),
                Some(Broken::Short) | None => self.world.events(self.facts, name, &arguments),
            }
        });
        let answers = match started {
            Err(error) => {
                let errors = vec![self.locate(error)];
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

    /// `group` identifies the selections of the object.
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
        // Objects of one type at one path are in one batch if they were reached through the same selections.
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
        if is_stored(self.facts, thing.type_name, name) {
            if self.world.panics(thing, name) {
                return Err(FieldError::internal(""));
            }
            return Ok(self.world.answer(self.facts, thing, name, &Map::new(), true));
        }
        let arguments = self.arguments(thing.type_name, field)?;
        self.batches.insert(place);
        let is_root = [QUERY, MUTATION].contains(&thing.type_name);
        self.record_call(&coordinate, &arguments, (!is_root).then_some(thing.number));
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
            .filter(|arguments| !arguments.values().any(is_rejected))
            .ok_or_else(invalid)
    }

    fn record_call(&mut self, coordinate: &str, arguments: &Map<String, Value>, parent: Option<u64>) {
        self.calls.insert(ResolverCall {
            coordinate: coordinate.to_owned(),
            arguments: canonical(arguments),
            parents: parent.into_iter().collect(),
        });
    }

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
            (Given::List(_), _) => panic!("the world's values must have the types of the schema"),
        };
        if value.is_null() && ty.is_non_null() {
            return Err(self.fail(FieldError::internal("")));
        }
        Ok(value)
    }

    fn fail(&mut self, error: FieldError) -> NullBubble {
        let located = self.locate(error);
        self.errors.push(located);
        NullBubble
    }

    fn locate(&self, mut error: FieldError) -> LocatedError {
        if error.code == "INTERNAL" {
            let message = format!("Something failed on our side. Reference {}.", self.request_id);
            error = FieldError::new("INTERNAL", 500, message).slot("id", self.request_id);
        }
        LocatedError {
            path: self.path.clone(),
            error,
        }
    }

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

/// Replaces an error by null in a nullable position.
fn position(ty: &Type, value: Completed) -> Completed {
    match value {
        Err(NullBubble) if !ty.is_non_null() => Ok(Value::Null),
        value => value,
    }
}

/// Messages are the engines' own.
fn invalid() -> FieldError {
    FieldError::new("INVALID_INPUT", 400, "")
}
