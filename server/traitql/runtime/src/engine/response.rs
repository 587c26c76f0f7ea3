//! Complete responses: JSON, HTTP status and error codes (GraphQL October 2021, section 7).

use async_graphql::{PathSegment, Value};
use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{Response, StepUp};
use crate::FieldError;

/// An error with its position in the response.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) path: Vec<PathSegment>,
    pub(crate) error: FieldError,
}

#[derive(Serialize)]
struct Body<'a, D> {
    data: D,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Error<'a>>,
}

#[derive(Serialize)]
struct Rejection<'a> {
    errors: Vec<Error<'a>>,
}

#[derive(Serialize)]
struct Error<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    path: &'a [PathSegment],
    extensions: Map<String, Json>,
}

pub(crate) fn executed(data: &Value, errors: &[Located], request_id: &str) -> Response {
    let http = match (data, errors.first()) {
        (Value::Null, Some(Located { error, .. })) => error.http,
        _ => 200,
    };
    Response {
        body: to_json(&Body {
            data,
            errors: list(errors, request_id),
        }),
        http,
        codes: errors.iter().map(|located| located.error.code).collect(),
        step_up: step_up(errors),
        root_field: None,
    }
}

pub(crate) fn assembled(mut to_json: Vec<u8>, errors: &[Located], data: bool, request_id: &str) -> Response {
    if !errors.is_empty() {
        to_json.extend_from_slice(b",\"errors\":");
        serde_json::to_writer(&mut to_json, &list(errors, request_id))
            .expect("errors have string keys and finite numbers");
    }
    to_json.push(b'}');
    Response {
        body: to_json.into(),
        http: match errors.first() {
            Some(Located { error, .. }) if !data => error.http,
            _ => 200,
        },
        codes: errors.iter().map(|located| located.error.code).collect(),
        step_up: step_up(errors),
        root_field: None,
    }
}

/// Has no `data` entry.
pub(crate) fn not_executed(error: &FieldError, request_id: &str) -> Response {
    not_started(
        &[Located {
            path: Vec::new(),
            error: error.clone(),
        }],
        request_id,
    )
}

pub(crate) fn not_started(errors: &[Located], request_id: &str) -> Response {
    Response {
        body: to_json(&Rejection {
            errors: list(errors, request_id),
        }),
        http: errors.first().map_or(500, |located| located.error.http),
        codes: errors.iter().map(|located| located.error.code).collect(),
        step_up: step_up(errors),
        root_field: None,
    }
}

/// The challenge has one list of classes, which is that of the first field.
fn step_up(errors: &[Located]) -> Option<StepUp> {
    let slots = |name: &'static str| {
        let errors = errors.iter().filter(|located| located.error.code == "STEP_UP_REQUIRED");
        errors.filter_map(move |located| located.error.slots.get(name)?.as_str())
    };
    let step_up = StepUp {
        max_age: slots("seconds").filter_map(|seconds| seconds.parse().ok()).min(),
        acr_values: slots("acr").next().map(str::to_owned),
    };
    (step_up != StepUp::default()).then_some(step_up)
}

fn list<'a>(errors: &'a [Located], request_id: &str) -> Vec<Error<'a>> {
    errors
        .iter()
        .map(|Located { path, error }| error_body(error, path, request_id))
        .collect()
}

fn error_body<'a>(error: &'a FieldError, path: &'a [PathSegment], request_id: &str) -> Error<'a> {
    Error {
        message: &error.message,
        path,
        extensions: error.extensions(request_id),
    }
}

fn to_json(body: &impl Serialize) -> Bytes {
    let json = serde_json::to_vec(body).expect("a response has string keys and finite numbers");
    json.into()
}
