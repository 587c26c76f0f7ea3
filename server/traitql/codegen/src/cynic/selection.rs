//! Merges selections into the fields and fragments of one type.

use indexmap::IndexMap;
use traitql_schema::model::{Fragment, SelectedField, Selection, Type};

use super::Client;

/// The selections of a type without type conditions.
#[derive(Default)]
pub(super) struct Flat<'a> {
    /// The selected fields by response name. Several selections of a field are merged.
    pub(super) fields: IndexMap<&'a str, Merged<'a>>,
    pub(super) spreads: IndexMap<&'a str, &'a Fragment>,
    /// Fragments with `@skip` or `@include`.
    pub(super) conditional: Vec<&'a str>,
}

pub(super) struct Merged<'a> {
    pub(super) field: &'a SelectedField,
    pub(super) selections: Vec<&'a Selection>,
}

impl<'a> Client<'a> {
    /// Keeps the spreads of fragments on this type, and includes the fields of all other fragments that apply to it.
    pub(super) fn flatten(&self, ty: &str, selections: &[&'a Selection]) -> Flat<'a> {
        let mut flat = Flat::default();
        self.add(ty, selections, &mut flat);
        flat
    }

    fn add(&self, ty: &str, selections: &[&'a Selection], flat: &mut Flat<'a>) {
        for &selection in selections {
            match selection {
                Selection::Field(field) => {
                    let merged = flat.fields.entry(field.response_name()).or_insert(Merged {
                        field,
                        selections: Vec::new(),
                    });
                    merged.selections.extend(&field.selections);
                }
                Selection::Spread { fragment, conditions } => {
                    let fragment = self.fragments[fragment.as_str()];
                    if !conditions.is_empty() {
                        flat.conditional.push(&fragment.name);
                    }
                    if fragment.on == ty {
                        flat.spreads.insert(&fragment.name, fragment);
                    } else if self.applies(ty, &fragment.on) {
                        self.add(ty, &fragment.selections.iter().collect::<Vec<_>>(), flat);
                    }
                }
                Selection::Inline {
                    on,
                    selections,
                    conditions,
                } => {
                    if !conditions.is_empty() {
                        flat.conditional.push(on);
                    }
                    if self.applies(ty, on) {
                        self.add(ty, &selections.iter().collect::<Vec<_>>(), flat);
                    }
                }
            }
        }
    }

    /// True if every value of `ty` satisfies the type condition `on`.
    fn applies(&self, ty: &str, on: &str) -> bool {
        if ty == on {
            return true;
        }
        match (self.model.types.get(ty), self.model.types.get(on)) {
            (Some(Type::Object(object)), _) if object.implements.iter().any(|name| name == on) => true,
            (Some(Type::Interface(interface)), _) => interface.implements.iter().any(|name| name == on),
            (_, Some(Type::Union(union))) => union.members.iter().any(|name| name == ty),
            _ => false,
        }
    }

    /// Returns the object types of an interface or union whose fields depend on the object type. A union has no fields.
    pub(super) fn variants(&self, ty: &str, selections: &[&'a Selection]) -> Option<&'a [String]> {
        match self.model.types.get(ty)? {
            Type::Union(union) => Some(&union.members),
            Type::Interface(interface) => self.has_conditions(ty, selections).then_some(&interface.members),
            _ => None,
        }
    }

    fn has_conditions(&self, ty: &str, selections: &[&'a Selection]) -> bool {
        let inside = |on: &str, selections: &'a [Selection]| {
            !self.applies(ty, on) || self.has_conditions(ty, &selections.iter().collect::<Vec<_>>())
        };
        selections.iter().any(|selection| match selection {
            Selection::Field(_) => false,
            Selection::Inline { on, selections, .. } => inside(on, selections),
            Selection::Spread { fragment, .. } => {
                let fragment = self.fragments[fragment.as_str()];
                inside(&fragment.on, &fragment.selections)
            }
        })
    }
}
