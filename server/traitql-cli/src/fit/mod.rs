//! Whether the configuration fits the schema: the types and fields that `codegen.yml` names exist, what it says about them is
//! possible, and what should be Rust is Rust. Otherwise the generator, or rustc on generated code, would be the first to
//! complain.

mod names;
mod own;
pub(crate) mod rename;

use std::path::Path;

use traitql_schema::model::{FieldKind, Model, Type};

use crate::config::{Problems, Settings};
use crate::output::Failure;

/// Whether the configuration fits the schema.
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
        if let Err(problem) = names::fits(path, &seen, model) {
            problems.push(at, problem);
        }
    });
    scalars(settings, model, &mut problems);
    extra(settings, model, &mut problems);
    own::check(settings, model, &mut problems);
    rename::check(settings, model, &mut problems);
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.failure(&settings.file))
    }
}

/// Every scalar has a type of Rust.
fn scalars(settings: &Settings, model: &Model, problems: &mut Problems) {
    let bound = &settings.codegen.scalars;
    let scalars = model.types.iter().filter(|(_, ty)| matches!(ty, Type::Scalar(_)));
    for (name, _) in scalars.filter(|(name, _)| !bound.contains_key(*name)) {
        let problem = format!(
            "the scalar `{name}` has no Rust type; add it to `traitql.scalars`: `{name}: traitql::Json` takes any value"
        );
        problems.push(settings.place(&["scalars"]), problem);
    }
}

/// Extra fields are none of the schema's, and belong to a struct.
fn extra(settings: &Settings, model: &Model, problems: &mut Problems) {
    for (name, extra) in &settings.codegen.extra {
        let Some(Type::Object(object)) = model.types.get(name) else {
            continue;
        };
        if let Some(what) = names::without_struct(object) {
            let problem = format!("`traitql.extra.{name}`: {what}");
            problems.push(settings.place(&["extra", name]), problem);
        }
        for field in object.fields.iter().filter(|field| field.kind == FieldKind::Data) {
            // `themeId` of the schema and `theme_id` of the configuration would be one field of the struct.
            let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
            let meets = extra
                .keys()
                .find(|key| plain(key.trim_start_matches("r#")) == plain(&field.rust));
            if let Some(key) = meets {
                let problem = format!("`traitql.extra.{name}.{key}` is a field of the schema already");
                problems.push(settings.place(&["extra", name, key]), problem);
            }
        }
    }
}
