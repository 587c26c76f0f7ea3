//! Field types, implementers and introspection, from one SDL, so that introspection and execution agree.

use apollo_compiler::{
    ExecutableDocument, Name, Node, Schema,
    ast::FieldDefinition,
    collections::HashMap,
    executable::Operation,
    introspection,
    request::RequestError,
    response::JsonMap,
    schema::{ExtendedType, Implementers},
    validation::Valid,
};
use serde_json::{Map, Value};

/// True for the fields of a root type that read the schema. `__typename` is a field of every type.
pub(crate) fn is_introspection_field(name: &str) -> bool {
    matches!(name, "__schema" | "__type")
}

pub(crate) struct SchemaIndex {
    pub(crate) schema: Valid<Schema>,
    implementers: HashMap<Name, Implementers>,
}

/// Fields may be deprecated even if their interface field is not (`allow: [interface_not_deprecated]`).
pub(crate) fn parse(sdl: &str) -> Result<Valid<Schema>, String> {
    let is_allowed = |name: Option<&str>| name == Some("DeprecatedImplementationField");
    Schema::parse_and_validate(sdl, "schema.graphql").or_else(|failed| {
        let mut errors = failed.errors.iter();
        if errors.all(|error| is_allowed(error.error.unstable_error_name())) {
            Ok(Valid::assume_valid(failed.partial))
        } else {
            Err(failed.errors.to_string())
        }
    })
}

impl SchemaIndex {
    /// Panics if the SDL is invalid, which the generator has validated.
    pub(crate) fn new(sdl: &str) -> Self {
        let schema = parse(sdl).unwrap_or_else(|invalid| panic!("the generated schema is invalid: {invalid}"));
        let implementers = schema.implementers_map();
        Self { schema, implementers }
    }

    /// The type can be more specific than that in an interface.
    pub(crate) fn field(&self, type_name: &str, field: &str) -> Option<&Node<FieldDefinition>> {
        self.schema.type_field(type_name, field).ok()
    }

    /// Implements DoesFragmentTypeApply (GraphQL October 2021).
    pub(crate) fn applies(&self, condition: &str, concrete: &str) -> bool {
        condition == concrete || self.schema.is_subtype(condition, concrete)
    }

    pub(crate) fn members(&self, abstract_type: &str) -> Vec<&Name> {
        match self.schema.types.get(abstract_type) {
            Some(ExtendedType::Union(union)) => union.members.iter().map(|member| &**member).collect(),
            _ => self
                .implementers
                .get(abstract_type)
                .map_or_else(Vec::new, |of| of.objects.iter().collect()),
        }
    }

    /// Ignores fields other than `__schema` and `__type`.
    pub(crate) fn introspect(
        &self,
        document: &Valid<ExecutableDocument>,
        operation: &Operation,
        variables: &Map<String, Value>,
    ) -> Result<Map<String, Value>, RequestError> {
        introspection::check_max_depth(document, operation)?;
        let variables: JsonMap =
            serde_json::from_value(Value::Object(variables.clone())).expect("both types represent a JSON object");
        let response = introspection::partial_execute(
            &self.schema,
            &self.implementers,
            document,
            operation,
            Valid::assume_valid_ref(&variables),
        )?;
        match serde_json::to_value(response.data) {
            Ok(Value::Object(data)) => Ok(data),
            _ => Ok(Map::new()),
        }
    }
}
