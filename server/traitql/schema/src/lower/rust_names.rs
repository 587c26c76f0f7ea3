//! Names that are distinct in GraphQL but clash in Rust.
//!
//! Users can rename an item in codegen.yml, or let this module choose other names. Keywords do not clash, because the
//! generator writes `r#type` and `self_`.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Schema};

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::names::{NameKind, RESERVED_TYPE_NAMES, pascal, screaming, snake};
use crate::options::Options;

/// Guards that a schema uses; the generated crate has items for these only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guards {
    None,
    SignedIn,
    Roles,
}

#[derive(Debug, Default)]
pub(super) struct Names {
    all: HashMap<String, String>,
    /// The renamed fields, in schema order.
    pub(super) auto_renamed: Vec<(String, String)>,
}

impl Names {
    pub(super) fn get(&self, coordinate: &str) -> Option<&str> {
        self.all.get(coordinate).map(String::as_str)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// `resolved` has the coordinates of fields with a resolver.
pub(super) fn assign_names(
    schema: &Schema,
    resolved: &HashSet<String>,
    guards: Guards,
    options: &Options,
    out: &mut Collector,
) -> Names {
    let types = schema.types.values().filter(|ty| !ty.is_built_in());
    // Scalars generate no Rust items.
    let types: Vec<&ExtendedType> = types.filter(|ty| !ty.is_scalar()).collect();
    let mut names = Names::default();
    let items = types.iter().map(|ty| Item::of_type(ty, options)).collect();
    assign(items, guards, options, &mut names, out);
    // Types use the field names of their interfaces, so these are first.
    let (mut interfaces, others): (Vec<_>, Vec<_>) = types.iter().copied().partition(|ty| ty.is_interface());
    interfaces.sort_by_key(|ty| implements(ty).count());
    for group in interfaces.chunks(1).chain([&others[..]]) {
        let items = group
            .iter()
            .flat_map(|ty| members(schema, ty, resolved, &names, options))
            .collect();
        assign(items, guards, options, &mut names, out);
    }
    names
}

struct Item<'s> {
    coordinate: String,
    name: &'s Name,
    given: Option<String>,
    form: NameKind,
    namespace: Namespace,
    /// True if an interface determines the name.
    from_interface: bool,
}

enum Namespace {
    /// The types. Object types and enums also generate functions.
    Types { function: &'static str },
    /// The kind of members, and their owner.
    Members { what: &'static str, owner: String },
    /// The fields and resolver traits of an object type. `rust` is its Rust name.
    Resolvers { owner: String, rust: String },
}

impl<'s> Item<'s> {
    fn new(coordinate: String, name: &'s Name, form: NameKind, namespace: Namespace, options: &Options) -> Self {
        Self {
            given: options.name(&coordinate).map(str::to_owned),
            coordinate,
            name,
            form,
            namespace,
            from_interface: false,
        }
    }

    fn in_type(mut self, schema: &Schema, ty: &ExtendedType, field: &Name, names: &Names) -> Self {
        let member = &self.coordinate[ty.name().len()..];
        for interface in implements(ty) {
            self.from_interface |= schema.type_field(interface, field).is_ok();
            let name = names.get(&format!("{interface}{member}")).map(str::to_owned);
            self.given = self.given.or(name);
        }
        self
    }

    fn of_type(ty: &'s ExtendedType, options: &Options) -> Self {
        let function = match ty {
            ExtendedType::Object(_) => "fields_of_",
            ExtendedType::Enum(_) => "check_",
            _ => "",
        };
        let namespace = Namespace::Types { function };
        Self::new(ty.name().to_string(), ty.name(), NameKind::Type, namespace, options)
    }

    fn stem(&self) -> &str {
        self.given.as_deref().unwrap_or(self.name)
    }

    fn keys(&self, stem: &str) -> Vec<(String, String)> {
        let name = self.form.rust(stem);
        match &self.namespace {
            Namespace::Types { function: "" } => vec![(String::new(), name)],
            Namespace::Types { function } => {
                vec![
                    (String::new(), name),
                    (String::new(), format!("{function}{}", snake(stem))),
                ]
            }
            Namespace::Members { owner, .. } if self.form == NameKind::Value => {
                // A custom Rust type for the enum has constants instead of variants.
                vec![(owner.clone(), name), (format!("const {owner}"), screaming(stem))]
            }
            Namespace::Members { owner, .. } => vec![(owner.clone(), name)],
            Namespace::Resolvers { owner, rust } => {
                let resolver = format!("{rust}{}", pascal(stem));
                let method = ("resolve".to_owned(), snake(&resolver));
                vec![
                    (owner.clone(), name),
                    ("resolve".to_owned(), format!("resolve::{resolver}")),
                    method,
                ]
            }
        }
    }
}

fn members<'s>(
    schema: &'s Schema,
    ty: &'s ExtendedType,
    resolved: &HashSet<String>,
    names: &Names,
    options: &Options,
) -> Vec<Item<'s>> {
    let type_name = ty.name();
    let listed = |of: Vec<&'s Name>, what: &'static str, form: NameKind| -> Vec<Item<'s>> {
        let owner = || type_name.to_string();
        let item = |name: &'s Name| {
            let namespace = Namespace::Members { what, owner: owner() };
            Item::new(format!("{type_name}.{name}"), name, form, namespace, options)
        };
        of.into_iter().map(item).collect()
    };
    match ty {
        ExtendedType::Object(object) => {
            let rust = || pascal(names.get(type_name).unwrap_or(type_name));
            let mut items = Vec::new();
            for field in object.fields.values() {
                let coordinate = format!("{type_name}.{}", field.name);
                let owner = type_name.to_string();
                let namespace = if resolved.contains(&coordinate) {
                    Namespace::Resolvers { owner, rust: rust() }
                } else {
                    Namespace::Members { what: "fields", owner }
                };
                for argument in &field.arguments {
                    let namespace = Namespace::Members {
                        what: "arguments",
                        owner: coordinate.clone(),
                    };
                    let argument_coordinate = format!("{coordinate}({}:)", argument.name);
                    let argument = Item::new(
                        argument_coordinate,
                        &argument.name,
                        NameKind::Parameter,
                        namespace,
                        options,
                    );
                    items.push(argument.in_type(schema, ty, &field.name, names));
                }
                let item = Item::new(coordinate, &field.name, NameKind::Field, namespace, options);
                items.push(item.in_type(schema, ty, &field.name, names));
            }
            items
        }
        ExtendedType::Interface(interface) => interface
            .fields
            .values()
            .flat_map(|field| {
                let coordinate = format!("{type_name}.{}", field.name);
                let item = |name, coordinate, form, what, owner| {
                    let namespace = Namespace::Members { what, owner };
                    Item::new(coordinate, name, form, namespace, options).in_type(schema, ty, &field.name, names)
                };
                let mut items: Vec<Item<'s>> = Vec::new();
                for argument in &field.arguments {
                    let name = &argument.name;
                    let of = format!("{coordinate}({name}:)");
                    items.push(item(name, of, NameKind::Parameter, "arguments", coordinate.clone()));
                }
                items.push(item(
                    &field.name,
                    coordinate,
                    NameKind::Field,
                    "fields",
                    type_name.to_string(),
                ));
                items
            })
            .collect(),
        // The fields of a `@oneOf` input become enum variants.
        ExtendedType::InputObject(input) if input.is_one_of() => {
            listed(input.fields.keys().collect(), "fields", NameKind::Variant)
        }
        ExtendedType::InputObject(input) => listed(input.fields.keys().collect(), "fields", NameKind::Field),
        ExtendedType::Enum(ty) => listed(ty.values.keys().collect(), "values", NameKind::Value),
        ExtendedType::Scalar(_) | ExtendedType::Union(_) => Vec::new(),
    }
}

fn implements(ty: &ExtendedType) -> impl Iterator<Item = &Name> {
    let interfaces = match ty {
        ExtendedType::Object(object) => Some(&object.implements_interfaces),
        ExtendedType::Interface(interface) => Some(&interface.implements_interfaces),
        _ => None,
    };
    interfaces.into_iter().flatten().map(|name| &**name)
}

/// Assigns names of the user last, those of interfaces first.
fn assign(mut items: Vec<Item<'_>>, guards: Guards, options: &Options, names: &mut Names, out: &mut Collector) {
    items.sort_by_key(|item| (item.given.is_some(), !item.from_interface));
    let preferred: LazyCell<HashSet<(String, String)>, _> =
        LazyCell::new(|| items.iter().flat_map(|item| item.keys(item.stem())).collect());
    let mut taken: HashMap<(String, String), usize> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let keys = item.keys(item.stem());
        let clash = keys.iter().find_map(|key| Some((&key.1, *taken.get(key)?)));
        let is_taken =
            matches!(item.namespace, Namespace::Types { .. }) && is_taken(&item.form.rust(item.stem()), guards);
        let mut chosen = item.given.clone();
        if clash.is_some() || is_taken {
            let is_free = |stem: &String| {
                let free = |key: &(String, String)| !preferred.contains(key) && !taken.contains_key(key);
                !(item.form == NameKind::Type && RESERVED_TYPE_NAMES.contains(&stem.as_str()))
                    && item.keys(stem).iter().all(free)
            };
            let named = is_taken.then(|| format!("{}Type", item.form.rust(item.stem())));
            let numbered = (2..).map(|number: usize| item.form.numbered(item.stem(), number));
            let other = named.into_iter().chain(numbered).find(is_free).unwrap_or_default();
            if options.renames() {
                names.auto_renamed.push((item.coordinate.clone(), other.clone()));
            } else {
                report(item, clash.map(|(name, at)| (name, &items[at])), &other, out);
            }
            chosen = Some(other);
        }
        let stem = chosen.as_deref().unwrap_or(item.name);
        taken.extend(item.keys(stem).into_iter().map(|key| (key, index)));
        if let Some(name) = chosen {
            names.all.insert(item.coordinate.clone(), name);
        }
    }
}

/// True if the generated crate uses this name.
fn is_taken(rust: &str, guards: Guards) -> bool {
    match rust {
        "Access" => guards != Guards::None,
        "Grant" | "Subject" => guards == Guards::Roles,
        name => RESERVED_TYPE_NAMES.contains(&name),
    }
}

fn report(item: &Item<'_>, clash: Option<(&String, &Item<'_>)>, other: &str, out: &mut Collector) {
    // The colon of an argument would start a value in YAML.
    let key = if item.coordinate.contains(':') {
        format!("{:?}", item.coordinate)
    } else {
        item.coordinate.clone()
    };
    let line = format!("only in Rust, in codegen.yml:\ntraitql:\n  rename:\n    {key}: {other}");
    let Some((rust, first)) = clash else {
        let message = format!(
            "type `{}` has a name that the generated Rust code uses itself",
            item.name
        );
        out.report(code::TYPE_NAME_TAKEN, item.name.location(), message)
            .help(format!("rename the type, in the schema or {line}"));
        return;
    };
    let (a, b) = (first.name, item.name);
    let (code, message) = match &item.namespace {
        Namespace::Types { .. } => (
            code::RUST_NAME_CLASH,
            format!("types `{a}` and `{b}` would both be named `{rust}` in Rust"),
        ),
        Namespace::Members { what, owner } => (
            code::RUST_NAME_CLASH,
            format!("{what} `{a}` and `{b}` of `{owner}` would both be named `{rust}` in Rust"),
        ),
        Namespace::Resolvers { owner, .. } if *rust == item.form.rust(item.stem()) => (
            code::RUST_NAME_CLASH,
            format!("fields `{a}` and `{b}` of `{owner}` would both be named `{rust}` in Rust"),
        ),
        Namespace::Resolvers { .. } => (
            code::COORDINATE_CLASH,
            format!(
                "`{}` and `{}` would both be named `{rust}` in Rust",
                item.coordinate, first.coordinate
            ),
        ),
    };
    out.report(code, item.name.location(), message)
        .note(first.name.location(), "conflicts with this name")
        .help(format!("rename one of them, in the schema or {line}"));
}
