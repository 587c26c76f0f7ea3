//! What the crate consists of: every choice of a name, a type or a shape is made here, so that those who write only write.

use std::collections::{BTreeMap, BTreeSet};

use traitql_schema::model::{Access, Field, FieldKind, InputValue, Model, Object, ObjectKind, RootKind, Type, TypeRef};

use crate::{
    Config,
    names::{ident, pascal, snake, variant},
    render::RustFile,
};

/// The model with the names and types that Rust has for it.
pub(crate) struct Api<'a> {
    pub(crate) model: &'a Model,
    pub(crate) config: &'a Config,
    /// Name of the crate in paths: `waypost_api`.
    pub(crate) crate_name: String,
    /// Everything that needs a resolver: types in order, fields in order.
    pub(crate) resolvers: Vec<Resolver<'a>>,
    /// Directory that all schema files have in common; names of modules leave it out.
    schema_dir: String,
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

/// How types are spelled in some place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Inside `types/`: types of the schema stand bare.
    Types,
    /// Elsewhere in the generated crate: `types::Tour`.
    Generated,
    /// In a file of the application, as a message shows it: `Tour`.
    Shown,
}

/// Names of the prelude that a type of the schema might hide inside `types/`.
const PRELUDE: &[(&str, &str)] = &[
    ("Option", "std::option::Option"),
    ("Vec", "std::vec::Vec"),
    ("String", "std::string::String"),
    ("Box", "std::boxed::Box"),
    ("From", "std::convert::From"),
];

/// Names of the runtime that a resolver's file imports; a type of the schema with such a name is shown with its crate.
const RUNTIME: &[&str] = &[
    "Batch", "Ctx", "Events", "Id", "Many", "One", "Page", "Patch", "Throws", "Viewer", "DateTime", "Date", "Url",
];

impl<'a> Api<'a> {
    pub(crate) fn new(model: &'a Model, config: &'a Config) -> Self {
        let crate_name = config
            .crate_dir
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .replace('-', "_");
        let mut api = Self {
            model,
            config,
            crate_name,
            resolvers: Vec::new(),
            schema_dir: schema_dir(model),
        };
        api.resolvers = api
            .objects()
            .flat_map(|object| object.fields.iter().map(move |field| (object, field)))
            .filter(|(_, field)| field.kind == FieldKind::Resolved)
            .map(|(object, field)| api.resolver(object, field))
            .collect();
        api
    }

    fn resolver(&self, object: &'a Object, field: &'a Field) -> Resolver<'a> {
        let name = format!("{}{}", pascal(&object.name), pascal(&field.name));
        let root = match object.kind {
            ObjectKind::Root(root) => Some(root),
            _ => None,
        };
        let guard = match &field.access {
            None | Some(Access::Public) => Guard::None,
            Some(Access::SignedIn) => Guard::SignedIn,
            Some(Access::Role { role, .. }) => Guard::Role(variant(role)),
        };
        let args = field
            .args
            .iter()
            .map(|value| {
                let name = snake(&value.name);
                let taken = matches!(name.as_str(), "cx" | "viewer" | "parents" | "self");
                Arg {
                    name: if taken { format!("{name}_") } else { ident(&name) },
                    value,
                }
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

    /// All object types.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &'a Object> + use<'a> {
        self.model.types.values().filter_map(|ty| match ty {
            Type::Object(object) => Some(object),
            _ => None,
        })
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
            Type::Enum(roles) => Some((name, roles.values.iter().map(|value| variant(&value.name)).collect())),
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

    /// A file of the crate that belongs to the schema as a whole.
    pub(crate) fn whole(&self, name: &str, doc: &str) -> RustFile {
        RustFile::new(
            self.path(name),
            format!("{}/**/*.graphql", self.schema_dir).replace("//", "/"),
            doc,
        )
    }

    /// Where a generated file of the crate is.
    pub(crate) fn path(&self, name: &str) -> String {
        match self.config.crate_dir.as_str() {
            "." => format!("src/generated/{name}"),
            folder => format!("{folder}/src/generated/{name}"),
        }
    }

    /// Name of the module of a schema file: `schema/tour.graphql` -> `tour`.
    pub(crate) fn module(&self, file: &str) -> String {
        let file = file
            .strip_prefix(&self.schema_dir)
            .unwrap_or(file)
            .trim_start_matches('/');
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let name: String = stem
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_lowercase()
                } else {
                    '_'
                }
            })
            .collect();
        // `mod` would be the name of the folder's own file.
        if name == "mod" {
            "mod_".to_owned()
        } else {
            ident(&name).replace("r#", "") + if ident(&name).starts_with("r#") { "_" } else { "" }
        }
    }

    /// The types that Rust needs by the module of the file that defines them.
    pub(crate) fn types_by_module(&self) -> BTreeMap<String, (String, Vec<&'a Type>)> {
        let mut modules: BTreeMap<String, (String, Vec<&'a Type>)> = BTreeMap::new();
        let used = self.used_enums();
        for ty in self.model.types.values() {
            if matches!(ty, Type::Enum(ty) if !used.contains(ty.name.as_str())) {
                continue;
            }
            let file = &origin(ty).file;
            modules
                .entry(self.module(file))
                .or_insert_with(|| (file.clone(), Vec::new()))
                .1
                .push(ty);
        }
        modules
    }

    /// The enums that values can have; those that only arguments of directives have stay in the schema.
    fn used_enums(&self) -> BTreeSet<&'a str> {
        let of_field = |field: &'a Field| field.args.iter().map(|arg| arg.ty.name()).chain([field.ty.name()]);
        let mut used: BTreeSet<&'a str> = self
            .model
            .role_enum
            .iter()
            .chain(&self.model.error_enum)
            .map(String::as_str)
            .collect();
        for ty in self.model.types.values() {
            match ty {
                Type::Object(ty) => used.extend(ty.fields.iter().flat_map(of_field)),
                Type::Interface(ty) => used.extend(ty.fields.iter().flat_map(of_field)),
                Type::Input(ty) => used.extend(ty.fields.iter().map(|field| field.ty.name())),
                Type::Scalar(_) | Type::Enum(_) | Type::Union(_) => {}
            }
        }
        let transitions = self
            .resolvers
            .iter()
            .filter_map(|resolver| resolver.field.transition.as_ref());
        used.extend(transitions.map(|transition| transition.of.as_str()));
        used
    }

    /// The resolvers by the module of the file that defines them.
    pub(crate) fn resolvers_by_module(&self) -> BTreeMap<String, (String, Vec<&Resolver<'a>>)> {
        let mut modules: BTreeMap<String, (String, Vec<&Resolver<'a>>)> = BTreeMap::new();
        for resolver in &self.resolvers {
            let file = &resolver.field.origin.file;
            modules
                .entry(self.module(file))
                .or_insert_with(|| (file.clone(), Vec::new()))
                .1
                .push(resolver);
        }
        modules
    }

    /// The Rust type of a value that leaves the server, null included.
    pub(crate) fn output(&self, ty: &TypeRef, style: Style) -> String {
        match ty {
            TypeRef::NonNull(inner) => match &**inner {
                TypeRef::List(entry) => format!("{}<{}>", self.std("Vec", style), self.output(entry, style)),
                named => self.named(named.name(), style),
            },
            nullable => {
                let inner = self.output(&TypeRef::NonNull(Box::new(nullable.clone())), style);
                format!("{}<{inner}>", self.std("Option", style))
            }
        }
    }

    /// The Rust type of an argument, or of an input field whose absence means nothing.
    pub(crate) fn input(&self, value: &InputValue, style: Style) -> String {
        self.output(&value.ty, style)
    }

    /// The Rust type of a field of an input object.
    pub(crate) fn input_field(&self, owner: &str, value: &InputValue, style: Style) -> String {
        let boxed = !value.ty.is_list() && self.reaches_input(value.ty.name(), owner, &mut BTreeSet::new());
        let wrap = |inner: String| {
            if boxed {
                format!("{}<{inner}>", self.std("Box", style))
            } else {
                inner
            }
        };
        let inner = wrap(self.output(&TypeRef::NonNull(Box::new(value.ty.nullable().clone())), style));
        match (value.ty.is_non_null(), &value.default) {
            (true, _) => inner,
            (false, Some(_)) => format!("{}<{inner}>", self.std("Option", style)),
            (false, None) => format!("traitql::Patch<{inner}>"),
        }
    }

    /// Whether the field of an input object is behind a box, because its type contains itself.
    pub(crate) fn is_boxed_input(&self, owner: &str, value: &InputValue) -> bool {
        !value.ty.is_list() && self.reaches_input(value.ty.name(), owner, &mut BTreeSet::new())
    }

    /// The Rust type behind a name of the schema.
    pub(crate) fn named(&self, name: &str, style: Style) -> String {
        let bound = self.config.scalars.get(name).map(String::as_str);
        let built_in = match name {
            "Int" => Some("i32"),
            "Float" => Some("f64"),
            "Boolean" => Some("bool"),
            "String" => return bound.map_or_else(|| self.std("String", style), str::to_owned),
            "ID" => Some("traitql::Id"),
            _ => None,
        };
        if let Some(path) = bound.or(built_in) {
            return self.scalar_path(path, style);
        }
        match self.model.types.get(name) {
            Some(Type::Object(Object {
                kind: ObjectKind::Connection { node, .. },
                ..
            })) => {
                let page = if style == Style::Shown { "Page" } else { "traitql::Page" };
                format!("{page}<{}>", self.named(node, style))
            }
            Some(Type::Scalar(_)) => self.scalar_path("traitql::Json", style),
            _ => {
                let name = pascal(name);
                match style {
                    Style::Types => name,
                    Style::Generated => format!("types::{name}"),
                    Style::Shown if RUNTIME.contains(&name.as_str()) => format!("{}::{name}", self.crate_name),
                    Style::Shown => name,
                }
            }
        }
    }

    fn scalar_path(&self, path: &str, style: Style) -> String {
        match (style, path.rsplit_once("::")) {
            (Style::Shown, Some((_, last))) => last.to_owned(),
            _ => path.to_owned(),
        }
    }

    /// A name of the prelude, spelled out where a type of the schema hides it.
    pub(crate) fn std(&self, name: &'static str, style: Style) -> String {
        let hidden = style == Style::Types && self.model.types.contains_key(name);
        let path = PRELUDE.iter().find(|(short, _)| *short == name).map(|(_, path)| *path);
        path.filter(|_| hidden).unwrap_or(name).to_owned()
    }

    /// Whether a value of input type `from` holds one of `to` without a list between.
    fn reaches_input(&self, from: &str, to: &str, seen: &mut BTreeSet<String>) -> bool {
        let Some(Type::Input(input)) = self.model.types.get(from) else {
            return false;
        };
        from == to
            || (seen.insert(from.to_owned())
                && input
                    .fields
                    .iter()
                    .any(|field| !field.ty.is_list() && self.reaches_input(field.ty.name(), to, seen)))
    }

    /// Variant of `Subject`: `Workspace`, or `WorkspaceBySlug`.
    pub(crate) fn subject_variant(&self, subject: usize) -> String {
        let subject = &self.model.subjects[subject];
        match &subject.by {
            None => pascal(&subject.of),
            Some(by) => format!("{}By{}", pascal(&subject.of), pascal(by)),
        }
    }
}

impl Resolver<'_> {
    /// Parent type of a field below the root.
    pub(crate) fn parent(&self, api: &Api<'_>, style: Style) -> Option<String> {
        self.root.is_none().then(|| api.named(&self.object.name, style))
    }

    /// What the resolver answers when nothing fails, with `'b` where it is a column.
    pub(crate) fn answer(&self, api: &Api<'_>, style: Style) -> String {
        let runtime = if style == Style::Shown { "" } else { "traitql::" };
        let field = format!("field::{}", self.name);
        match &self.answer {
            Answer::Value(ty) => api.output(ty, style),
            Answer::Events(ty) => format!("{runtime}Events<{}, {field}>", api.output(ty, style)),
            Answer::One(ty) => format!("{runtime}One<'b, {}>", api.output(ty, style)),
            Answer::Many(ty) => format!("{runtime}Many<'b, {}>", api.output(ty, style)),
        }
    }

    /// The parameters after `&self`. `lifetime` stands in every reference: `""` or `"'a "`.
    pub(crate) fn parameters(&self, api: &Api<'_>, style: Style, lifetime: &str) -> String {
        let runtime = if style == Style::Shown { "" } else { "traitql::" };
        let mut out = vec![format!("cx: &{lifetime}{runtime}Ctx")];
        match &self.guard {
            Guard::None => {}
            Guard::SignedIn => out.push(format!("viewer: &{lifetime}{runtime}Viewer<role::SignedIn>")),
            Guard::Role(marker) => out.push(format!("viewer: &{lifetime}{runtime}Viewer<role::{marker}>")),
        }
        if let Some(parent) = self.parent(api, style) {
            out.push(format!("parents: {runtime}Batch<'b, {parent}>"));
        }
        out.extend(
            self.args
                .iter()
                .map(|arg| format!("{}: {}", arg.name, api.input(arg.value, style))),
        );
        out.join(", ")
    }

    /// Names of the parameters after `&self`, as a call passes them on.
    pub(crate) fn forwarded(&self) -> String {
        let mut out = vec!["cx".to_owned()];
        out.extend((self.guard != Guard::None).then(|| "viewer".to_owned()));
        out.extend(self.root.is_none().then(|| "parents".to_owned()));
        out.extend(self.args.iter().map(|arg| arg.name.clone()));
        out.join(", ")
    }

    /// `<'b>` where the resolver takes a batch.
    pub(crate) fn generics(&self) -> &'static str {
        if self.root.is_none() { "<'b>" } else { "" }
    }

    /// Whether clippy's limit of seven parameters (`too_many_arguments`) is passed.
    pub(crate) fn has_many_parameters(&self) -> bool {
        1 + self.forwarded().split(", ").count() > 7
    }
}

/// Where a type is defined.
pub(crate) fn origin(ty: &Type) -> &traitql_schema::model::Origin {
    match ty {
        Type::Scalar(ty) => &ty.origin,
        Type::Enum(ty) => &ty.origin,
        Type::Input(ty) => &ty.origin,
        Type::Object(ty) => &ty.origin,
        Type::Interface(ty) => &ty.origin,
        Type::Union(ty) => &ty.origin,
    }
}

/// The directory that all files of the schema have in common.
fn schema_dir(model: &Model) -> String {
    let mut common: Option<Vec<&str>> = None;
    let fields = model.types.values().filter_map(|ty| match ty {
        Type::Object(object) => Some(&object.fields),
        _ => None,
    });
    let files = model
        .types
        .values()
        .map(|ty| &origin(ty).file)
        .chain(fields.flatten().map(|field| &field.origin.file));
    for file in files {
        let parts: Vec<&str> = file.split('/').collect();
        let dirs = &parts[..parts.len() - 1];
        common = Some(match common {
            None => dirs.to_vec(),
            Some(common) => common
                .iter()
                .zip(dirs)
                .take_while(|(a, b)| a == b)
                .map(|(a, _)| *a)
                .collect(),
        });
    }
    common.unwrap_or_default().join("/")
}
