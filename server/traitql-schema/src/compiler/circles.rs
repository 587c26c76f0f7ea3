//! Inputs that demand themselves. The library names every type on a circle and every type that leads to one; people need
//! each circle once, with the fields on its way.

use std::collections::HashSet;

use apollo_compiler::Schema;

/// What a type has to do with circles of required fields.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Circle {
    /// It is the first type on a circle, with the coordinates of the fields on the way round.
    Own(Vec<String>),
    /// The circle is told at another type.
    Told,
    /// It is on no such circle and leads to none.
    None,
}

/// Follows the required fields of an input.
pub(super) fn of_inputs(schema: &Schema, name: &str) -> Circle {
    if let Some(way) = way_back(schema, name) {
        let members: HashSet<&str> = way.iter().filter_map(|field| field.split('.').next()).collect();
        let first = schema.types.keys().find(|ty| members.contains(ty.as_str()));
        return match first {
            Some(first) if first != name => Circle::Told,
            _ => Circle::Own(way),
        };
    }
    let mut seen = HashSet::new();
    let mut open = vec![name];
    while let Some(next) = open.pop() {
        for (_, ty) in required(schema, next) {
            if way_back(schema, ty).is_some() {
                return Circle::Told;
            }
            if seen.insert(ty) {
                open.push(ty);
            }
        }
    }
    Circle::None
}

/// The shortest way from an input over required fields back to itself.
fn way_back(schema: &Schema, start: &str) -> Option<Vec<String>> {
    let mut seen = HashSet::new();
    let mut ways: Vec<(&str, Vec<String>)> = vec![(start, Vec::new())];
    while !ways.is_empty() {
        let mut next = Vec::new();
        for (name, way) in ways {
            for (field, ty) in required(schema, name) {
                let mut way = way.clone();
                way.push(format!("{name}.{field}"));
                if ty == start {
                    return Some(way);
                }
                if seen.insert(ty) {
                    next.push((ty, way));
                }
            }
        }
        ways = next;
    }
    None
}

/// The fields of an input that must be there and are inputs themselves.
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
