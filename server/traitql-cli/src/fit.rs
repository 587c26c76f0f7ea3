//! Whether the configuration fits the schema: the types and scalars that `codegen.yml` names exist, and what it says about
//! them is Rust. Otherwise the generator, or rustc on generated code, would be the first to complain.

use std::path::Path;

use indexmap::IndexMap;
use traitql_schema::model::{FieldKind, Model, Type};
use traitql_schema::nearest;

use crate::config::Settings;
use crate::output::Failure;

/// Whether the names of the configuration exist in the schema.
pub(crate) fn check(settings: &Settings, model: &Model) -> Result<(), Failure> {
    let mut problems = Vec::new();
    let manifest = Path::new(&settings.codegen.crate_dir).join("Cargo.toml");
    if !settings.root.join(&manifest).exists() {
        problems.push(format!(
            "`traitql.crate`: there is no crate, {} does not exist",
            manifest.display()
        ));
    }
    rust_types("traitql.scalars", &settings.codegen.scalars, &mut problems);
    for (name, fields) in &settings.codegen.extra {
        rust_types(&format!("traitql.extra.{name}"), fields, &mut problems);
        for field in fields
            .keys()
            .filter(|field| syn::parse_str::<syn::Ident>(field).is_err())
        {
            problems.push(format!("`traitql.extra.{name}.{field}` is no name of a field in Rust"));
        }
    }
    let of_kind = |wanted: fn(&Type) -> bool| {
        model
            .types
            .iter()
            .filter(move |(_, ty)| wanted(ty))
            .map(|(name, _)| name.as_str())
    };
    let near = |name: &str, names: Vec<&str>| match nearest(name, names) {
        Some(near) => format!(": did you mean `{near}`?"),
        None => String::new(),
    };
    let scalars: Vec<&str> = of_kind(|ty| matches!(ty, Type::Scalar(_))).collect();
    for name in settings
        .codegen
        .scalars
        .keys()
        .filter(|name| *name != "ID" && !scalars.contains(&name.as_str()))
    {
        problems.push(format!(
            "`traitql.scalars.{name}`: the schema has no scalar `{name}`{}",
            near(name, scalars.clone())
        ));
    }
    for name in scalars
        .iter()
        .filter(|name| !settings.codegen.scalars.contains_key(**name))
    {
        problems.push(format!(
            "the scalar `{name}` has no Rust type; add `{name}: …` to `traitql.scalars`"
        ));
    }
    for (name, extra) in &settings.codegen.extra {
        let Some(Type::Object(object)) = model.types.get(name) else {
            let objects = of_kind(|ty| matches!(ty, Type::Object(_))).collect();
            problems.push(format!(
                "`traitql.extra.{name}`: the schema has no type `{name}`{}",
                near(name, objects)
            ));
            continue;
        };
        for field in &object.fields {
            // `themeId` of the schema and `theme_id` of the configuration would be one field of the struct.
            let meets = extra
                .keys()
                .find(|key| key.replace('_', "").eq_ignore_ascii_case(&field.name.replace('_', "")));
            if let Some(key) = meets.filter(|_| field.kind == FieldKind::Data) {
                problems.push(format!("`traitql.extra.{name}.{key}` is a field of the schema already"));
            }
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Failure::Message(
            problems
                .iter()
                .map(|problem| format!("codegen.yml: {problem}"))
                .collect::<Vec<_>>()
                .join("\nerror: "),
        )),
    }
}

/// Whether all values are types of Rust, as far as their syntax goes.
fn rust_types(key: &str, types: &IndexMap<String, String>, problems: &mut Vec<String>) {
    for (name, ty) in types.iter().filter(|(_, ty)| syn::parse_str::<syn::Type>(ty).is_err()) {
        problems.push(format!("`{key}.{name}`: `{ty}` is no type of Rust"));
    }
}
