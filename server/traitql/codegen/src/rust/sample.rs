//! Blanket implementations for `T: traitql::ListedInMocked<field::…>`, which rustc accepts next to the application's
//! `impl`s as long as the field is not listed.

use std::collections::{BTreeMap, BTreeSet};

use traitql_schema::model::{Enum, FieldKind, Object, ObjectKind, Type, TypeRef};

use super::{
    api::{Api, Output, Resolver, Style},
    types::has_struct,
};
use crate::{
    GeneratedFile,
    names::{ident, pascal, snake},
    render::{self, RustFile},
};

/// These types are outside the schema, as in `extra` of codegen.yml.
const SAMPLED: &[&str] = &[
    "traitql::Id",
    "traitql::DateTime",
    "traitql::Date",
    "traitql::Url",
    "traitql::Json",
    "String",
    "bool",
    "i32",
    "u32",
    "i64",
    "u64",
    "f64",
];

/// Limit the length of a list.
const LIMITS: &[&str] = &["first", "last", "limit", "take"];

pub(crate) fn files(api: &Api<'_>) -> Vec<GeneratedFile> {
    if !api.config.samples {
        return Vec::new();
    }
    let without = without_samples(api);
    let has = |name: &str| !without.contains(name);
    let mut modules: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for (module, (source, types)) in api.types_by_module() {
        let items = types.iter().filter_map(|ty| item(api, ty, &has)).collect();
        modules.insert(module, (source, items));
    }
    for (module, (source, resolvers)) in api.resolvers_by_module() {
        let items = resolvers
            .iter()
            .filter(|resolver| has(resolver.field.ty.name()) && !api.is_relation(resolver))
            .map(|resolver| implementation(api, resolver));
        modules
            .entry(module)
            .or_insert_with(|| (source, Vec::new()))
            .1
            .extend(items);
    }
    modules.retain(|_, (_, items)| !items.is_empty());
    let mut list = api.whole(
        "sample/mod.rs",
        "Sample values of the schema's types, and resolvers that return them for the fields in `traitql::mocked!`.",
    );
    list.modules(modules.keys());
    let mut files = vec![list.finish()];
    for (module, (source, items)) in modules {
        let doc = format!("Sample values for `{source}`.");
        let mut file = RustFile::new(api.path(&format!("sample/{module}.rs")), &source, &doc);
        let text = items.concat();
        let used: Vec<&str> = ["field", "resolve", "role", "types"]
            .into_iter()
            .filter(|name| text.contains(&format!("{name}::")))
            .collect();
        file.item(format!("use {}::{{{}}};", api.config.module(), used.join(", ")));
        items.into_iter().for_each(|item| file.item(item));
        files.push(file.finish());
    }
    files
}

pub(crate) fn mockable(api: &Api<'_>) -> Vec<String> {
    let without = without_samples(api);
    // A loader resolves relations.
    let resolvers = api.sorted().into_iter().filter(|resolver| !api.is_relation(resolver));
    resolvers
        .filter(|resolver| !without.contains(resolver.field.ty.name()))
        .map(|resolver| resolver.name.clone())
        .collect()
}

/// Excludes bound types, types with `extra` fields, and all types that contain one of these.
fn without_samples<'a>(api: &Api<'a>) -> BTreeSet<&'a str> {
    let mut without: BTreeSet<&str> = api
        .objects()
        .filter(|object| {
            let is_foreign = |ty: &String| !SAMPLED.contains(&innermost(ty));
            let extra = api.config.extra.get(&object.name);
            extra.is_some_and(|extra| extra.values().any(is_foreign))
                || is_root(object) && !has_struct(api, object)
                || api.bound_type(&object.name).is_some()
        })
        .map(|object| object.name.as_str())
        .collect();
    loop {
        let before = without.len();
        for (name, ty) in &api.model.types {
            let is_without = match ty {
                Type::Object(object) => match &object.kind {
                    ObjectKind::Connection { node, .. } | ObjectKind::Edge { node } => without.contains(node.as_str()),
                    ObjectKind::Root(_) => false,
                    _ => data(object).any(|field| without.contains(field.ty.name())),
                },
                Type::Interface(ty) => ty.members.iter().all(|member| without.contains(member.as_str())),
                Type::Union(ty) => ty.members.iter().all(|member| without.contains(member.as_str())),
                Type::Scalar(_) | Type::Enum(_) | Type::Input(_) => false,
            };
            if is_without {
                without.insert(name);
            }
        }
        if without.len() == before {
            return without;
        }
    }
}

/// Strips wrappers: `Option<Vec<T>>` -> `T`.
fn innermost(ty: &str) -> &str {
    let ty = ty.trim();
    ["Option<", "Vec<"]
        .iter()
        .find_map(|outer| ty.strip_prefix(outer)?.strip_suffix('>'))
        .map_or(ty, innermost)
}

fn is_root(object: &Object) -> bool {
    matches!(object.kind, ObjectKind::Root(_))
}

fn data(object: &Object) -> impl Iterator<Item = &traitql_schema::model::Field> {
    object.fields.iter().filter(|field| field.kind == FieldKind::Data)
}

fn item(api: &Api<'_>, ty: &Type, has: &dyn Fn(&str) -> bool) -> Option<String> {
    match ty {
        Type::Scalar(_) | Type::Input(_) => None,
        Type::Enum(ty) => Some(enumeration(api, ty)),
        Type::Object(ty) => (has_struct(api, ty) && has(&ty.name)).then(|| object(api, ty)),
        Type::Interface(ty) => has(&ty.name).then(|| sum(api, &ty.rust, &ty.members, has)),
        Type::Union(ty) => has(&ty.name).then(|| sum(api, &ty.rust, &ty.members, has)),
    }
}

/// `impl traitql::Sample for types::Tour { … }`
fn sample(name: &str, at: &str, body: &str) -> String {
    format!(
        "impl traitql::Sample for types::{} {{
            fn sample({at}: &traitql::Sampler) -> Option<Self> {{ {body} }}
        }}\n",
        pascal(name)
    )
}

fn enumeration(api: &Api<'_>, ty: &Enum) -> String {
    let body = match api.bound_type(&ty.name) {
        None => "at.one_of(Self::ALL)".to_owned(),
        Some(_) => {
            let bind = api.bind(&ty.name);
            format!("at.one_of({}::ALL).map({bind}::of)", api.bind_value(&ty.name))
        }
    };
    sample(&ty.rust, "at", &body)
}

fn object(api: &Api<'_>, object: &Object) -> String {
    let extra = api.config.extra.get(&object.name);
    let fields: Vec<String> = data(object)
        .map(|field| {
            let (name, ty) = (&field.name, field.ty.name());
            format!("{}: at.field({name:?}, {ty:?})?,", ident(&snake(&field.rust)))
        })
        .chain(extra.into_iter().flatten().map(|(name, ty)| {
            let ty = innermost(ty).rsplit("::").next().unwrap_or_default();
            format!("{}: at.field({name:?}, {ty:?})?,", ident(name))
        }))
        .collect();
    if fields.is_empty() {
        return sample(&object.rust, "_", "Some(Self {})");
    }
    let body = format!(
        "let at = at.object({:?}); Some(Self {{ {} }})",
        object.name,
        fields.concat()
    );
    sample(&object.rust, "at", &body)
}

fn sum(api: &Api<'_>, name: &str, members: &[String], has: &dyn Fn(&str) -> bool) -> String {
    let members: Vec<&String> = members.iter().filter(|member| has(member)).collect();
    let Some((last, others)) = members.split_last() else {
        return sample(name, "_", "None");
    };
    let arm = |member: &str| format!("Self::{}(traitql::Sample::sample(at)?)", api.rust(member));
    if others.is_empty() {
        return sample(name, "at", &format!("Some({})", arm(last)));
    }
    let names: Vec<String> = members.iter().map(|member| render::literal(member)).collect();
    let arms: String = others
        .iter()
        .enumerate()
        .map(|(index, member)| format!("{index} => {},", arm(member)))
        .collect();
    let body = format!(
        "Some(match at.member(&[{}]) {{ {arms} _ => {} }})",
        names.join(", "),
        arm(last)
    );
    sample(name, "at", &body)
}

fn implementation(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let name = &resolver.name;
    let given: String = resolver
        .args
        .iter()
        .map(|arg| format!(".seed(&{})", arg.name))
        .collect();
    let sampler = format!(
        "traitql::Sampler::of({:?}).ty({:?}){given}{}",
        resolver.coordinate,
        resolver.field.ty.name(),
        requested(api, resolver),
    );
    let body = match resolver.output {
        Output::Value(_) => format!("{sampler}.value()"),
        Output::Events(_) => format!("{sampler}.events()"),
        Output::One(_) => format!("Ok({sampler}.one(parents))"),
        Output::Many(_) => format!("Ok({sampler}.many(parents))"),
    };
    let parameters = resolver
        .parameters(api, Style::Generated, "")
        .join(", ")
        .replacen("cx: ", "_: ", 1)
        .replacen(", viewer: &", ", _: &", 1);
    format!(
        "#[diagnostic::do_not_recommend]
        impl<T: traitql::ListedInMocked<field::{name}> + Send + Sync> resolve::{name} for T {{
            async fn resolve{generics}(&self, {parameters}) -> Result<{shape}, traitql::Throws<field::{name}>> {{
                {body}
            }}
        }}\n",
        generics = resolver.generics(),
        shape = resolver.output_type(api, Style::Generated),
    )
}

/// Applies requested ids, and limits of a list's length.
fn requested(api: &Api<'_>, resolver: &Resolver<'_>) -> String {
    let mut out = String::new();
    for arg in &resolver.args {
        let (name, ty) = (&arg.name, &arg.value.ty);
        let by_id = ty.name() == "ID" && api.input(arg.value, Style::Generated).contains("traitql::Id");
        match arg.value.name.as_str() {
            "id" if by_id && !ty.is_list() => {
                out += &if ty.is_non_null() {
                    format!(".ids([&{name}])")
                } else {
                    format!(".ids(&{name})")
                };
            }
            "ids" if by_id && is_plain_list(ty) => {
                out += &if ty.is_non_null() {
                    format!(".ids(&{name})")
                } else {
                    format!(".ids({name}.iter().flatten())")
                };
            }
            argument if LIMITS.contains(&argument) && ty.name() == "Int" && !ty.is_list() => {
                out += &format!(".limit({name})");
            }
            _ => {}
        }
    }
    out
}

/// True for `[T!]` and `[T!]!`.
fn is_plain_list(ty: &TypeRef) -> bool {
    matches!(ty.nullable(), TypeRef::List(entry) if entry.is_non_null() && !entry.is_list())
}
