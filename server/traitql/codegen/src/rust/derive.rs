//! serde's derives get `rename` attributes, so that their JSON matches requests and responses.

use traitql_schema::model::{ObjectKind, Type};

use super::api::Api;
use crate::render;

const TYPES: &[&str] = &["Debug", "Clone", "PartialEq"];
const ROOTS: &[&str] = &["Debug", "Clone", "Copy", "PartialEq", "Eq"];
const ENUMS: &[&str] = &["Debug", "Clone", "Copy", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];

pub(crate) struct Derives {
    pub(crate) head: String,
    serde: bool,
}

impl Api<'_> {
    pub(crate) fn derives(&self, ty: &Type) -> Derives {
        let derive = &self.config.derive;
        let (defaults, kind) = match ty {
            Type::Enum(_) => (ENUMS, &derive.enums),
            Type::Input(_) => (TYPES, &derive.inputs),
            Type::Object(ty) if matches!(ty.kind, ObjectKind::Root(_)) => (ROOTS, &derive.objects),
            _ => (TYPES, &derive.objects),
        };
        let single = derive.types.get(ty.name()).into_iter().flatten();
        let mut all: Vec<&str> = defaults.to_vec();
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
            head: format!("#[derive({})]\n{tag}", all.join(", ")),
            serde,
        }
    }
}

impl Derives {
    pub(crate) fn name(&self, rust: &str, name: &str) -> String {
        if self.serde && rust.trim_start_matches("r#") != name {
            format!("#[serde(rename = {})]\n", render::literal(name))
        } else {
            String::new()
        }
    }

    pub(crate) fn patch(&self, ty: &str) -> &'static str {
        if self.serde && ty.starts_with("traitql::Patch<") {
            "#[serde(default, skip_serializing_if = \"traitql::Patch::is_keep\")]\n"
        } else {
            ""
        }
    }
}
