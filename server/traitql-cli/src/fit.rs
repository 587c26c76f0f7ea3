//! Whether the configuration fits the schema: the types and scalars that `codegen.yml` names exist, and what it says about
//! them is Rust. Otherwise the generator, or rustc on generated code, would be the first to complain.

use std::path::Path;

use traitql_schema::model::{FieldKind, Model, Type};
use traitql_schema::nearest;

use crate::config::{Names, Problems, Seen, Settings};
use crate::output::Failure;

/// Whether the names of the configuration exist in the schema.
pub(crate) fn check(settings: &Settings, model: &Model) -> Result<(), Failure> {
    let mut problems = Problems::default();
    let manifest = Path::new(&settings.codegen.crate_dir).join("Cargo.toml");
    if !settings.root.join(&manifest).exists() {
        let problem = format!(
            "`traitql.crate`: there is no crate, {} does not exist",
            manifest.display()
        );
        problems.push(settings.place(&["crate"]), problem);
    }
    settings.visit(&mut |path, at, seen| {
        if let Err(problem) = fits(path, &seen, model) {
            problems.push(at, problem);
        }
    });
    let codegen = &settings.codegen;
    let scalars = model.types.iter().filter(|(_, ty)| matches!(ty, Type::Scalar(_)));
    for (name, _) in scalars.filter(|(name, _)| !codegen.scalars.contains_key(*name)) {
        let problem = format!("the scalar `{name}` has no Rust type; add `{name}: …` to `traitql.scalars`");
        problems.push(settings.place(&["scalars"]), problem);
    }
    for (name, extra) in &codegen.extra {
        let Some(Type::Object(object)) = model.types.get(name) else {
            continue;
        };
        for field in &object.fields {
            // `themeId` of the schema and `theme_id` of the configuration would be one field of the struct.
            let meets = extra
                .keys()
                .find(|key| key.replace('_', "").eq_ignore_ascii_case(&field.name.replace('_', "")));
            if let Some(key) = meets.filter(|_| field.kind == FieldKind::Data) {
                let problem = format!("`traitql.extra.{name}.{key}` is a field of the schema already");
                problems.push(settings.place(&["extra", name, key]), problem);
            }
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.failure("codegen.yml"))
    }
}

/// Whether a name exists, and whether what should be Rust is Rust as far as its syntax goes.
fn fits(path: &str, seen: &Seen<'_>, model: &Model) -> Result<(), String> {
    match seen {
        Seen::RustType(text) => match syn::parse_str::<syn::Type>(text) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("`{path}`: `{text}` is no type of Rust")),
        },
        Seen::Name(Names::RustFields, name) => match syn::parse_str::<syn::Ident>(name) {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("`{path}` is no name of a field in Rust")),
        },
        Seen::Name(Names::Scalars, "ID") => Ok(()),
        Seen::Name(Names::Scalars, name) => named(path, name, "scalar", model, |ty| matches!(ty, Type::Scalar(_))),
        Seen::Name(Names::Objects, name) => named(path, name, "type", model, |ty| matches!(ty, Type::Object(_))),
    }
}

/// Whether the schema has a type of this kind.
fn named(path: &str, name: &str, kind: &str, model: &Model, wanted: fn(&Type) -> bool) -> Result<(), String> {
    if model.types.get(name).is_some_and(wanted) {
        return Ok(());
    }
    let others = model.types.iter().filter(|(_, ty)| wanted(ty));
    let near = nearest(name, others.map(|(name, _)| name.as_str()));
    let near = near.map_or_else(String::new, |near| format!(": did you mean `{near}`?"));
    Err(format!("`{path}`: the schema has no {kind} `{name}`{near}"))
}
