//! All names, types and signatures of the generated crate. Rendering modules make no decisions.

use std::collections::{BTreeMap, BTreeSet};

use traitql_schema::model::{Access, Field, FieldKind, InputValue, Model, Object, ObjectKind, RootKind, Type, TypeRef};

use crate::{
    Config,
    names::{parameter, pascal, screaming, snake, variant},
};

pub(crate) use super::{modules::origin, spelling::Style};

pub(crate) struct Api<'a> {
    pub(crate) model: &'a Model,
    pub(crate) config: &'a Config,
    pub(crate) crate_name: String,
    pub(crate) resolvers: Vec<Resolver<'a>>,
    /// Input types with constraints, including those with an input type that has constraints.
    pub(super) limited_inputs: BTreeSet<&'a str>,
    /// Runtime names that schema types shadow.
    pub(super) hidden: Vec<&'static str>,
    /// The folder that module names omit.
    pub(super) schema_dir: String,
}

pub(crate) struct Resolver<'a> {
    pub(crate) object: &'a Object,
    pub(crate) field: &'a Field,
    pub(crate) coordinate: String,
    pub(crate) name: String,
    pub(crate) method: String,
    /// `None` for fields of types that are not roots.
    pub(crate) root: Option<RootKind>,
    pub(crate) guard: Guard,
    pub(crate) args: Vec<Arg<'a>>,
    pub(crate) output: Output,
}

/// The access check, as far as it affects the signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Guard {
    /// The field is public, or its type is not a root.
    None,
    SignedIn,
    Role(String),
}

pub(crate) struct Arg<'a> {
    pub(crate) name: String,
    pub(crate) value: &'a InputValue,
}

pub(crate) enum Output {
    /// One value of a root field.
    Value(TypeRef),
    /// The stream of a subscription, with the type of one event.
    Events(TypeRef),
    /// One value per parent, with its non-null type.
    One(TypeRef),
    /// A list per parent, with the type of its entries.
    Many(TypeRef),
}

impl<'a> Api<'a> {
    pub(crate) fn new(model: &'a Model, config: &'a Config) -> Self {
        let crate_name = match config.crate_dir.as_str() {
            // All paths are within the crate.
            "." => config.module(),
            folder => folder.rsplit('/').next().unwrap_or_default().replace('-', "_"),
        };
        let mut api = Self {
            model,
            config,
            crate_name,
            resolvers: Vec::new(),
            limited_inputs: limited_inputs(model),
            hidden: super::spelling::hidden(model),
            schema_dir: super::modules::schema_dir(model),
        };
        api.resolvers = api
            .objects()
            .flat_map(|object| object.fields.iter().map(move |field| (object, field)))
            .filter(|(_, field)| field.kind == FieldKind::Resolved)
            .map(|(object, field)| api.resolver(object, field))
            .collect();
        api
    }

    pub(crate) fn is_relation(&self, resolver: &Resolver<'_>) -> bool {
        self.config.relations.contains_key(&resolver.coordinate)
    }

    pub(crate) fn rust(&self, name: &str) -> String {
        pascal(self.model.rust_type(name))
    }

    fn role(&self, role: &str) -> String {
        let of = self.model.role_enum.as_deref().unwrap_or_default();
        variant(self.model.rust_value(of, role))
    }

    fn resolver(&self, object: &'a Object, field: &'a Field) -> Resolver<'a> {
        let name = format!("{}{}", pascal(&object.rust), pascal(&field.rust));
        let root = match object.kind {
            ObjectKind::Root(root) => Some(root),
            _ => None,
        };
        let guard = match &field.access {
            None | Some(Access::Public) => Guard::None,
            Some(Access::SignedIn { .. }) => Guard::SignedIn,
            Some(Access::Role { role, .. }) => Guard::Role(self.role(role)),
        };
        let args = field
            .args
            .iter()
            .map(|value| Arg {
                name: parameter(&value.rust),
                value,
            })
            .collect();
        let output = match (root, field.ty.nullable()) {
            (Some(RootKind::Subscription), _) => Output::Events(field.ty.clone()),
            (Some(_), _) => Output::Value(field.ty.clone()),
            (None, TypeRef::List(entry)) => Output::Many((**entry).clone()),
            (None, one) => Output::One(TypeRef::NonNull(Box::new(one.clone()))),
        };
        let coordinate = format!("{}.{}", object.name, field.name);
        Resolver {
            object,
            field,
            coordinate,
            method: snake(&name),
            name,
            root,
            guard,
            args,
            output,
        }
    }

    /// For root types, a field, interface or union must refer to them; the subscription root's fields are streams.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        if self.model.subscription.as_deref() == Some(name) {
            return false;
        }
        let is_root = name == self.model.query || self.model.mutation.as_deref() == Some(name);
        let returned_by = |fields: &[Field]| fields.iter().any(|field| field.ty.name() == name);
        !is_root
            || self.model.types.values().any(|ty| match ty {
                Type::Object(object) => {
                    returned_by(&object.fields) || object.name == name && !object.implements.is_empty()
                }
                Type::Interface(interface) => returned_by(&interface.fields),
                Type::Union(union) => union.members.iter().any(|member| member == name),
                _ => false,
            })
    }

    pub(crate) fn members<'n>(&self, members: &'n [String]) -> Vec<&'n str> {
        let members = members.iter().map(String::as_str);
        members
            .filter(|member| self.model.subscription.as_deref() != Some(*member))
            .collect()
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = &'a Object> + use<'a> {
        self.model.types.values().filter_map(|ty| match ty {
            Type::Object(object) => Some(object),
            _ => None,
        })
    }

    pub(crate) fn bound_type(&self, name: &str) -> Option<&'a str> {
        let path = match self.model.types.get(name)? {
            Type::Enum(_) => self.config.enums.get(name),
            Type::Object(object) if object.kind == ObjectKind::Plain => self.config.objects.get(name),
            _ => None,
        };
        path.map(String::as_str)
    }

    pub(crate) fn is_shared(&self, name: &str) -> bool {
        self.config.shared.iter().any(|shared| shared == name)
    }

    pub(crate) fn enum_value(&self, name: &str, value: &str, style: Style) -> String {
        let (ty, value) = (self.named(name, style), self.model.rust_value(name, value));
        match (self.bound_type(name), style) {
            (None, _) => format!("{ty}::{}", variant(value)),
            (Some(_), Style::Shown) => format!("{ty}::{}", screaming(value)),
            (Some(_), _) => format!("<{ty} as {}>::{}", self.bind(name), screaming(value)),
        }
    }

    pub(crate) fn bind(&self, name: &str) -> String {
        format!("{}::bind::{}", self.config.module(), self.rust(name))
    }

    pub(crate) fn bind_value(&self, name: &str) -> String {
        format!("{}::bind::value::{}", self.config.module(), self.rust(name))
    }

    pub(crate) fn sorted(&self) -> Vec<&Resolver<'a>> {
        let mut resolvers: Vec<_> = self.resolvers.iter().collect();
        resolvers.sort_by(|a, b| a.name.cmp(&b.name));
        resolvers
    }

    /// Returns the markers from the lowest role.
    pub(crate) fn roles(&self) -> Option<(&'a str, Vec<String>)> {
        let name = self.model.role_enum.as_deref()?;
        match self.model.types.get(name)? {
            Type::Enum(roles) => Some((name, roles.values.iter().map(|value| variant(&value.rust)).collect())),
            _ => None,
        }
    }

    pub(crate) fn has_access(&self) -> bool {
        self.resolvers.iter().any(|resolver| resolver.guard != Guard::None)
    }

    pub(crate) fn has_roles(&self) -> bool {
        self.model.role_enum.is_some() && !self.model.subjects.is_empty()
    }

    pub(crate) fn subject_variant(&self, subject: usize) -> String {
        let subject = &self.model.subjects[subject];
        match &subject.by {
            None => self.rust(&subject.of),
            Some(by) => format!("{}By{}", self.rust(&subject.of), pascal(by)),
        }
    }
}

fn limited_inputs(model: &Model) -> BTreeSet<&str> {
    let mut containers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open = Vec::new();
    for ty in model.types.values() {
        let Type::Input(input) = ty else { continue };
        for field in &input.fields {
            containers.entry(field.ty.name()).or_default().push(&input.name);
        }
        if input.fields.iter().any(|field| !field.constraints.is_empty()) {
            open.push(input.name.as_str());
        }
    }
    let mut limited = BTreeSet::new();
    while let Some(name) = open.pop() {
        if limited.insert(name) {
            open.extend(containers.get(name).into_iter().flatten());
        }
    }
    limited
}
