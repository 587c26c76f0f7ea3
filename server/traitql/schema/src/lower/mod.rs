//! Lowering continues after a violation with a plausible value, so that one mistake does not hide another; the caller
//! discards the result. An invalid argument of a directive, which apollo-compiler has reported, is `None`.

mod access;
mod call_directives;
mod connections;
mod constraints;
mod default_values;
mod embedding;
mod errors;
mod exact_numbers;
mod foreign_access;
mod operation_constants;
pub(crate) mod operations;
mod paths;
mod rename;
pub(crate) mod resolver_calls;
mod rust_names;
pub(crate) mod selections;
mod values;

use std::collections::HashSet;

use apollo_compiler::ast::{
    Directive, DirectiveDefinition, DirectiveList, FieldDefinition, InputValueDefinition, Value as AstValue,
};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::{ExtendedType, ObjectType};
use apollo_compiler::{Name, Node, Schema};
use indexmap::IndexMap;

use crate::definitions;
use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::model::{
    Access, Directive as DirectiveModel, Enum, EnumValue, ErrorCode, Field, FieldKind, InputObject, InputValue,
    Interface, Object, ObjectKind, RootKind, Scalar, Subject, Type, TypeRef, Union,
};
use crate::options::Options;
use crate::sdl;

pub(crate) use constraints::lower_unchecked as constraints_of;
pub(crate) use foreign_access::{HELP as FOREIGN_ACCESS_HELP, is_foreign_access};
pub(crate) use operation_constants::check as check_constants;
pub(crate) use values::lower_value;

/// Depends only on the schema.
pub(crate) struct Lowered {
    pub(crate) types: IndexMap<String, Type>,
    pub(crate) query: String,
    pub(crate) mutation: Option<String>,
    pub(crate) subscription: Option<String>,
    pub(crate) role_enum: Option<String>,
    pub(crate) error_enum: Option<String>,
    pub(crate) errors: Vec<ErrorCode>,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) directives: Vec<DirectiveModel>,
    pub(crate) renamed: Vec<(String, String)>,
}

pub(crate) fn lower(schema: &Schema, options: &Options, out: &mut Collector) -> Lowered {
    let others = definitions::check(schema, out);
    let unchanged = schema;
    let all_directives = &schema.directive_definitions;
    let known = (!others.is_empty() && options.allows(code::DEFINITION_DIFFERS))
        .then(|| definitions::without_directives(schema, &others));
    let schema = known.as_ref().unwrap_or(schema);
    foreign_access::check(unchanged, &others, options, out);
    check_roots(schema, out);
    default_values::check(schema, out);
    let errors = errors::lower(schema, out);
    let mut lower = Lower {
        schema,
        options,
        out,
        connections: connections::find(schema),
        subjects: Vec::new(),
        uses_roles: false,
        may_be_open: access::may_be_open(schema, options),
        without_access: Vec::new(),
    };
    lower.connections.report(lower.out);
    let types: IndexMap<String, Type> = schema
        .types
        .iter()
        .filter(|(_, ty)| !ty.is_built_in())
        .map(|(name, ty)| (name.to_string(), lower.ty(ty)))
        .collect();
    lower.report_missing_access();
    let mut types = with_members(types);
    embedding::check(schema, &types, lower.out);
    let directives = all_directives.values().filter(|directive| !directive.is_built_in());
    let directives = directives.map(|directive| lower.directive(directive)).collect();
    let root = |name: &Option<Node<Name>>| name.as_ref().map(|name| name.to_string());
    let role_enum = lower.uses_roles.then(|| access::role_enum(schema)).flatten();
    let subjects = lower.subjects;
    let (resolved, guards) = (resolved_coordinates(&types), guards(&types));
    let names = rust_names::assign_names(schema, &resolved, guards, options, out);
    rename::apply(&mut types, &names);
    Lowered {
        types,
        query: root(&schema.schema_definition.query).unwrap_or_default(),
        mutation: root(&schema.schema_definition.mutation),
        subscription: root(&schema.schema_definition.subscription),
        role_enum,
        error_enum: errors.error_enum,
        errors: errors.codes,
        subjects,
        directives,
        renamed: names.auto_renamed,
    }
}

fn check_roots(schema: &Schema, out: &mut Collector) {
    for (kind, name) in schema.schema_definition.iter_root_operations() {
        if schema.types.get(&**name).is_some_and(|ty| !ty.is_object()) {
            // A root that is not declared in `schema { … }` is reported at its definition.
            let at = name
                .location()
                .or_else(|| schema.types.get(&**name).and_then(|ty| ty.name().location()));
            out.report(
                code::ROOT_NOT_OBJECT,
                at,
                format!("the {kind} root `{}` is not an object type", &**name),
            )
            .help(format!("define `type {} {{ … }}`", &**name));
        }
    }
}

fn resolved_coordinates(types: &IndexMap<String, Type>) -> HashSet<String> {
    let objects = types.values().filter_map(|ty| match ty {
        Type::Object(object) => Some(object),
        _ => None,
    });
    let resolved = objects.flat_map(|object| {
        let fields = object.fields.iter().filter(|field| field.kind == FieldKind::Resolved);
        fields.map(|field| format!("{}.{}", object.name, field.name))
    });
    resolved.collect()
}

fn guards(types: &IndexMap<String, Type>) -> rust_names::Guards {
    let objects = types.values().filter_map(|ty| match ty {
        Type::Object(object) => Some(&object.fields),
        _ => None,
    });
    let accesses = objects.flatten().filter_map(|field| field.access.as_ref());
    accesses.fold(rust_names::Guards::None, |guards, access| match (guards, access) {
        (_, Access::Role { .. }) | (rust_names::Guards::Roles, _) => rust_names::Guards::Roles,
        (_, Access::SignedIn { .. }) => rust_names::Guards::SignedIn,
        (guards, Access::Public) => guards,
    })
}

fn with_members(mut types: IndexMap<String, Type>) -> IndexMap<String, Type> {
    let mut members: IndexMap<String, Vec<String>> = IndexMap::new();
    for ty in types.values() {
        if let Type::Object(object) = ty {
            for interface in &object.implements {
                members.entry(interface.clone()).or_default().push(object.name.clone());
            }
        }
    }
    for (name, mut objects) in members {
        if let Some(Type::Interface(interface)) = types.get_mut(&name) {
            objects.sort();
            interface.members = objects;
        }
    }
    types
}

struct Lower<'a> {
    schema: &'a Schema,
    options: &'a Options,
    out: &'a mut Collector,
    connections: connections::Connections,
    subjects: Vec<Subject>,
    uses_roles: bool,
    /// True if root fields without an access directive are public.
    may_be_open: bool,
    without_access: Vec<Unguarded>,
}

/// A root field without an access directive.
struct Unguarded {
    coordinate: String,
    at: Option<SourceSpan>,
}

impl Lower<'_> {
    fn ty(&mut self, ty: &ExtendedType) -> Type {
        let name = ty.name().to_string();
        let description = ty.description().map(|text| text.to_string());
        let origin = self.out.sources().origin(ty.name().location());
        match ty {
            ExtendedType::Scalar(scalar) => {
                let specified_by = string_argument(self.schema, &scalar.directives, "specifiedBy", "url");
                Type::Scalar(Scalar {
                    rust: name.clone(),
                    name,
                    description,
                    specified_by,
                    origin,
                })
            }
            ExtendedType::Enum(ty) => {
                let values = ty.values.values().map(|value| EnumValue {
                    name: value.value.to_string(),
                    rust: value.value.to_string(),
                    description: value.description.as_ref().map(|text| text.to_string()),
                    deprecated: string_argument(self.schema, &value.directives, "deprecated", "reason"),
                });
                Type::Enum(Enum {
                    rust: name.clone(),
                    name,
                    description,
                    values: values.collect(),
                    origin,
                })
            }
            ExtendedType::InputObject(input) => {
                self.check_input_suffix(&input.name);
                let fields = input.fields.values().map(|field| self.input_value(field)).collect();
                Type::Input(InputObject {
                    rust: name.clone(),
                    name,
                    description,
                    one_of: input.is_one_of(),
                    fields,
                    origin,
                })
            }
            ExtendedType::Object(object) => {
                let kind = self.object_kind(object);
                let embedded = object.directives.has("embedded");
                self.check_embedded_object(object, &kind);
                constraints::check_interfaces(self.schema, object, self.out);
                let fields = object
                    .fields
                    .values()
                    .map(|field| self.field(&object.name, &kind, field))
                    .collect();
                let implements = object
                    .implements_interfaces
                    .iter()
                    .map(|name| name.to_string())
                    .collect();
                Type::Object(Object {
                    rust: name.clone(),
                    name,
                    description,
                    implements,
                    embedded,
                    kind,
                    fields,
                    origin,
                })
            }
            ExtendedType::Interface(interface) => {
                let fields = interface.fields.values();
                let fields = fields
                    .map(|field| self.field(&interface.name, &ObjectKind::Plain, field))
                    .collect();
                let implements = interface
                    .implements_interfaces
                    .iter()
                    .map(|name| name.to_string())
                    .collect();
                let embedded = interface.directives.has("embedded");
                self.check_embedded_members(&interface.name, embedded, &interface.directives);
                Type::Interface(Interface {
                    rust: name.clone(),
                    name,
                    description,
                    implements,
                    embedded,
                    fields,
                    members: Vec::new(),
                    origin,
                })
            }
            ExtendedType::Union(union) => {
                let members = union.members.iter().map(|member| member.to_string()).collect();
                let embedded = union.directives.has("embedded");
                self.check_embedded_members(&union.name, embedded, &union.directives);
                Type::Union(Union {
                    rust: name.clone(),
                    name,
                    description,
                    embedded,
                    members,
                    origin,
                })
            }
        }
    }

    fn directive(&mut self, directive: &Node<DirectiveDefinition>) -> DirectiveModel {
        DirectiveModel {
            name: directive.name.to_string(),
            args: directive
                .arguments
                .iter()
                .map(|argument| self.input_value(argument))
                .collect(),
            repeatable: directive.repeatable,
            locations: directive
                .locations
                .iter()
                .map(|location| location.name().to_owned())
                .collect(),
            origin: self.out.sources().origin(directive.name.location()),
        }
    }

    fn object_kind(&self, object: &ObjectType) -> ObjectKind {
        let root = [
            (&self.schema.schema_definition.query, RootKind::Query),
            (&self.schema.schema_definition.mutation, RootKind::Mutation),
            (&self.schema.schema_definition.subscription, RootKind::Subscription),
        ];
        let root = root
            .into_iter()
            .find(|(name, _)| name.as_ref().is_some_and(|name| **name == object.name));
        match root {
            Some((_, kind)) => ObjectKind::Root(kind),
            None => self.connections.kind(&object.name),
        }
    }

    fn field(&mut self, parent: &Name, parent_kind: &ObjectKind, field: &Node<FieldDefinition>) -> Field {
        let args: Vec<InputValue> = field
            .arguments
            .iter()
            .map(|argument| self.input_value(argument))
            .collect();
        let root = match parent_kind {
            ObjectKind::Root(kind) => Some(*kind),
            _ => None,
        };
        let kind = self.field_kind(parent, parent_kind, field);
        self.check_resolve(parent, root, kind, field);
        self.check_subscription_as_value(parent, field);
        Field {
            name: field.name.to_string(),
            rust: field.name.to_string(),
            description: field.description.as_ref().map(|text| text.to_string()),
            args,
            ty: lower_type(&field.ty),
            kind,
            access: self.access(parent, root, field),
            throws: self.throws(parent, kind, field),
            transition: self.transition(parent, root, field),
            audited: self.audited(parent, root, field),
            cost: self.cost(parent, kind, field),
            rate: self.rate(parent, root, field),
            deprecated: string_argument(self.schema, &field.directives, "deprecated", "reason"),
            sdl: sdl::field_line(field),
            origin: self.out.sources().origin(field.name.location()),
        }
    }

    fn field_kind(&self, parent: &Name, parent_kind: &ObjectKind, field: &FieldDefinition) -> FieldKind {
        match parent_kind {
            ObjectKind::Root(_) => return FieldKind::Resolved,
            ObjectKind::Connection { .. } | ObjectKind::Edge { .. } if self.connections.is_part(&field.name) => {
                return FieldKind::Data;
            }
            _ => {}
        }
        if field.arguments.is_empty()
            && let Some(kind) = self.options.field(&format!("{parent}.{}", field.name))
        {
            return kind;
        }
        if !field.arguments.is_empty() || field.directives.has("resolve") || !self.is_stored_in_parent(field) {
            FieldKind::Resolved
        } else {
            FieldKind::Data
        }
    }

    fn is_stored_in_parent(&self, field: &FieldDefinition) -> bool {
        match self.schema.types.get(field.ty.inner_named_type()) {
            Some(ty) => ty.is_leaf() || ty.directives().has("embedded"),
            None => true,
        }
    }

    fn input_value(&mut self, input: &Node<InputValueDefinition>) -> InputValue {
        let rules = constraints::lower(self.schema, input, self.out);
        if let Some(default) = &input.default_value {
            constraints::check_default(self.schema, input, default, &rules, self.out);
            exact_numbers::check(self.schema, input.ty.inner_named_type(), default, self.out);
        }
        InputValue {
            name: input.name.to_string(),
            rust: input.name.to_string(),
            description: input.description.as_ref().map(|text| text.to_string()),
            ty: lower_type(&input.ty),
            default: input.default_value.as_ref().map(|value| lower_value(value)),
            constraints: rules,
            deprecated: string_argument(self.schema, &input.directives, "deprecated", "reason"),
            sdl: sdl::input_value_line(input),
            origin: self.out.sources().origin(input.name.location()),
        }
    }

    /// The fields of a subscription are event streams, which a response cannot contain.
    fn check_subscription_as_value(&mut self, parent: &Name, field: &FieldDefinition) {
        let ty = field.ty.inner_named_type();
        let subscription = &self.schema.schema_definition.subscription;
        if subscription.as_ref().is_some_and(|root| **root == *ty) {
            let message = format!("`{parent}.{}` returns the subscription root `{ty}`", field.name);
            let other_roots = self.other_roots();
            let draft = self
                .out
                .report(code::ROOT_AS_VALUE, field.name.location(), message)
                .help("its fields are event streams, which a response cannot contain; remove the field, or use another type");
            if let Some(roots) = other_roots {
                draft.help(format!(
                    "if `{ty}` is an ordinary type, declare the roots without it: `schema {{ {roots} }}`"
                ));
            }
        }
    }

    /// Returns the roots except the subscription root, as in `query: Query`, if that one is a root only because of its
    /// name.
    fn other_roots(&self) -> Option<String> {
        let definition = &self.schema.schema_definition;
        // Roots by name have no location, because no definition mentions them.
        if definition.subscription.as_ref()?.location().is_some() {
            return None;
        }
        let roots = [("query", &definition.query), ("mutation", &definition.mutation)];
        let roots = roots
            .into_iter()
            .filter_map(|(kind, name)| Some(format!("{kind}: {}", name.as_ref()?.as_str())));
        Some(roots.collect::<Vec<_>>().join(" "))
    }

    fn check_input_suffix(&mut self, name: &Name) {
        if !name.ends_with("Input") {
            self.out
                .report(
                    code::INPUT_SUFFIX,
                    name.location(),
                    format!("the name of input type `{name}` does not end in `Input`"),
                )
                .help(format!(
                    "rename it to `{name}Input`: in Rust, types, inputs and resolvers share one namespace"
                ));
        }
    }
}

pub(crate) fn lower_type(ty: &apollo_compiler::ast::Type) -> TypeRef {
    use apollo_compiler::ast::Type as Ast;
    match ty {
        Ast::Named(name) => TypeRef::Named(name.to_string()),
        Ast::NonNullNamed(name) => TypeRef::NonNull(Box::new(TypeRef::Named(name.to_string()))),
        Ast::List(item) => TypeRef::List(Box::new(lower_type(item))),
        Ast::NonNullList(item) => TypeRef::NonNull(Box::new(TypeRef::List(Box::new(lower_type(item))))),
    }
}

/// Returns `None` if the argument is null, missing or undefined.
fn argument<'d>(schema: &'d Schema, directive: &'d Directive, name: &str) -> Option<&'d Node<AstValue>> {
    directive
        .argument_by_name(name, schema)
        .ok()
        .filter(|value| !value.is_null())
}

fn string_argument(schema: &Schema, directives: &DirectiveList, directive: &str, name: &str) -> Option<String> {
    let directive = directives.get(directive)?;
    argument(schema, directive, name)?.as_str().map(str::to_owned)
}
