use std::collections::HashMap;

use apollo_compiler::{
    Name, Node, Schema,
    ast::{FieldDefinition, Type},
    schema::ExtendedType,
    validation::Valid,
};

use crate::dynamic_schema::is_stored;

pub(crate) struct Facts {
    pub(crate) sdl: String,
    pub(crate) schema: Valid<Schema>,
    members: HashMap<Name, Vec<&'static str>>,
    objects: HashMap<Name, (&'static str, &'static [&'static str])>,
}

pub(crate) const QUERY: &str = "Query";
pub(crate) const MUTATION: &str = "Mutation";
pub(crate) const SUBSCRIPTION: &str = "Subscription";

impl Facts {
    pub(crate) fn new(sdl: String) -> Self {
        let schema = Schema::parse_and_validate(&sdl, "schema.graphql").unwrap_or_else(|invalid| {
            // The generator allows this on request, and so does the engine.
            let is_allowed = |name| name == Some("DeprecatedImplementationField");
            let is_valid = invalid
                .errors
                .iter()
                .all(|error| is_allowed(error.error.unstable_error_name()));
            assert!(is_valid, "the schema is invalid: {}\n{sdl}", invalid.errors);
            Valid::assume_valid(invalid.partial)
        });
        let mut members: HashMap<Name, Vec<&'static str>> = HashMap::new();
        for (name, ty) in &schema.types {
            let ExtendedType::Object(object) = ty else { continue };
            let leaked: &'static str = name.to_string().leak();
            let interfaces = object.implements_interfaces.iter().map(|interface| &**interface);
            for of in interfaces.chain([name]) {
                members.entry(of.clone()).or_default().push(leaked);
            }
        }
        for (name, ty) in &schema.types {
            let ExtendedType::Union(union) = ty else { continue };
            let of = union.members.iter().map(|member| members[&**member][0]).collect();
            members.insert(name.clone(), of);
        }
        let mut facts = Self {
            sdl,
            schema,
            members,
            objects: HashMap::new(),
        };
        facts.objects = facts.collect_objects();
        facts
    }

    fn collect_objects(&self) -> HashMap<Name, (&'static str, &'static [&'static str])> {
        let objects = self.schema.types.iter().filter_map(|(name, ty)| {
            let name = ty.is_object().then_some(name)?;
            let known = self.members[name][0];
            let data = self
                .fields(name)
                .into_iter()
                .filter(|field| is_stored(self, name, &field.name));
            let data: Vec<&'static str> = data.map(|field| &*field.name.to_string().leak()).collect();
            Some((name.clone(), (known, &*data.leak())))
        });
        objects.collect()
    }

    pub(crate) fn object(&self, name: &str) -> Option<(&'static str, &'static [&'static str])> {
        self.objects.get(name).copied()
    }

    pub(crate) fn has_default_roots(&self) -> bool {
        let mut roots = self.schema.schema_definition.iter_root_operations();
        roots.all(|(kind, name)| kind.default_type_name() == **name)
    }

    pub(crate) fn members(&self, type_name: &str) -> &[&'static str] {
        self.members.get(type_name).map_or(&[], Vec::as_slice)
    }

    /// DoesFragmentTypeApply.
    pub(crate) fn applies(&self, condition: &str, concrete: &str) -> bool {
        self.members(condition).contains(&concrete)
    }

    pub(crate) fn overlapping(&self, type_name: &str) -> Vec<&Name> {
        let mine = self.members(type_name);
        let composite = self.schema.types.iter().filter(|(_, ty)| is_composite(ty));
        composite
            .map(|(name, _)| name)
            .filter(|name| self.members(name).iter().any(|member| mine.contains(member)))
            .collect()
    }

    pub(crate) fn fields(&self, type_name: &str) -> Vec<&Node<FieldDefinition>> {
        match self.schema.types.get(type_name) {
            Some(ExtendedType::Object(ty)) => ty.fields.values().collect(),
            Some(ExtendedType::Interface(ty)) => ty.fields.values().collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn field(&self, type_name: &str, field: &str) -> Option<&Node<FieldDefinition>> {
        match self.schema.types.get(type_name)? {
            ExtendedType::Object(ty) => ty.fields.get(field),
            ExtendedType::Interface(ty) => ty.fields.get(field),
            _ => None,
        }
    }

    pub(crate) fn is_leaf(&self, ty: &Type) -> bool {
        self.schema
            .types
            .get(ty.inner_named_type())
            .is_none_or(|ty| !is_composite(ty))
    }

    pub(crate) fn values(&self, type_name: &str) -> Vec<&str> {
        match self.schema.types.get(type_name) {
            Some(ExtendedType::Enum(ty)) => ty.values.keys().map(Name::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

fn is_composite(ty: &ExtendedType) -> bool {
    ty.is_object() || ty.is_interface() || ty.is_union()
}
