use std::collections::BTreeSet;

use traitql_schema::model::{Constraint, InputObject, InputValue, Type, TypeRef};

use super::{
    api::{Api, Resolver, Style},
    literal,
};
use crate::{
    GeneratedFile,
    names::{ident, pascal, snake, variant},
    render::{self, RustFile},
};

pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    let mut files = types(api);
    files.extend(arguments(api));
    files
}

fn types(api: &Api<'_>) -> Vec<GeneratedFile> {
    let (used, limited) = (used_types(api), depth_limited(api));
    let mut files = Vec::new();
    let mut modules = Vec::new();
    for (module, (source, types)) in api.types_by_module() {
        let items: Vec<String> = types
            .iter()
            .filter_map(|ty| match ty {
                Type::Enum(ty) if used.contains(ty.name.as_str()) => Some(enumeration(api, &ty.name)),
                Type::Input(ty) if used.contains(ty.name.as_str()) => Some(input(api, ty) + &levels(api, ty, &limited)),
                _ => None,
            })
            .collect();
        if items.is_empty() {
            continue;
        }
        let doc = format!("Reads and checks inputs of the types in `{source}`.");
        let mut file = RustFile::new(api.path(&format!("coerce/{module}.rs")), &source, &doc);
        file.item(format!("use {}::types;", api.config.module()));
        items.into_iter().for_each(|item| file.item(item));
        files.push(file.finish());
        modules.push(module);
    }
    if !modules.is_empty() {
        let mut list = api.whole("coerce/mod.rs", "Reads and checks inputs: one module per schema file.");
        list.modules(&modules);
        files.push(list.finish());
    }
    files
}

fn arguments(api: &Api<'_>) -> Vec<GeneratedFile> {
    let mut files = Vec::new();
    let mut modules = Vec::new();
    for (module, (source, resolvers)) in api.resolvers_by_module() {
        let items: Vec<String> = resolvers
            .iter()
            .filter(|r| !r.args.is_empty())
            .map(|r| arguments_of(api, r))
            .collect();
        if items.is_empty() {
            continue;
        }
        let doc = format!("Arguments of the fields in `{source}`, and how they are read and checked.");
        let mut file = RustFile::new(api.path(&format!("args/{module}.rs")), &source, &doc);
        if items.iter().any(|item| item.contains("types::")) {
            file.item(format!("use {}::types;", api.config.module()));
        }
        items.into_iter().for_each(|item| file.item(item));
        files.push(file.finish());
        modules.push(module);
    }
    if !modules.is_empty() {
        let mut list = api.whole(
            "args/mod.rs",
            "The arguments of each field with a resolver, named after the field's coordinate.",
        );
        list.modules(&modules);
        list.exports(&modules);
        files.push(list.finish());
    }
    files
}

const READ: &str = "fn read(given: &traitql::Json, violations: &mut traitql::Violations) -> Option<Self>";

fn enumeration(api: &Api<'_>, name: &str) -> String {
    let ty = format!("types::{}", api.rust(name));
    let read = match api.bound_type(name) {
        None => "violations.name(given, Self::ALL, Self::as_graphql)".to_owned(),
        Some(_) => {
            let value = api.bind_value(name);
            let bind = api.bind(name);
            format!("violations.name(given, {value}::ALL, {value}::as_graphql).map({bind}::of)")
        }
    };
    format!("impl traitql::Input for {ty} {{\n    {READ} {{\n        {read}\n    }}\n}}\n")
}

fn input(api: &Api<'_>, input: &InputObject) -> String {
    let name = pascal(&input.rust);
    if input.one_of {
        return one_of(api, input, &name);
    }
    let reads: Vec<(String, String, String)> = input
        .fields
        .iter()
        .map(|field| {
            (
                ident(&snake(&field.rust)),
                field.name.clone(),
                read_field(api, input, field),
            )
        })
        .collect();
    let limits: String = input
        .fields
        .iter()
        .map(|field| limits(api, field, &format!("&self.{}", ident(&snake(&field.rust)))))
        .collect();
    read_impl(&format!("types::{name}"), &reads) + &check_impl(&format!("types::{name}"), &limits)
}

fn arguments_of(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let name = &resolver.name;
    let fields: String = resolver
        .args
        .iter()
        .map(|arg| {
            let doc = render::doc(arg.value.description.as_deref(), &format!("`{}`", arg.value.sdl));
            render::field(&doc, &arg.name, &api.input(arg.value, Style::Generated))
        })
        .collect();
    let reads: Vec<(String, String, String)> = resolver
        .args
        .iter()
        .map(|arg| {
            let literal = render::literal(&arg.value.name);
            let read = match (&arg.value.default, arg.value.ty.is_non_null()) {
                (Some(default), _) => or(api, &literal, default, &arg.value.ty),
                (None, true) => from("required", &literal),
                (None, false) => from("optional", &literal),
            };
            (arg.name.clone(), arg.value.name.clone(), format!("given{read}"))
        })
        .collect();
    let limits: String = resolver
        .args
        .iter()
        .map(|arg| limits(api, arg.value, &format!("&self.{}", arg.name)))
        .collect();
    format!(
        "/// Arguments of `{}`.\n#[derive(Debug, Clone, PartialEq)]\npub struct {name} {{\n{fields}}}\n\n{}{}",
        resolver.coordinate,
        read_impl(name, &reads),
        check_impl(name, &limits)
    )
}

/// Reads all fields before it fails, so that it reports all violations at once.
fn read_impl(ty: &str, reads: &[(String, String, String)]) -> String {
    let names: Vec<String> = reads.iter().map(|(_, name, _)| render::literal(name)).collect();
    let local = |name: &str| match name {
        "given" | "violations" => format!("{name}_"),
        _ => name.to_owned(),
    };
    let lets: String = reads
        .iter()
        .map(|(name, _, read)| format!("        let {} = {read};\n", local(name)))
        .collect();
    let fields: Vec<String> = reads
        .iter()
        .map(|(name, ..)| format!("{name}: {}?", local(name)))
        .collect();
    format!(
        "impl traitql::Input for {ty} {{\n    {READ} {{\n        let given = {};\n{lets}        Some(Self {{ {} }})\n    }}\n}}\n\n",
        object(&names),
        fields.join(", ")
    )
}

/// `violations.object(given, &["id", "title"])?`
fn object(names: &[String]) -> String {
    format!("violations.object(given, &[{}])?", names.join(", "))
}

/// `limits` contains one statement per line.
fn check_impl(ty: &str, limits: &str) -> String {
    let violations = if limits.is_empty() { "_" } else { "violations" };
    let body = match limits {
        "" => "{}".to_owned(),
        limits => format!("{{\n{}    }}", render::indented(limits, 2)),
    };
    format!("impl traitql::Check for {ty} {{\n    fn check(&self, {violations}: &mut traitql::Violations) {body}\n}}\n")
}

fn read_field(api: &Api<'_>, input: &InputObject, field: &InputValue) -> String {
    let name = render::literal(&field.name);
    let (read, wrapped) = match (&field.default, field.ty.is_non_null()) {
        (Some(default), true) => (or(api, &name, default, &field.ty), BOXED),
        (Some(default), false) => (or(api, &name, default, &field.ty), INSIDE_BOXED),
        (None, true) => (from("required", &name), BOXED),
        (None, false) => (from("patch", &name), INSIDE_BOXED),
    };
    if api.is_boxed_input(&input.name, field) {
        format!("given{read}{wrapped}")
    } else {
        format!("given{read}")
    }
}

const BOXED: &str = ".map(Box::new)";
const INSIDE_BOXED: &str = ".map(|given| given.map(Box::new))";

/// `.required("id", violations)`
fn from(method: &str, name: &str) -> String {
    format!(".{method}({name}, violations)")
}

fn or(api: &Api<'_>, name: &str, default: &traitql_schema::model::Value, ty: &TypeRef) -> String {
    let default = literal::expression(api, default, ty, Style::Generated);
    let default = match default.as_str() {
        "String::new()" => "String::new".to_owned(),
        "vec![]" => "Vec::new".to_owned(),
        default => format!("|| {default}"),
    };
    format!(".or({name}, {default}, violations)")
}

fn one_of(api: &Api<'_>, input: &InputObject, name: &str) -> String {
    let names: Vec<String> = input.fields.iter().map(|field| render::literal(&field.name)).collect();
    let arms: String = input
        .fields
        .iter()
        .map(|field| {
            let key = render::literal(&field.name);
            let variant = ident(&pascal(&field.rust));
            let boxed = if api.is_boxed_input(&input.name, field) {
                BOXED
            } else {
                ""
            };
            let read = "|violations| traitql::Input::read(value, violations)";
            format!("{key} => violations.field({key}, {read}){boxed}.map(Self::{variant}),")
        })
        .collect();
    let checks: String = input
        .fields
        .iter()
        .map(|field| {
            let variant = ident(&pascal(&field.rust));
            match limits(api, field, "value") {
                none if none.is_empty() => format!("    Self::{variant}(_) => {{}}\n"),
                limits => format!(
                    "    Self::{variant}(value) => {{\n{}    }}\n",
                    render::indented(&limits, 2)
                ),
            }
        })
        .collect();
    let any = input.fields.iter().any(|field| !limits(api, field, "value").is_empty());
    let limits = if any {
        format!("match self {{\n{checks}}}\n")
    } else {
        String::new()
    };
    format!(
        "impl traitql::Input for types::{name} {{
    {READ} {{
        let (name, value) = {}.one(violations)?;
        match name {{
{arms}            _ => None,
        }}
    }}
}}\n\n{}",
        object(&names),
        check_impl(&format!("types::{name}"), &limits)
    )
}

/// Checks the value first, then the objects in it. `place` is an expression for the value.
fn limits(api: &Api<'_>, value: &InputValue, place: &str) -> String {
    let name = render::literal(&value.name);
    let mut out: String = value
        .constraints
        .iter()
        .map(|rule| match rule {
            Constraint::Length { min, max } => limit("length", &[&name, place, &min.to_string(), &max.to_string()]),
            Constraint::Count { min, max } => limit("count", &[&name, place, &min.to_string(), &max.to_string()]),
            Constraint::Depth { max, leaves } => {
                limit("depth", &[&name, place, &max.to_string(), &format!("{leaves:?}")])
            }
            Constraint::Range { min, max } => limit("range", &[&name, place, &bound(*min), &bound(*max)]),
            Constraint::Format { is } => limit("format", &[&name, place, &format!("traitql::Format::{}", variant(is))]),
        })
        .collect();
    if api.limited_inputs.contains(value.ty.name()) {
        out += &limit("nested", &[&name, place]);
    }
    out
}

/// `violations.length("title", &self.title, 1, 80);`
fn limit(method: &str, given: &[&str]) -> String {
    format!("violations.{method}({});\n", given.join(", "))
}

fn levels(api: &Api<'_>, input: &InputObject, limited: &BTreeSet<&str>) -> String {
    if !limited.contains(input.name.as_str()) {
        return String::new();
    }
    let nested = |field: &&InputValue| matches!(api.model.types.get(field.ty.name()), Some(Type::Input(_)));
    let body = if input.one_of {
        let arms: String = input
            .fields
            .iter()
            .filter(nested)
            .map(|field| {
                let variant = ident(&pascal(&field.rust));
                let body = around(&["traitql::Levels::nesting(value)".to_owned()]);
                format!("Self::{variant}(value) => {body},")
            })
            .collect();
        let others = if input.fields.iter().all(|field| nested(&field)) {
            ""
        } else {
            "            _ => traitql::Nesting::around([]),\n"
        };
        format!("match self {{\n{arms}{others}        }}")
    } else {
        let inside: Vec<String> = input
            .fields
            .iter()
            .filter(nested)
            .map(|field| format!("traitql::Levels::nesting(&self.{})", ident(&snake(&field.rust))))
            .collect();
        around(&inside)
    };
    let name = pascal(&input.rust);
    format!(
        "\nimpl traitql::Levels for types::{name} {{\n    fn nesting(&self) -> traitql::Nesting {{\n        {body}\n    }}\n}}\n"
    )
}

fn around(inside: &[String]) -> String {
    format!("traitql::Nesting::around([{}])", inside.join(", "))
}

fn depth_limited<'a>(api: &'a Api<'_>) -> BTreeSet<&'a str> {
    let inputs = api.model.types.values().filter_map(|ty| match ty {
        Type::Input(input) => Some(&input.fields),
        _ => None,
    });
    let mut open: Vec<&str> = inputs
        .flatten()
        .chain(api.resolvers.iter().flat_map(|resolver| &resolver.field.args))
        .filter(|value| {
            value
                .constraints
                .iter()
                .any(|rule| matches!(rule, Constraint::Depth { .. }))
        })
        .map(|value| value.ty.name())
        .collect();
    let mut limited = BTreeSet::new();
    while let Some(name) = open.pop() {
        if let Some(Type::Input(input)) = api.model.types.get(name)
            && limited.insert(name)
        {
            open.extend(input.fields.iter().map(|field| field.ty.name()));
        }
    }
    limited
}

fn bound(bound: Option<f64>) -> String {
    bound.map_or_else(|| "None".to_owned(), |bound| format!("Some({bound:?})"))
}

fn used_types<'a>(api: &Api<'a>) -> BTreeSet<&'a str> {
    let mut used = BTreeSet::new();
    let mut open: Vec<&'a str> = api
        .resolvers
        .iter()
        .flat_map(|resolver| resolver.field.args.iter().map(|arg| arg.ty.name()))
        .collect();
    while let Some(name) = open.pop() {
        let Some(ty) = api.model.types.get(name) else { continue };
        if api.config.scalars.contains_key(name) || !used.insert(name) {
            continue;
        }
        if let Type::Input(input) = ty {
            open.extend(input.fields.iter().map(|field| field.ty.name()));
        }
    }
    used
}
