//! Types and fields in `codegen.yml` must exist, and Rust names and types must be valid. Otherwise errors would show
//! up in generated code.

mod bindings;
mod names;
pub(crate) mod rename;
mod rust_paths;

use std::path::Path;

use traitql_codegen::CynicProblem;
use traitql_schema::model::{FieldKind, Model, Type};

use crate::config::{Problems, Reference, Settings};
use crate::output::{Failure, Problem};

pub(crate) fn check(settings: &Settings, model: &Model) -> Result<(), Failure> {
    let mut problems = Problems::default();
    let manifest = Path::new(&settings.codegen.crate_dir).join("Cargo.toml");
    if !settings.root.join(&manifest).exists() {
        let problem = format!(
            "`traitql.crate` must be the folder of a crate, but {} does not exist",
            manifest.display()
        );
        problems.push(settings.position(&["crate"]), problem);
    }
    settings.visit(&mut |path, at, seen| {
        if let Err(problem) = names::check(path, &seen, model) {
            problems.push(at, problem);
            return;
        }
        if let Reference::RustType(text) | Reference::OwnType(text) = seen {
            let is_scalar = path.starts_with("traitql.scalars.");
            if let Err(problem) = rust_paths::check(text, is_scalar, settings) {
                problems.push(at, format!("`{path}`: {problem}"));
            }
        }
    });
    scalars(settings, model, &mut problems);
    extra(settings, model, &mut problems);
    bindings::check(settings, model, &mut problems);
    relations(settings, model, &mut problems);
    rename::check(settings, model, &mut problems);
    if !problems.is_empty() {
        return Err(problems.failure(&settings.file));
    }
    let problems = traitql_codegen::cynic_problems(model, &settings.codegen);
    if problems.is_empty() {
        return Ok(());
    }
    let problem = |CynicProblem { origin, message, help }| Problem {
        position: Some((origin.line, 1)),
        file: Some(origin.file),
        message,
        help: Some(help),
    };
    Err(Failure::Problems(problems.into_iter().map(problem).collect()))
}

fn scalars(settings: &Settings, model: &Model, problems: &mut Problems) {
    let bound = &settings.codegen.scalars;
    let scalars = model.types.iter().filter(|(_, ty)| matches!(ty, Type::Scalar(_)));
    for (name, _) in scalars.filter(|(name, _)| !bound.contains_key(*name)) {
        let problem = format!(
            "the scalar `{name}` has no Rust type; add it to `traitql.scalars`, for example `{name}: traitql::Json` for any value"
        );
        problems.push(settings.position(&["scalars"]), problem);
    }
}

fn relations(settings: &Settings, model: &Model, problems: &mut Problems) {
    for (coordinate, key) in &settings.codegen.relations {
        if let Some(reason) = traitql_codegen::relation_problem(model, &settings.codegen, coordinate, key) {
            let problem = format!("`traitql.relations.{coordinate}`: {reason}");
            problems.push(settings.position(&["relations", coordinate]), problem);
        }
    }
}

fn extra(settings: &Settings, model: &Model, problems: &mut Problems) {
    for (name, extra) in &settings.codegen.extra {
        let Some(Type::Object(object)) = model.types.get(name) else {
            continue;
        };
        if let Some(reason) = names::reason_without_struct(object) {
            let problem = format!("`traitql.extra.{name}`: {reason}");
            problems.push(settings.position(&["extra", name]), problem);
        }
        for field in object.fields.iter().filter(|field| field.kind == FieldKind::Data) {
            // `themeId` and `theme_id` would be the same struct field.
            let normalized = |name: &str| name.replace('_', "").to_ascii_lowercase();
            let duplicate = extra
                .keys()
                .find(|key| normalized(key.trim_start_matches("r#")) == normalized(&field.rust));
            if let Some(key) = duplicate {
                let problem = format!("`traitql.extra.{name}.{key}` is already a field of the schema");
                problems.push(settings.position(&["extra", name, key]), problem);
            }
        }
    }
}
