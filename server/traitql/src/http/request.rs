//! Reading a request: the four parameters of GraphQL over HTTP (section 5), and `documentId` of its appendix.
//!
//! The shape is strict where a mistake would otherwise pass in silence (types, parameters given twice, lists of requests)
//! and tolerant where the specification is: parameters that it does not know are passed over, and null means absent.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

use super::problem::Problem;
use crate::engine::Variables;

/// What a client asks for.
#[derive(Debug, Default, PartialEq)]
pub(super) struct GraphqlRequest {
    /// Text of a document.
    pub(super) query: Option<String>,
    /// Which trusted document is meant: `documentId`, or `extensions.persistedQuery.sha256Hash`.
    pub(super) document_id: Option<String>,
    pub(super) operation_name: Option<String>,
    pub(super) variables: Variables,
}

/// Reads the text of a JSON body.
pub(super) fn from_json(json: &[u8]) -> Result<GraphqlRequest, Problem> {
    if json.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::malformed("the body is empty"));
    }
    let text = str::from_utf8(json)
        .map_err(|error| Problem::malformed(format!("the body is not UTF-8 after byte {}", error.valid_up_to())))?;
    let parameters: Parameters =
        serde_json::from_str(text).map_err(|error| Problem::malformed(format!("the body is no request: {error}")))?;
    parameters.into_request()
}

/// Reads the query string of a GET request, in which `variables` and `extensions` are JSON.
pub(super) fn from_query_string(query: &str) -> Result<GraphqlRequest, Problem> {
    let mut parameters = Parameters::default();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        let Some(slot) = parameters.slot(&name) else { continue };
        if slot.is_some() {
            return Err(Problem::malformed(format!("the parameter `{name}` is there twice")));
        }
        *slot = match &*name {
            "variables" | "extensions" if value.is_empty() => None,
            "variables" | "extensions" => Some(
                serde_json::from_str(&value)
                    .map_err(|error| Problem::malformed(format!("the parameter `{name}` is not JSON: {error}")))?,
            ),
            _ => Some(Value::String(value.into_owned())),
        };
    }
    parameters.into_request()
}

/// The parameters as they stood there, before their types are checked.
#[derive(Default)]
struct Parameters {
    query: Option<Value>,
    document_id: Option<Value>,
    operation_name: Option<Value>,
    variables: Option<Value>,
    extensions: Option<Value>,
}

impl Parameters {
    fn slot(&mut self, name: &str) -> Option<&mut Option<Value>> {
        Some(match name {
            "query" => &mut self.query,
            "documentId" => &mut self.document_id,
            "operationName" => &mut self.operation_name,
            "variables" => &mut self.variables,
            "extensions" => &mut self.extensions,
            _ => return None,
        })
    }

    fn into_request(self) -> Result<GraphqlRequest, Problem> {
        let query = string("query", self.query)?;
        let persisted = persisted_query(object("extensions", self.extensions)?)?;
        let document_id = match (string("documentId", self.document_id)?, persisted) {
            (Some(id), Some(hash)) if id.strip_prefix("sha256:").unwrap_or(&id) != hash => {
                return Err(Problem::malformed(
                    "`documentId` and `extensions.persistedQuery` name different documents",
                ));
            }
            (id, hash) => id.or(hash),
        };
        if query.is_none() && document_id.is_none() {
            let problem =
                "`query` is missing: send the text of an operation, or the hash of a trusted one as `documentId`";
            return Err(Problem::malformed(problem));
        }
        let operation_name = string("operationName", self.operation_name)?;
        let variables = object("variables", self.variables)?.unwrap_or_default();
        Ok(GraphqlRequest {
            query,
            document_id,
            operation_name,
            variables,
        })
    }
}

fn string(name: &str, value: Option<Value>) -> Result<Option<String>, Problem> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(Problem::malformed(format!(
            "`{name}` must be a string, not {}",
            kind(&other)
        ))),
    }
}

fn object(name: &str, value: Option<Value>) -> Result<Option<Map<String, Value>>, Problem> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map)),
        Some(other) => Err(Problem::malformed(format!(
            "`{name}` must be an object, not {}",
            kind(&other)
        ))),
    }
}

fn persisted_query(extensions: Option<Map<String, Value>>) -> Result<Option<String>, Problem> {
    let persisted = extensions.and_then(|mut extensions| extensions.remove("persistedQuery"));
    let Some(mut persisted) = object("extensions.persistedQuery", persisted)? else {
        return Ok(None);
    };
    match persisted.get("version") {
        None => {}
        Some(version) if version.as_u64() == Some(1) => {}
        Some(_) => return Err(Problem::malformed("`extensions.persistedQuery.version` must be 1")),
    }
    match string("extensions.persistedQuery.sha256Hash", persisted.remove("sha256Hash"))? {
        Some(hash) => Ok(Some(hash)),
        None => Err(Problem::malformed("`extensions.persistedQuery.sha256Hash` is missing")),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;

        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Parameters;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with `query`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Parameters, A::Error> {
                Err(serde::de::Error::custom(
                    "lists of requests are not answered, send them one by one",
                ))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parameters, A::Error> {
                let mut parameters = Parameters::default();
                while let Some(name) = map.next_key::<String>()? {
                    let Some(slot) = parameters.slot(&name) else {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    };
                    if slot.is_some() {
                        return Err(serde::de::Error::custom(format!("`{name}` is there twice")));
                    }
                    *slot = Some(map.next_value()?);
                }
                Ok(parameters)
            }
        }

        deserializer.deserialize_any(ObjectVisitor)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn problem(result: Result<GraphqlRequest, Problem>) -> String {
        result.unwrap_err().errors[0].slots["problem"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    #[test]
    fn a_request_of_the_exact_shape_is_read() {
        let body = json!({
            "operationName": "Tour", "variables": { "id": "1" }, "query": "query Tour { a }",
            "extensions": { "clientLibrary": { "name": "@apollo/client" } }, "somethingElse": [1],
        });
        let request = from_json(body.to_string().as_bytes()).unwrap();
        assert_eq!(request.query.as_deref(), Some("query Tour { a }"));
        assert_eq!(request.operation_name.as_deref(), Some("Tour"));
        assert_eq!(request.variables["id"], "1");
        assert_eq!(request.document_id, None);
    }

    #[test]
    fn null_means_absent() {
        let body = r#"{"query":"{a}","variables":null,"operationName":null,"extensions":null,"documentId":null}"#;
        let expected = GraphqlRequest {
            query: Some("{a}".into()),
            ..GraphqlRequest::default()
        };
        assert_eq!(from_json(body.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn a_hash_names_a_document_in_two_ways() {
        let by_extension = r#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"abc"}}}"#;
        assert_eq!(
            from_json(by_extension.as_bytes()).unwrap().document_id.as_deref(),
            Some("abc")
        );
        let both = r#"{"documentId":"sha256:abc","extensions":{"persistedQuery":{"sha256Hash":"abc"}}}"#;
        assert_eq!(
            from_json(both.as_bytes()).unwrap().document_id.as_deref(),
            Some("sha256:abc")
        );
        let different = r#"{"documentId":"sha256:abd","extensions":{"persistedQuery":{"sha256Hash":"abc"}}}"#;
        assert!(problem(from_json(different.as_bytes())).contains("different documents"));
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let cases = [
            ("", "the body is empty"),
            (" \n", "the body is empty"),
            (
                "{",
                "the body is no request: EOF while parsing an object at line 1 column 1",
            ),
            (
                "{\n  \"query\": \"{a}\",\n}",
                "the body is no request: trailing comma at line 3 column 1",
            ),
            (
                "{} {}",
                "the body is no request: trailing characters at line 1 column 4",
            ),
            (
                r#"[{"query":"{a}"}]"#,
                "lists of requests are not answered, send them one by one",
            ),
            (
                r#""{a}""#,
                r#"invalid type: string "{a}", expected an object with `query`"#,
            ),
            ("{}", "`query` is missing"),
            (r#"{"query":null}"#, "`query` is missing"),
            (r#"{"query":{"a":1}}"#, "`query` must be a string, not an object"),
            (
                r#"{"query":"{a}","variables":[1]}"#,
                "`variables` must be an object, not a list",
            ),
            (
                r#"{"query":"{a}","variables":"{}"}"#,
                "`variables` must be an object, not a string",
            ),
            (
                r#"{"query":"{a}","operationName":0}"#,
                "`operationName` must be a string, not a number",
            ),
            (
                r#"{"query":"{a}","extensions":false}"#,
                "`extensions` must be an object, not a boolean",
            ),
            (r#"{"query":"{a}","query":"{b}"}"#, "`query` is there twice"),
            (
                r#"{"extensions":{"persistedQuery":{"version":2,"sha256Hash":"a"}}}"#,
                "version` must be 1",
            ),
            (
                r#"{"extensions":{"persistedQuery":{"version":1}}}"#,
                "sha256Hash` is missing",
            ),
            (
                r#"{"extensions":{"persistedQuery":"a"}}"#,
                "must be an object, not a string",
            ),
        ];
        for (body, expected) in cases {
            let problem = problem(from_json(body.as_bytes()));
            assert!(
                problem.contains(expected),
                "{body}\n  {problem}\n  does not say: {expected}"
            );
        }
        assert_eq!(
            problem(from_json(b"{\"query\":\"\xff\"}")),
            "the body is not UTF-8 after byte 10"
        );
        let deep = format!(
            r#"{{"query":"{{a}}","variables":{}1{}}}"#,
            r#"{"a":"#.repeat(10_000),
            "}".repeat(10_000)
        );
        assert!(problem(from_json(deep.as_bytes())).contains("recursion limit exceeded"));
    }

    #[test]
    fn a_query_string_carries_the_same_parameters() {
        let request = from_query_string(
            "query=query%20Tour%7Ba%7D&variables=%7B%22id%22%3A%221%22%7D&operationName=Tour&utm=x&extensions=",
        );
        let request = request.unwrap();
        assert_eq!(request.query.as_deref(), Some("query Tour{a}"));
        assert_eq!(request.variables["id"], "1");
        assert_eq!(request.operation_name.as_deref(), Some("Tour"));
        assert_eq!(
            problem(from_query_string("query=a&query=b")),
            "the parameter `query` is there twice"
        );
        assert!(problem(from_query_string("query=a&variables=%7B")).contains("`variables` is not JSON: EOF"));
        assert!(problem(from_query_string("")).contains("`query` is missing"));
    }
}
