use super::format::{access, resolver, signature};
use super::kind::Kind;
use super::{ChangeSign, Comparison, Fact, calls, deprecation, inputs, other_directives, type_text};
use crate::model::{Field, FieldKind, Model, Type, TypeRef};

impl Comparison<'_> {
    pub(super) fn fields(&mut self, ty: &str, before: &[Field], after: &[Field]) {
        let (old, new) = (self.old, self.new);
        for field in after {
            match before.iter().find(|candidate| candidate.name == field.name) {
                None => self.added_field(ty, field),
                Some(earlier) => {
                    let coordinate = format!("{ty}.{}", field.name);
                    let facts = field_facts((old, earlier), (new, field), &resolver(new, ty, field));
                    self.push(ChangeSign::Changed, &coordinate, &coordinate, facts, &field.origin);
                }
            }
        }
        for field in before
            .iter()
            .filter(|field| !after.iter().any(|candidate| candidate.name == field.name))
        {
            let coordinate = format!("{ty}.{}", field.name);
            let text = if is_resolved(old, ty, field) {
                format!("remove its resolver: impl {}", resolver(old, ty, field))
            } else {
                String::new()
            };
            let facts = vec![Kind::FieldRemoved.with_text(text)];
            self.push(ChangeSign::Removed, &coordinate, &coordinate, facts, &field.origin);
        }
    }

    pub(super) fn added_field(&mut self, ty: &str, field: &Field) {
        let model = self.new;
        let mut facts: Vec<Fact> = field
            .access
            .iter()
            .map(|rule| Kind::FieldAdded.with_text(format!("access {}", access(rule))))
            .collect();
        match (is_resolved(model, ty, field), &model.types[ty]) {
            (true, _) => {
                facts.push(Kind::FieldAdded.with_text(format!("needs a resolver: impl {}", resolver(model, ty, field))))
            }
            (false, Type::Object(_)) => facts.push(Kind::FieldAdded.with_text(format!("field of struct {ty}"))),
            _ => facts.push(Fact::without_text(Kind::FieldAdded)),
        }
        let coordinate = format!("{ty}.{}", field.name);
        let subject = format!("{ty}.{}", signature(field));
        self.push(ChangeSign::Added, &coordinate, &subject, facts, &field.origin);
    }
}

/// Members resolve interface fields.
fn is_resolved(model: &Model, ty: &str, field: &Field) -> bool {
    field.kind == FieldKind::Resolved && matches!(model.types.get(ty), Some(Type::Object(_)))
}

fn field_facts((old, before): (&Model, &Field), (new, after): (&Model, &Field), resolver: &str) -> Vec<Fact> {
    let mut facts = Vec::new();
    if before.ty != after.ty {
        let kind = match (
            is_compatible_output(&before.ty, &after.ty),
            same_shape(&before.ty, &after.ty),
        ) {
            (true, _) => Kind::FieldTypeNarrowed,
            (false, true) => Kind::FieldBecameNullable,
            (false, false) => Kind::FieldTypeChanged,
        };
        facts.push(kind.with_text(type_text(&before.ty, &after.ty)));
    }
    match (before.kind, after.kind) {
        (FieldKind::Data, FieldKind::Resolved) => {
            facts.push(Kind::ResolverNeeded.with_text(format!("needs a resolver: impl {resolver}")));
        }
        (FieldKind::Resolved, FieldKind::Data) => {
            facts.push(Kind::ResolverGone.with_text(format!("now a struct field; remove impl {resolver}")));
        }
        _ => {}
    }
    facts.extend(inputs::arguments(&before.args, &after.args));
    calls::facts((old, before), (new, after), &mut facts);
    deprecation(&mut facts, before.deprecated.is_some(), after.deprecated.is_some());
    other_directives(&mut facts, &before.sdl, &after.sdl);
    facts
}

pub(crate) fn is_compatible_output(before: &TypeRef, after: &TypeRef) -> bool {
    match (before, after) {
        (TypeRef::NonNull(before), TypeRef::NonNull(after)) => is_compatible_output(before, after),
        (TypeRef::NonNull(_), _) => false,
        (before, TypeRef::NonNull(after)) => is_compatible_output(before, after),
        (TypeRef::List(before), TypeRef::List(after)) => is_compatible_output(before, after),
        (TypeRef::Named(before), TypeRef::Named(after)) => before == after,
        _ => false,
    }
}

fn same_shape(before: &TypeRef, after: &TypeRef) -> bool {
    match (before.nullable(), after.nullable()) {
        (TypeRef::List(before), TypeRef::List(after)) => same_shape(before, after),
        (before, after) => before == after,
    }
}
