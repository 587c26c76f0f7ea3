//! The parameters of GraphQL over HTTP (section 5), and `documentId` of its appendix.
//!
//! Types, repeated names and batches are checked; unknown parameters are ignored, and null means absent. Only
//! variables are deserialized. A trusted document's text is looked up as received, with quotes and escapes, without a
//! hash or a copy.

mod parameters;
mod value;

use std::borrow::Cow;

use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;

use self::parameters::{GivenVariables, Name, Parameters};
use super::problem::Problem;
use traitql::Variables;

#[derive(Debug, Default, PartialEq)]
pub(super) struct GraphqlRequest<'a> {
    pub(super) query: Option<Text<'a>>,
    /// Hash of a document: `documentId`, or `extensions.persistedQuery.sha256Hash`.
    pub(super) document_id: Option<Cow<'a, str>>,
    pub(super) operation_name: Option<Cow<'a, str>>,
    pub(super) variables: Variables,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Text<'a> {
    /// A JSON string, with its quotes and escapes.
    Quoted(&'a str),
    /// Decoded.
    Plain(Cow<'a, str>),
}

impl<'a> Text<'a> {
    /// Fails for half of a surrogate pair.
    pub(super) fn plain(&self, name: &str) -> Result<Cow<'a, str>, Problem> {
        match self {
            Self::Plain(text) => Ok(text.clone()),
            Self::Quoted(json) => match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                Some(inside) if !inside.contains('\\') => Ok(Cow::Borrowed(inside)),
                _ => serde_json::from_str(json)
                    .map(Cow::Owned)
                    .map_err(|error| Problem::malformed(format!("`{name}` is not a valid string: {error}"))),
            },
        }
    }
}

pub(super) fn from_json(json: &[u8]) -> Result<GraphqlRequest<'_>, Problem> {
    if json.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::malformed("the body is empty"));
    }
    let text = str::from_utf8(json)
        .map_err(|error| Problem::malformed(format!("the body is not UTF-8 after byte {}", error.valid_up_to())))?;
    let invalid = |error| Problem::malformed(format!("the body is not a valid request: {error}"));
    let mut parameters: Parameters<'_> = serde_json::from_str(text).map_err(invalid)?;
    let variables = || serde_json::from_str::<RawVariables<'_>>(text).map(|request| request.variables.get());
    parameters.variables = parameters.variables.with_digits(variables).map_err(invalid)?;
    parameters.into_request()
}

#[derive(Deserialize)]
struct RawVariables<'a> {
    #[serde(borrow)]
    variables: &'a RawValue,
}

pub(super) fn variables(json: &[u8]) -> Result<Variables, Problem> {
    let text = || str::from_utf8(json).map_err(serde::de::Error::custom);
    let variables = serde_json::from_slice(json).and_then(|variables: GivenVariables| variables.with_digits(text));
    match variables {
        Ok(GivenVariables::Object(variables) | GivenVariables::Rounded(variables)) => Ok(variables),
        Ok(GivenVariables::Absent) => Err(Problem::malformed("the body must be an object, not null")),
        Ok(GivenVariables::Other(kind)) => Err(Problem::malformed(format!("the body must be an object, not {kind}"))),
        Err(error) => Err(Problem::malformed(format!("the body is not JSON: {error}"))),
    }
}

/// Reads `variables` and `extensions` as JSON.
pub(super) fn from_query_string(query: &str) -> Result<GraphqlRequest<'_>, Problem> {
    let mut parameters = Parameters::default();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let name = Name::of(&name);
        if !parameters.first(name) {
            return Err(Problem::malformed(format!(
                "the parameter `{}` is repeated",
                name.text()
            )));
        }
        let invalid_json = |error: serde_json::Error| {
            Problem::malformed(format!("the parameter `{}` is not JSON: {error}", name.text()))
        };
        match name {
            Name::Variables if value.is_empty() => {}
            Name::Variables => {
                let variables = serde_json::from_str::<GivenVariables>(&value);
                let variables = variables.and_then(|variables| variables.with_digits(|| Ok(&value)));
                parameters.variables = variables.map_err(invalid_json)?;
            }
            Name::Extensions if value.is_empty() => {}
            Name::Extensions => {
                serde_json::from_str::<IgnoredAny>(&value).map_err(invalid_json)?;
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
