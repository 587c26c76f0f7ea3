//! Finished answers: JSON text, HTTP status and codes (GraphQL October 2021, section 7).

use async_graphql::{PathSegment, Value};
use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{Response, complete::Located};
use crate::FieldError;

#[derive(Serialize)]
struct Body<'a, D> {
    data: D,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Error<'a>>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    errors: Vec<Error<'a>>,
}

#[derive(Serialize)]
struct Error<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    path: &'a [PathSegment],
    extensions: Map<String, Json>,
}

/// The answer to an operation that was executed.
pub(crate) fn executed(data: &Value, errors: &[Located], request_id: &str) -> Response {
    let http = match (data, errors.first()) {
        (Value::Null, Some(Located { error, .. })) => error.http,
        _ => 200,
    };
    Response {
        body: text(&Body {
            data,
            errors: list(errors, request_id),
        }),
        http,
        codes: errors.iter().map(|located| located.error.code).collect(),
    }
}

/// The answer to an operation that was executed, from the text of its `data` and what comes before.
pub(crate) fn written(mut text: Vec<u8>, errors: &[Located], data: bool, request_id: &str) -> Response {
    if !errors.is_empty() {
        text.extend_from_slice(b",\"errors\":");
        serde_json::to_writer(&mut text, &list(errors, request_id)).expect("errors have text keys and finite numbers");
    }
    text.push(b'}');
    Response {
        body: text.into(),
        http: match errors.first() {
            Some(Located { error, .. }) if !data => error.http,
            _ => 200,
        },
        codes: errors.iter().map(|located| located.error.code).collect(),
    }
}

/// The answer to an operation that was not executed: it has no `data` at all.
pub(crate) fn refused(error: &FieldError, request_id: &str) -> Response {
    unbegun(
        &[Located {
            path: Vec::new(),
            error: error.clone(),
        }],
        request_id,
    )
}

/// The answer to a subscription that could not begin.
pub(crate) fn unbegun(errors: &[Located], request_id: &str) -> Response {
    Response {
        body: text(&Refusal {
            errors: list(errors, request_id),
        }),
        http: errors.first().map_or(500, |located| located.error.http),
        codes: errors.iter().map(|located| located.error.code).collect(),
    }
}

fn list<'a>(errors: &'a [Located], request_id: &str) -> Vec<Error<'a>> {
    errors
        .iter()
        .map(|Located { path, error }| told(error, path, request_id))
        .collect()
}

fn told<'a>(error: &'a FieldError, path: &'a [PathSegment], request_id: &str) -> Error<'a> {
    Error {
        message: &error.message,
        path,
        extensions: error.extensions(request_id),
    }
}

fn text(body: &impl Serialize) -> Bytes {
    let text = serde_json::to_vec(body).expect("values of an answer have text keys and finite numbers");
    text.into()
}
