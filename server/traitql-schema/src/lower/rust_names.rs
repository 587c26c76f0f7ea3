//! Names that GraphQL keeps apart and Rust does not.
//!
//! Generated code must type-check whatever people write; where two names would meet in Rust, the schema is the place to say
//! so. Who cannot change the schema gives one of them another name in codegen.yml, and where the caller permits it, that is
//! done here. Keywords are no problem, because the generator writes `r#type` and `self_`.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Schema};

use crate::code;
use crate::diagnostic::Collector;
use crate::names::{Form, TAKEN, pascal, screaming, snake};
use crate::options::Options;

/// What a schema wants to know about callers: the generated crate has items for it only then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guards {
    None,
    SignedIn,
    Roles,
}

/// What things are called in Rust that are not called as in the schema.
#[derive(Debug, Default)]
pub(super) struct Names {
    all: HashMap<String, String>,
    /// Those that nobody asked for, in the order of the schema.
    pub(super) mended: Vec<(String, String)>,
}

impl Names {
    pub(super) fn get(&self, coordinate: &str) -> Option<&str> {
        self.all.get(coordinate).map(String::as_str)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Decides what everything is called, and reports names that meet; `resolved` are the coordinates of fields with a resolver,
/// `guards` the questions that the schema asks about callers.
pub(super) fn settle(
    schema: &Schema,
    resolved: &HashSet<String>,
    guards: Guards,
    options: &Options,
    out: &mut Collector,
) -> Names {
    let types = schema.types.values().filter(|ty| !ty.is_built_in());
    // A scalar makes no item in Rust.
    let types: Vec<&ExtendedType> = types.filter(|ty| !ty.is_scalar()).collect();
    let mut names = Names::default();
    let items = types.iter().map(|ty| Item::of_type(ty, options)).collect();
    assign(items, guards, options, &mut names, out);
    // What implements an interface calls its fields as the interface does, so interfaces come first, and each behind those
    // that it implements itself.
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

/// Something that has names in Rust.
struct Item<'s> {
    coordinate: String,
    name: &'s Name,
    /// What it was called in codegen.yml.
    given: Option<String>,
    form: Form,
    place: Place,
    /// An interface says what it is called.
    promised: bool,
}

/// Where names of Rust must differ.
enum Place {
    /// The types of the schema. Objects and enums have functions that are named after them.
    Types { function: &'static str },
    /// The members of a type or field: what they are, and of what.
    Members { what: &'static str, owner: String },
    /// The fields of an object type, and the traits of all resolvers: what the type is called there.
    Resolvers { owner: String, rust: String },
}

impl<'s> Item<'s> {
    fn new(coordinate: String, name: &'s Name, form: Form, place: Place, options: &Options) -> Self {
        Self {
            given: options.name(&coordinate).map(str::to_owned),
            coordinate,
            name,
            form,
            place,
            promised: false,
        }
    }

    /// The same as the member of a type, which is called as in the interface that has it.
    fn in_type(mut self, schema: &Schema, ty: &ExtendedType, field: &Name, names: &Names) -> Self {
        let member = &self.coordinate[ty.name().len()..];
        for interface in implements(ty) {
            self.promised |= schema.type_field(interface, field).is_ok();
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
        let place = Place::Types { function };
        Self::new(ty.name().to_string(), ty.name(), Form::Type, place, options)
    }

    /// What its names are made of, unless they are mended.
    fn stem(&self) -> &str {
        self.given.as_deref().unwrap_or(self.name)
    }

    /// Everything that it occupies when its names are made of `stem`: the place, and the name there as a message shows it.
    fn keys(&self, stem: &str) -> Vec<(String, String)> {
        let name = self.form.rust(stem);
        match &self.place {
            Place::Types { function: "" } => vec![(String::new(), name)],
            Place::Types { function } => {
                vec![
                    (String::new(), name),
                    (String::new(), format!("{function}{}", snake(stem))),
                ]
            }
            Place::Members { owner, .. } if self.form == Form::Value => {
                // An own type that stands for the enum has constants instead of variants.
                vec![(owner.clone(), name), (format!("const {owner}"), screaming(stem))]
            }
            Place::Members { owner, .. } => vec![(owner.clone(), name)],
            Place::Resolvers { owner, rust } => {
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

/// Fields, arguments and values.
fn members<'s>(
    schema: &'s Schema,
    ty: &'s ExtendedType,
    resolved: &HashSet<String>,
    names: &Names,
    options: &Options,
) -> Vec<Item<'s>> {
    let type_name = ty.name();
    let listed = |of: Vec<&'s Name>, what: &'static str, form: Form| -> Vec<Item<'s>> {
        let owner = || type_name.to_string();
        let item = |name: &'s Name| {
            let place = Place::Members { what, owner: owner() };
            Item::new(format!("{type_name}.{name}"), name, form, place, options)
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
                let place = match resolved.contains(&coordinate) {
                    true => Place::Resolvers { owner, rust: rust() },
                    false => Place::Members { what: "fields", owner },
                };
                for argument in &field.arguments {
                    let place = Place::Members {
                        what: "arguments",
                        owner: coordinate.clone(),
                    };
                    let argument_coordinate = format!("{coordinate}({}:)", argument.name);
                    let argument = Item::new(argument_coordinate, &argument.name, Form::Parameter, place, options);
                    items.push(argument.in_type(schema, ty, &field.name, names));
                }
                let item = Item::new(coordinate, &field.name, Form::Field, place, options);
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
                    let place = Place::Members { what, owner };
                    Item::new(coordinate, name, form, place, options).in_type(schema, ty, &field.name, names)
                };
                let mut items: Vec<Item<'s>> = Vec::new();
                for argument in &field.arguments {
                    let name = &argument.name;
                    let of = format!("{coordinate}({name}:)");
                    items.push(item(name, of, Form::Parameter, "arguments", coordinate.clone()));
                }
                items.push(item(
                    &field.name,
                    coordinate,
                    Form::Field,
                    "fields",
                    type_name.to_string(),
                ));
                items
            })
            .collect(),
        // The fields of a `@oneOf` input are variants of an enum.
        ExtendedType::InputObject(input) if input.is_one_of() => {
            listed(input.fields.keys().collect(), "fields", Form::Variant)
        }
        ExtendedType::InputObject(input) => listed(input.fields.keys().collect(), "fields", Form::Field),
        ExtendedType::Enum(ty) => listed(ty.values.keys().collect(), "values", Form::Value),
        ExtendedType::Scalar(_) | ExtendedType::Union(_) => Vec::new(),
    }
}

/// The interfaces that a type implements.
fn implements(ty: &ExtendedType) -> impl Iterator<Item = &Name> {
    let interfaces = match ty {
        ExtendedType::Object(object) => Some(&object.implements_interfaces),
        ExtendedType::Interface(interface) => Some(&interface.implements_interfaces),
        _ => None,
    };
    interfaces.into_iter().flatten().map(|name| &**name)
}

/// Gives names one after the other, first those that nobody changed, and of these first those that interfaces promise. A name that
/// is not free is mended or reported.
fn assign(mut items: Vec<Item<'_>>, guards: Guards, options: &Options, names: &mut Names, out: &mut Collector) {
    items.sort_by_key(|item| (item.given.is_some(), !item.promised));
    // Most schemas need no other name, and do not pay for what finding one takes.
    let natural: LazyCell<HashSet<(String, String)>, _> =
        LazyCell::new(|| items.iter().flat_map(|item| item.keys(item.stem())).collect());
    let mut held: HashMap<(String, String), usize> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        let keys = item.keys(item.stem());
        let meets = keys.iter().find_map(|key| Some((&key.1, *held.get(key)?)));
        let is_taken = matches!(item.place, Place::Types { .. }) && is_taken(&item.form.rust(item.stem()), guards);
        let mut chosen = item.given.clone();
        if meets.is_some() || is_taken {
            let is_free = |stem: &String| {
                let free = |key: &(String, String)| !natural.contains(key) && !held.contains_key(key);
                !(item.form == Form::Type && TAKEN.contains(&stem.as_str())) && item.keys(stem).iter().all(free)
            };
            let named = is_taken.then(|| format!("{}Type", item.form.rust(item.stem())));
            let numbered = (2..).map(|number: usize| item.form.numbered(item.stem(), number));
            let other = named.into_iter().chain(numbered).find(is_free).unwrap_or_default();
            if options.renames() {
                names.mended.push((item.coordinate.clone(), other.clone()));
            } else {
                report(item, meets.map(|(name, at)| (name, &items[at])), &other, out);
            }
            chosen = Some(other);
        }
        let stem = chosen.as_deref().unwrap_or(item.name);
        held.extend(item.keys(stem).into_iter().map(|key| (key, index)));
        if let Some(name) = chosen {
            names.all.insert(item.coordinate.clone(), name);
        }
    }
}

/// Whether the generated crate needs the name of a type for itself.
fn is_taken(rust: &str, guards: Guards) -> bool {
    match rust {
        "Access" => guards != Guards::None,
        "Grant" | "Subject" => guards == Guards::Roles,
        name => TAKEN.contains(&name),
    }
}

/// `meets` is the name in Rust, and what has it already.
fn report(item: &Item<'_>, meets: Option<(&String, &Item<'_>)>, other: &str, out: &mut Collector) {
    // The colon of an argument's coordinate would begin a value in YAML.
    let key = match item.coordinate.contains(':') {
        true => format!("{:?}", item.coordinate),
        false => item.coordinate.clone(),
    };
    let line = format!("in Rust alone, in codegen.yml:\ntraitql:\n  rename:\n    {key}: {other}");
    let Some((rust, first)) = meets else {
        let message = format!(
            "the type `{}` has a name that the generated Rust needs for itself",
            item.name
        );
        out.report(code::TYPE_NAME_TAKEN, item.name.location(), message)
            .help(format!("give the type another name, in the schema or {line}"));
        return;
    };
    let (a, b) = (first.name, item.name);
    let (code, message) = match &item.place {
        Place::Types { .. } => (
            code::RUST_NAME_CLASH,
            format!("the types `{a}` and `{b}` would both be called `{rust}` in Rust"),
        ),
        Place::Members { what, owner } => (
            code::RUST_NAME_CLASH,
            format!("the {what} `{a}` and `{b}` of `{owner}` would both be called `{rust}` in Rust"),
        ),
        Place::Resolvers { owner, .. } if *rust == item.form.rust(item.stem()) => (
            code::RUST_NAME_CLASH,
            format!("the fields `{a}` and `{b}` of `{owner}` would both be called `{rust}` in Rust"),
        ),
        Place::Resolvers { .. } => (
            code::COORDINATE_CLASH,
            format!(
                "`{}` and `{}` would both be `{rust}` in Rust",
                item.coordinate, first.coordinate
            ),
        ),
    };
    out.report(code, item.name.location(), message)
        .note(first.name.location(), "the other one")
        .help(format!("rename one of them, in the schema or {line}"));
}
