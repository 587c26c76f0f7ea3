//! Reading a request: the four parameters of GraphQL over HTTP (section 5), and `documentId` of its appendix.
//!
//! The shape is strict where a mistake would otherwise pass in silence (types, parameters given twice, lists of requests)
//! and tolerant where the specification is: parameters that it does not know are passed over, and null means absent.
//!
//! A request is read where it lies. Of a JSON body only the variables become values; the other parameters stay what they are,
//! pieces of the body, until somebody wants to know. The text of a trusted document is never wanted: it is compared as it came,
//! with its quotes and escapes, so a hit costs neither a hash nor a copy.

mod parameters;

use std::borrow::Cow;

use serde::de::IgnoredAny;

use self::parameters::{Name, Parameters};
use super::problem::Problem;
use crate::engine::Variables;

/// What a client asks for.
#[derive(Debug, Default, PartialEq)]
pub(super) struct GraphqlRequest<'a> {
    /// Text of a document.
    pub(super) query: Option<Text<'a>>,
    /// Which trusted document is meant: `documentId`, or `extensions.persistedQuery.sha256Hash`.
    pub(super) document_id: Option<Cow<'a, str>>,
    pub(super) operation_name: Option<Cow<'a, str>>,
    pub(super) variables: Variables,
}

/// A text as it came.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Text<'a> {
    /// A string of JSON, with its quotes and escapes.
    Quoted(&'a str),
    /// The text itself.
    Plain(Cow<'a, str>),
}

impl<'a> Text<'a> {
    /// The text itself. Fails for escapes that stand for no character, half of a surrogate pair for instance.
    pub(super) fn plain(&self, name: &str) -> Result<Cow<'a, str>, Problem> {
        match self {
            Self::Plain(text) => Ok(text.clone()),
            Self::Quoted(json) => match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                Some(inside) if !inside.contains('\\') => Ok(Cow::Borrowed(inside)),
                _ => serde_json::from_str(json)
                    .map(Cow::Owned)
                    .map_err(|error| Problem::malformed(format!("`{name}` is no text: {error}"))),
            },
        }
    }
}

/// Reads the text of a JSON body.
pub(super) fn from_json(json: &[u8]) -> Result<GraphqlRequest<'_>, Problem> {
    if json.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::malformed("the body is empty"));
    }
    let text = str::from_utf8(json)
        .map_err(|error| Problem::malformed(format!("the body is not UTF-8 after byte {}", error.valid_up_to())))?;
    let parameters: Parameters<'_> =
        serde_json::from_str(text).map_err(|error| Problem::malformed(format!("the body is no request: {error}")))?;
    parameters.into_request()
}

/// Reads the query string of a GET request, in which `variables` and `extensions` are JSON.
pub(super) fn from_query_string(query: &str) -> Result<GraphqlRequest<'_>, Problem> {
    let mut parameters = Parameters::default();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let name = Name::of(&name);
        if !parameters.first(name) {
            return Err(Problem::malformed(format!(
                "the parameter `{}` is there twice",
                name.text()
            )));
        }
        let no_json = |error: serde_json::Error| {
            Problem::malformed(format!("the parameter `{}` is not JSON: {error}", name.text()))
        };
        match name {
            Name::Variables if value.is_empty() => {}
            Name::Variables => parameters.variables = serde_json::from_str(&value).map_err(no_json)?,
            Name::Extensions if value.is_empty() => {}
            Name::Extensions => {
                serde_json::from_str::<IgnoredAny>(&value).map_err(no_json)?;
                parameters.extensions = Some(value);
            }
            Name::Query => parameters.query = Some(Text::Plain(value)),
            Name::DocumentId => parameters.document_id = Some(Text::Plain(value)),
            Name::Operation => parameters.operation_name = Some(Text::Plain(value)),
            Name::Other => {}
        }
    }
    parameters.into_request()
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
