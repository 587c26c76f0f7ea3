//! What the crate consists of: every choice of a name, a type or a shape is made here, so that those who write only write.

use traitql_schema::model::{Access, Field, FieldKind, InputValue, Model, Object, ObjectKind, RootKind, Type, TypeRef};

use crate::{
    Config,
    names::{parameter, pascal, screaming, snake, variant},
};

pub(crate) use super::{modules::origin, spelling::Style};

/// The model with the names and types that Rust has for it.
pub(crate) struct Api<'a> {
    pub(crate) model: &'a Model,
    pub(crate) config: &'a Config,
    /// Name of the crate in paths: `waypost_api`.
    pub(crate) crate_name: String,
    /// Everything that needs a resolver: types in order, fields in order.
    pub(crate) resolvers: Vec<Resolver<'a>>,
    /// Names of the prelude that types of the schema have.
    pub(super) hidden: Vec<&'static str>,
    /// Directory that all schema files have in common; names of modules leave it out.
    pub(super) schema_dir: String,
}

/// A field with a resolver.
pub(crate) struct Resolver<'a> {
    pub(crate) object: &'a Object,
    pub(crate) field: &'a Field,
    /// `Tour.draft`
    pub(crate) coordinate: String,
    /// Name of the trait and of the marker: `TourDraft`.
    pub(crate) name: String,
    /// Name in the seam and in the mock: `tour_draft`.
    pub(crate) method: String,
    /// `None` below the root.
    pub(crate) root: Option<RootKind>,
    pub(crate) guard: Guard,
    pub(crate) args: Vec<Arg<'a>>,
    pub(crate) answer: Answer,
}

/// What is checked before a resolver is called, as far as it shows in its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Nothing: a public field, or one below the root.
    None,
    /// Somebody is signed in.
    SignedIn,
    /// The marker of the role in module `role`: `Author`.
    Role(String),
}

/// One argument.
pub(crate) struct Arg<'a> {
    /// Name of the parameter.
    pub(crate) name: String,
    pub(crate) value: &'a InputValue,
}

/// The shape of a resolver's answer.
pub(crate) enum Answer {
    /// A root field's value: its whole type.
    Value(TypeRef),
    /// A stream of values.
    Events(TypeRef),
    /// At most one value per parent: its type without null.
    One(TypeRef),
    /// A list per parent: the type of its entries.
    Many(TypeRef),
}

impl<'a> Api<'a> {
    pub(crate) fn new(model: &'a Model, config: &'a Config) -> Self {
        let crate_name = match config.crate_dir.as_str() {
            // The folder's name is not known, and in a crate of its own nobody needs it.
            "." => config.module(),
            folder => folder.rsplit('/').next().unwrap_or_default().replace('-', "_"),
        };
        let mut api = Self {
            model,
            config,
            crate_name,
            resolvers: Vec::new(),
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

    /// The name of a type in Rust.
    pub(crate) fn rust(&self, name: &str) -> String {
        pascal(self.model.rust_type(name))
    }

    /// The marker of a role.
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
            Some(Access::SignedIn) => Guard::SignedIn,
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
        let answer = match (root, field.ty.nullable()) {
            (Some(RootKind::Subscription), _) => Answer::Events(field.ty.clone()),
            (Some(_), _) => Answer::Value(field.ty.clone()),
            (None, TypeRef::List(entry)) => Answer::Many((**entry).clone()),
            (None, one) => Answer::One(TypeRef::NonNull(Box::new(one.clone()))),
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
            answer,
        }
    }

    /// Whether a field can answer with values of an object type: of a root only when some field, interface or union names
    /// it, and never of the subscription root, whose fields are streams.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        if self.model.subscription.as_deref() == Some(name) {
            return false;
        }
        let is_root = name == self.model.query || self.model.mutation.as_deref() == Some(name);
        let answers = |fields: &[Field]| fields.iter().any(|field| field.ty.name() == name);
        !is_root
            || self.model.types.values().any(|ty| match ty {
                Type::Object(object) => answers(&object.fields) || object.name == name && !object.implements.is_empty(),
                Type::Interface(interface) => answers(&interface.fields),
                Type::Union(union) => union.members.iter().any(|member| member == name),
                _ => false,
            })
    }

    /// The members of an interface or union that values can have.
    pub(crate) fn members<'n>(&self, members: &'n [String]) -> Vec<&'n str> {
        let members = members.iter().map(String::as_str);
        members
            .filter(|member| self.model.subscription.as_deref() != Some(*member))
            .collect()
    }

    /// All object types.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &'a Object> + use<'a> {
        self.model.types.values().filter_map(|ty| match ty {
            Type::Object(object) => Some(object),
            _ => None,
        })
    }

    /// The person's own type that stands for an enum or an object type: a path.
    pub(crate) fn own(&self, name: &str) -> Option<&'a str> {
        let path = match self.model.types.get(name)? {
            Type::Enum(_) => self.config.enums.get(name),
            Type::Object(object) if object.kind == ObjectKind::Plain => self.config.objects.get(name),
            _ => None,
        };
        path.map(String::as_str)
    }

    /// Whether values of an object type are shared, by codegen.yml.
    pub(crate) fn is_shared(&self, name: &str) -> bool {
        self.config.shared.iter().any(|shared| shared == name)
    }

    /// The value of an enum, as an expression that is constant.
    pub(crate) fn enum_value(&self, name: &str, value: &str, style: Style) -> String {
        let (ty, value) = (self.named(name, style), self.model.rust_value(name, value));
        match (self.own(name), style) {
            (None, _) => format!("{ty}::{}", variant(value)),
            (Some(_), Style::Shown) => format!("{ty}::{}", screaming(value)),
            (Some(_), _) => format!("<{ty} as {}>::{}", self.bind(name), screaming(value)),
        }
    }

    /// The trait through which an own type is seen.
    pub(crate) fn bind(&self, name: &str) -> String {
        format!("{}::bind::{}", self.config.module(), self.rust(name))
    }

    /// The values of an enum that an own type stands for, as an enum of Rust.
    pub(crate) fn bind_value(&self, name: &str) -> String {
        format!("{}::bind::value::{}", self.config.module(), self.rust(name))
    }

    /// The resolvers, sorted by their name: for lists that several branches add to.
    pub(crate) fn sorted(&self) -> Vec<&Resolver<'a>> {
        let mut resolvers: Vec<_> = self.resolvers.iter().collect();
        resolvers.sort_by(|a, b| a.name.cmp(&b.name));
        resolvers
    }

    /// The role enum's name and its values with their markers, lowest first.
    pub(crate) fn roles(&self) -> Option<(&'a str, Vec<String>)> {
        let name = self.model.role_enum.as_deref()?;
        match self.model.types.get(name)? {
            Type::Enum(roles) => Some((name, roles.values.iter().map(|value| variant(&value.rust)).collect())),
            _ => None,
        }
    }

    /// Whether any field asks who calls.
    pub(crate) fn has_access(&self) -> bool {
        self.resolvers.iter().any(|resolver| resolver.guard != Guard::None)
    }

    /// Whether any field asks for a role.
    pub(crate) fn has_roles(&self) -> bool {
        self.model.role_enum.is_some() && !self.model.subjects.is_empty()
    }

    /// Variant of `Subject`: `Workspace`, or `WorkspaceBySlug`.
    pub(crate) fn subject_variant(&self, subject: usize) -> String {
        let subject = &self.model.subjects[subject];
        match &subject.by {
            None => self.rust(&subject.of),
            Some(by) => format!("{}By{}", self.rust(&subject.of), pascal(by)),
        }
    }
}
