use std::collections::BTreeSet;

use traitql_schema::model::{InputValue, Model, Object, ObjectKind, Type, TypeRef};

use super::api::Api;
use crate::names::pascal;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// The spelling in `types/`, where schema types are in scope: `Tour`.
    Types,
    /// Elsewhere in the generated crate: `types::Tour`.
    Generated,
    /// The spelling in a code suggestion for the application: `Tour`.
    Shown,
}

/// Can be shadowed by schema types or traits of bound types.
const PRELUDE: &[(&str, &str)] = &[
    ("Option", "std::option::Option"),
    ("Vec", "std::vec::Vec"),
    ("String", "std::string::String"),
    ("Box", "std::boxed::Box"),
    ("From", "std::convert::From"),
];

/// Imported by files with resolvers. A schema type with such a name is shown with its crate.
const RUNTIME: &[&str] = &[
    "Batch", "Ctx", "Edge", "Events", "Id", "Many", "One", "Page", "PageInfo", "Patch", "Throws", "Viewer", "DateTime",
    "Date", "Url",
];

pub(super) fn hidden(model: &Model) -> Vec<&'static str> {
    let names: BTreeSet<String> = model.types.values().map(|ty| pascal(ty.rust())).collect();
    let hidden = PRELUDE.iter().filter(|(short, _)| names.contains(*short));
    hidden.map(|(short, _)| *short).collect()
}

impl Api<'_> {
    pub(crate) fn output(&self, ty: &TypeRef, style: Style) -> String {
        match ty {
            TypeRef::NonNull(inner) => match &**inner {
                TypeRef::List(entry) => format!("{}<{}>", self.std("Vec", style), self.output(entry, style)),
                named => self.named(named.name(), style),
            },
            nullable => {
                let inner = self.output(&TypeRef::NonNull(Box::new(nullable.clone())), style);
                format!("{}<{inner}>", self.std("Option", style))
            }
        }
    }

    pub(crate) fn input(&self, value: &InputValue, style: Style) -> String {
        self.output(&value.ty, style)
    }

    pub(crate) fn input_field(&self, owner: &str, value: &InputValue, style: Style) -> String {
        let boxed = !value.ty.is_list() && self.reaches_input(value.ty.name(), owner, &mut BTreeSet::new());
        let wrap = |inner: String| {
            if boxed {
                format!("{}<{inner}>", self.std("Box", style))
            } else {
                inner
            }
        };
        let inner = wrap(self.output(&TypeRef::NonNull(Box::new(value.ty.nullable().clone())), style));
        match (value.ty.is_non_null(), &value.default) {
            (true, _) => inner,
            (false, Some(_)) => format!("{}<{inner}>", self.std("Option", style)),
            (false, None) => format!("traitql::Patch<{inner}>"),
        }
    }

    /// True if its type is recursive.
    pub(crate) fn is_boxed_input(&self, owner: &str, value: &InputValue) -> bool {
        !value.ty.is_list() && self.reaches_input(value.ty.name(), owner, &mut BTreeSet::new())
    }

    pub(crate) fn named(&self, name: &str, style: Style) -> String {
        let bare = self.bare(name, style);
        match (self.is_shared(name), style) {
            (false, _) => bare,
            (true, Style::Shown) => format!("Arc<{bare}>"),
            (true, _) => format!("std::sync::Arc<{bare}>"),
        }
    }

    pub(crate) fn bare(&self, name: &str, style: Style) -> String {
        let bound = self.config.scalars.get(name).map(String::as_str);
        let built_in = match name {
            "Int" => Some("i32"),
            "Float" => Some("f64"),
            "Boolean" => Some("bool"),
            "String" => return bound.map_or_else(|| self.std("String", style), str::to_owned),
            "ID" => Some("traitql::Id"),
            _ => None,
        };
        if let Some(path) = bound.or(built_in) {
            return self.scalar_path(path, style);
        }
        match self.model.types.get(name) {
            Some(Type::Object(Object {
                kind: ObjectKind::Connection { node, .. },
                ..
            })) => {
                let page = if style == Style::Shown { "Page" } else { "traitql::Page" };
                format!("{page}<{}>", self.named(node, style))
            }
            Some(Type::Object(Object {
                kind: ObjectKind::Edge { node },
                ..
            })) => {
                let edge = if style == Style::Shown { "Edge" } else { "traitql::Edge" };
                format!("{edge}<{}>", self.named(node, style))
            }
            Some(Type::Object(Object {
                kind: ObjectKind::PageInfo,
                ..
            })) => if style == Style::Shown {
                "PageInfo"
            } else {
                "traitql::PageInfo"
            }
            .to_owned(),
            Some(Type::Scalar(_)) => self.scalar_path("traitql::Json", style),
            _ => {
                let name = self.rust(name);
                match style {
                    Style::Types => name,
                    Style::Generated => format!("types::{name}"),
                    Style::Shown if RUNTIME.contains(&name.as_str()) => format!("{}::{name}", self.crate_name),
                    Style::Shown => name,
                }
            }
        }
    }

    fn scalar_path(&self, path: &str, style: Style) -> String {
        match (style, path.rsplit_once("::")) {
            (Style::Shown, Some((_, last))) => last.to_owned(),
            _ => path.to_owned(),
        }
    }

    /// Returns the full path if a schema type shadows the name.
    pub(crate) fn std(&self, name: &'static str, style: Style) -> String {
        let hidden = style != Style::Shown && self.hidden.contains(&name);
        let path = PRELUDE.iter().find(|(short, _)| *short == name).map(|(_, path)| *path);
        path.filter(|_| hidden).unwrap_or(name).to_owned()
    }

    /// True if `from` contains `to` without a list in between.
    fn reaches_input(&self, from: &str, to: &str, seen: &mut BTreeSet<String>) -> bool {
        let Some(Type::Input(input)) = self.model.types.get(from) else {
            return false;
        };
        from == to
            || (seen.insert(from.to_owned())
                && input
                    .fields
                    .iter()
                    .any(|field| !field.ty.is_list() && self.reaches_input(field.ty.name(), to, seen)))
    }
}
