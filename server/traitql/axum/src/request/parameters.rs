use std::{borrow::Cow, cell::Cell, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use super::{
    super::problem::Problem,
    GraphqlRequest, Text,
    value::{ValueSeed, big_integers},
};
use traitql::{BIG_INTEGERS, Variables};

/// The string parameters can still be any JSON.
#[derive(Default)]
pub(super) struct Parameters<'a> {
    seen: u8,
    pub(super) query: Option<Text<'a>>,
    pub(super) document_id: Option<Text<'a>>,
    pub(super) operation_name: Option<Text<'a>>,
    pub(super) variables: GivenVariables,
    pub(super) extensions: Option<Cow<'a, str>>,
}

#[derive(Default)]
pub(super) enum GivenVariables {
    #[default]
    Absent,
    Object(Variables),
    /// Some integers do not fit in 64 bits. Their digits are not known yet.
    Rounded(Variables),
    Other(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Query,
    DocumentId,
    Operation,
    Variables,
    Extensions,
    Other,
}

impl Name {
    pub(super) fn of(text: &str) -> Self {
        match text {
            "query" => Self::Query,
            "documentId" => Self::DocumentId,
            "operationName" => Self::Operation,
            "variables" => Self::Variables,
            "extensions" => Self::Extensions,
            _ => Self::Other,
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::DocumentId => "documentId",
            Self::Operation => "operationName",
            Self::Variables => "variables",
            Self::Extensions => "extensions",
            Self::Other => "another",
        }
    }
}

impl GivenVariables {
    /// Adds the digits of integers that were rounded. `json` is the text of the variables.
    pub(super) fn with_digits<'j>(
        self,
        json: impl FnOnce() -> serde_json::Result<&'j str>,
    ) -> serde_json::Result<Self> {
        let Self::Rounded(mut variables) = self else {
            return Ok(self);
        };
        let digits = big_integers(json()?)?;
        if !digits.is_empty() {
            variables.insert(BIG_INTEGERS.to_owned(), Value::Object(digits));
        }
        Ok(Self::Object(variables))
    }
}

impl<'a> Parameters<'a> {
    /// Returns false if it was present before.
    pub(super) fn first(&mut self, name: Name) -> bool {
        let bit = 1 << name as u8;
        let first = name == Name::Other || self.seen & bit == 0;
        self.seen |= bit;
        first
    }

    pub(super) fn into_request(self) -> Result<GraphqlRequest<'a>, Problem> {
        let query = string("query", self.query)?;
        let persisted = match self.extensions {
            None => None,
            Some(Cow::Borrowed(json)) => persisted_query(json)?,
            Some(Cow::Owned(json)) => persisted_query(&json)?.map(|hash| Cow::Owned(hash.into_owned())),
        };
        let document_id = plain("documentId", self.document_id)?;
        let document_id = match (document_id, persisted) {
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
        let operation_name = plain("operationName", self.operation_name)?;
        let variables = match self.variables {
            GivenVariables::Absent => Variables::new(),
            GivenVariables::Object(variables) | GivenVariables::Rounded(variables) => variables,
            GivenVariables::Other(kind) => {
                return Err(Problem::malformed(format!("`variables` must be an object, not {kind}")));
            }
        };
        Ok(GraphqlRequest {
            query,
            document_id,
            operation_name,
            variables,
        })
    }
}

/// Returns the value if it is a string; null counts as absent.
fn string<'a>(name: &str, value: Option<Text<'a>>) -> Result<Option<Text<'a>>, Problem> {
    match value {
        Some(Text::Quoted("null")) => Ok(None),
        Some(Text::Quoted(json)) if !json.starts_with('"') => Err(Problem::malformed(format!(
            "`{name}` must be a string, not {}",
            kind(json)
        ))),
        text => Ok(text),
    }
}

fn plain<'a>(name: &str, value: Option<Text<'a>>) -> Result<Option<Cow<'a, str>>, Problem> {
    string(name, value)?.map(|text| text.plain(name)).transpose()
}

/// See automatic persisted queries, version 1.
fn persisted_query(extensions: &str) -> Result<Option<Cow<'_, str>>, Problem> {
    #[derive(Deserialize)]
    struct Extensions<'a> {
        #[serde(borrow, rename = "persistedQuery")]
        persisted: Option<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct PersistedQuery<'a> {
        #[serde(borrow)]
        version: Option<&'a RawValue>,
        #[serde(borrow, rename = "sha256Hash")]
        hash: Option<&'a RawValue>,
    }
    let Some(Extensions { persisted: Some(json) }) = object("extensions", extensions)? else {
        return Ok(None);
    };
    let Some(PersistedQuery { version, hash }) = object("extensions.persistedQuery", json.get())? else {
        return Ok(None);
    };
    if version.is_some_and(|version| version.get() != "1") {
        return Err(Problem::malformed("`extensions.persistedQuery.version` must be 1"));
    }
    let name = "extensions.persistedQuery.sha256Hash";
    match plain(name, hash.map(|hash| Text::Quoted(hash.get())))? {
        Some(hash) => Ok(Some(hash)),
        None => Err(Problem::malformed(format!("`{name}` is missing"))),
    }
}

fn object<'a, T: Deserialize<'a>>(name: &str, json: &'a str) -> Result<Option<T>, Problem> {
    let json = json.trim_start_matches([' ', '\t', '\n', '\r']);
    if json.starts_with('{') {
        let read = serde_json::from_str(json);
        return read
            .map(Some)
            .map_err(|error| Problem::malformed(format!("`{name}` is invalid: {error}")));
    }
    match kind(json) {
        "null" => Ok(None),
        kind => Err(Problem::malformed(format!("`{name}` must be an object, not {kind}"))),
    }
}

fn kind(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'n') => "null",
        Some(b't' | b'f') => "a boolean",
        Some(b'"') => "a string",
        Some(b'[') => "a list",
        Some(b'{') => "an object",
        _ => "a number",
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;

        impl Visitor<'_> for NameVisitor {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a parameter")
            }

            fn visit_str<E>(self, text: &str) -> Result<Name, E> {
                Ok(Name::of(text))
            }
        }

        deserializer.deserialize_identifier(NameVisitor)
    }
}

impl<'de> Deserialize<'de> for GivenVariables {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct VariablesVisitor;

        impl<'de> Visitor<'de> for VariablesVisitor {
            type Value = GivenVariables;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GivenVariables, A::Error> {
                let mut variables = Variables::new();
                let has_big_integer = Cell::new(false);
                let seed = ValueSeed {
                    has_big_integer: &has_big_integer,
                };
                while let Some(name) = map.next_key::<String>()? {
                    if variables.contains_key(&name) {
                        return Err(serde::de::Error::custom(format_args!(
                            "the variable `{name}` is repeated"
                        )));
                    }
                    variables.insert(name, map.next_value_seed(seed)?);
                }
                // The name is reserved.
                variables.shift_remove(BIG_INTEGERS);
                Ok(if has_big_integer.get() {
                    GivenVariables::Rounded(variables)
                } else {
                    GivenVariables::Object(variables)
                })
            }

            fn visit_unit<E>(self) -> Result<GivenVariables, E> {
                Ok(GivenVariables::Absent)
            }

            fn visit_bool<E>(self, _: bool) -> Result<GivenVariables, E> {
                Ok(GivenVariables::Other("a boolean"))
            }

            fn visit_i64<E>(self, _: i64) -> Result<GivenVariables, E> {
                Ok(GivenVariables::Other("a number"))
            }

            fn visit_u64<E>(self, _: u64) -> Result<GivenVariables, E> {
                Ok(GivenVariables::Other("a number"))
            }

            fn visit_f64<E>(self, _: f64) -> Result<GivenVariables, E> {
                Ok(GivenVariables::Other("a number"))
            }

            fn visit_str<E>(self, _: &str) -> Result<GivenVariables, E> {
                Ok(GivenVariables::Other("a string"))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<GivenVariables, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(GivenVariables::Other("a list"))
            }
        }

        deserializer.deserialize_any(VariablesVisitor)
    }
}

impl<'de> Deserialize<'de> for Parameters<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;

        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Parameters<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with `query`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Parameters<'de>, A::Error> {
                Err(serde::de::Error::custom(
                    "batched requests are not supported, send them one by one",
                ))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parameters<'de>, A::Error> {
                let mut parameters = Parameters::default();
                while let Some(name) = map.next_key::<Name>()? {
                    if !parameters.first(name) {
                        return Err(serde::de::Error::custom(format_args!("`{}` is repeated", name.text())));
                    }
                    match name {
                        Name::Variables => parameters.variables = map.next_value()?,
                        Name::Other => drop(map.next_value::<IgnoredAny>()?),
                        Name::Extensions => {
                            parameters.extensions = Some(Cow::Borrowed(map.next_value::<&RawValue>()?.get()));
                        }
                        Name::Query | Name::DocumentId | Name::Operation => {
                            let text = Some(Text::Quoted(map.next_value::<&RawValue>()?.get()));
                            match name {
                                Name::Query => parameters.query = text,
                                Name::DocumentId => parameters.document_id = text,
                                _ => parameters.operation_name = text,
                            }
                        }
                    }
                }
                Ok(parameters)
            }
        }

        deserializer.deserialize_any(ObjectVisitor)
    }
}
