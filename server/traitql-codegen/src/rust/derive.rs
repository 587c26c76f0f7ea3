//! What generated types derive: some traits anyway, and what codegen.yml adds.
//!
//! A derive of serde is told the names of the schema, so that a value in JSON looks as it does in an answer or a request.

use traitql_schema::model::{ObjectKind, Type};

use super::api::Api;
use crate::{flow, render};

/// What generated types derive anyway.
const TYPES: &[&str] = &["Debug", "Clone", "PartialEq"];
/// What roots derive anyway where they are values.
const ROOTS: &[&str] = &["Debug", "Clone", "Copy", "PartialEq", "Eq"];
/// What generated enums derive anyway.
const ENUMS: &[&str] = &["Debug", "Clone", "Copy", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];

/// What one type derives.
pub(crate) struct Derives {
    /// The attributes of the type.
    pub(crate) head: String,
    serde: bool,
}

impl Api<'_> {
    /// What a generated type derives.
    pub(crate) fn derives(&self, ty: &Type) -> Derives {
        let derive = &self.config.derive;
        let (anyway, kind) = match ty {
            Type::Enum(_) => (ENUMS, &derive.enums),
            Type::Input(_) => (TYPES, &derive.inputs),
            Type::Object(ty) if matches!(ty.kind, ObjectKind::Root(_)) => (ROOTS, &derive.objects),
            _ => (TYPES, &derive.objects),
        };
        let single = derive.types.get(ty.name()).into_iter().flatten();
        let mut all: Vec<&str> = anyway.to_vec();
        for path in kind.iter().chain(single) {
            if !all.contains(&path.as_str()) {
                all.push(path);
            }
        }
        let serde = all
            .iter()
            .any(|path| path.trim_start_matches("::").starts_with("serde::"));
        let tag = match ty {
            Type::Interface(_) | Type::Union(_) if serde => "#[serde(tag = \"__typename\")]\n",
            _ => "",
        };
        Derives {
            head: format!("#[derive({})]\n{tag}", flow::attributes(&all)),
            serde,
        }
    }
}

impl Derives {
    /// The attribute of a field or variant that Rust calls otherwise than the schema.
    pub(crate) fn name(&self, rust: &str, name: &str) -> String {
        match self.serde && rust.trim_start_matches("r#") != name {
            true => format!("#[serde(rename = {})]\n", render::literal(name)),
            false => String::new(),
        }
    }

    /// The attribute of a field that may be left out, which is not the same as null.
    pub(crate) fn patch(&self, ty: &str) -> &'static str {
        match self.serde && ty.starts_with("traitql::Patch<") {
            true => "#[serde(default, skip_serializing_if = \"traitql::Patch::is_keep\")]\n",
            false => "",
        }
    }
}
