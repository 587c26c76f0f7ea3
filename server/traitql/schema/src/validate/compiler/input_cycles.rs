//! apollo-compiler reports every type on a cycle and every type that leads to one; we report each cycle once, with its
//! fields.

use std::collections::HashSet;

use apollo_compiler::Schema;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputCycle {
    /// The first type, with the coordinates of the cycle's fields.
    First(Vec<String>),
    /// The cycle is reported at another type.
    Elsewhere,
    /// Neither on a cycle nor leading to one.
    None,
}

pub(super) fn find(schema: &Schema, name: &str) -> InputCycle {
    if let Some(path) = path_back(schema, name) {
        let members: HashSet<&str> = path.iter().filter_map(|field| field.split('.').next()).collect();
        let first = schema.types.keys().find(|ty| members.contains(ty.as_str()));
        return match first {
            Some(first) if first != name => InputCycle::Elsewhere,
            _ => InputCycle::First(path),
        };
    }
    let mut seen = HashSet::new();
    let mut open = vec![name];
    while let Some(next) = open.pop() {
        for (_, ty) in required(schema, next) {
            if path_back(schema, ty).is_some() {
                return InputCycle::Elsewhere;
            }
            if seen.insert(ty) {
                open.push(ty);
            }
        }
    }
    InputCycle::None
}

fn path_back(schema: &Schema, start: &str) -> Option<Vec<String>> {
    let mut seen = HashSet::new();
    let mut paths: Vec<(&str, Vec<String>)> = vec![(start, Vec::new())];
    while !paths.is_empty() {
        let mut next = Vec::new();
        for (name, path) in paths {
            for (field, ty) in required(schema, name) {
                let mut path = path.clone();
                path.push(format!("{name}.{field}"));
                if ty == start {
                    return Some(path);
                }
                if seen.insert(ty) {
                    next.push((ty, path));
                }
            }
        }
        paths = next;
    }
    None
}

fn required<'s>(schema: &'s Schema, name: &str) -> Vec<(&'s str, &'s str)> {
    let fields = schema
        .get_input_object(name)
        .into_iter()
        .flat_map(|input| input.fields.values());
    let required = fields.filter(|field| field.ty.is_non_null() && !field.ty.is_list());
    let inputs = required.filter(|field| schema.get_input_object(field.ty.inner_named_type()).is_some());
    inputs
        .map(|field| (field.name.as_str(), field.ty.inner_named_type().as_str()))
        .collect()
}
