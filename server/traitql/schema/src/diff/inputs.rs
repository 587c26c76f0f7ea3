//! Input from clients: arguments and input fields with their types, defaults and constraints.

use super::format::{default, rule, text};
use super::kind::Kind;
use super::{ChangeSign, Comparison, Fact, deprecation, type_text};
use crate::model::{Constraint, InputObject, InputValue, TypeRef};

struct InputKinds {
    added: Kind,
    required_added: Kind,
    removed: Kind,
    type_changed: Kind,
    type_widened: Kind,
    default_changed: Kind,
    became_required: Kind,
}

const ARGUMENT: InputKinds = InputKinds {
    added: Kind::ArgumentAdded,
    required_added: Kind::RequiredArgumentAdded,
    removed: Kind::ArgumentRemoved,
    type_changed: Kind::ArgumentTypeChanged,
    type_widened: Kind::ArgumentTypeWidened,
    default_changed: Kind::ArgumentDefaultChanged,
    became_required: Kind::ArgumentBecameRequired,
};
const INPUT_FIELD: InputKinds = InputKinds {
    added: Kind::InputFieldAdded,
    required_added: Kind::RequiredInputFieldAdded,
    removed: Kind::InputFieldRemoved,
    type_changed: Kind::InputFieldTypeChanged,
    type_widened: Kind::InputFieldTypeWidened,
    default_changed: Kind::InputFieldDefaultChanged,
    became_required: Kind::InputFieldBecameRequired,
};

pub(super) fn arguments(before: &[InputValue], after: &[InputValue]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for argument in after {
        match before.iter().find(|candidate| candidate.name == argument.name) {
            None => {
                let text = format!("new argument {}: {}{}", argument.name, argument.ty, default(argument));
                facts.push(ARGUMENT.of_new(argument).with_text(text));
            }
            Some(earlier) => facts.extend(input_facts(&ARGUMENT, earlier, argument).into_iter().map(|fact| Fact {
                text: format!("argument {} {}", argument.name, fact.text),
                ..fact
            })),
        }
    }
    let removed = before
        .iter()
        .filter(|argument| !after.iter().any(|candidate| candidate.name == argument.name));
    facts.extend(removed.map(|argument| {
        ARGUMENT
            .removed
            .with_text(format!("argument {} removed", argument.name))
    }));
    facts
}

impl Comparison<'_> {
    pub(super) fn inputs(&mut self, before: &InputObject, after: &InputObject) {
        let name = &after.name;
        let one_of = match (before.one_of, after.one_of) {
            (false, true) => vec![Kind::OneOfAdded.with_text("now accepts exactly one of its fields")],
            (true, false) => vec![Kind::OneOfRemoved.with_text("no longer limited to one of its fields")],
            _ => Vec::new(),
        };
        self.push(ChangeSign::Changed, name, name, one_of, &after.origin);
        for field in &after.fields {
            let coordinate = format!("{name}.{}", field.name);
            match before.fields.iter().find(|candidate| candidate.name == field.name) {
                None => {
                    let kind = INPUT_FIELD.of_new(field);
                    let fact = if kind == INPUT_FIELD.required_added {
                        kind.with_text("callers must send it")
                    } else {
                        Fact::without_text(kind)
                    };
                    let subject = format!("{coordinate}: {}{}", field.ty, default(field));
                    self.push(ChangeSign::Added, &coordinate, &subject, vec![fact], &field.origin);
                }
                Some(earlier) => {
                    let facts = input_facts(&INPUT_FIELD, earlier, field);
                    self.push(ChangeSign::Changed, &coordinate, &coordinate, facts, &field.origin);
                }
            }
        }
        for field in &before.fields {
            if !after.fields.iter().any(|candidate| candidate.name == field.name) {
                let coordinate = format!("{name}.{}", field.name);
                let facts = vec![Fact::without_text(INPUT_FIELD.removed)];
                self.push(ChangeSign::Removed, &coordinate, &coordinate, facts, &field.origin);
            }
        }
    }
}

impl InputKinds {
    fn of_new(&self, input: &InputValue) -> Kind {
        if input.ty.is_non_null() && input.default.is_none() {
            self.required_added
        } else {
            self.added
        }
    }
}

fn input_facts(kinds: &InputKinds, before: &InputValue, after: &InputValue) -> Vec<Fact> {
    let mut facts = Vec::new();
    if before.ty != after.ty {
        let kind = if is_compatible_input(&before.ty, &after.ty) {
            kinds.type_widened
        } else {
            kinds.type_changed
        };
        facts.push(kind.with_text(type_text(&before.ty, &after.ty)));
    }
    if before.default != after.default {
        facts.push(match &after.default {
            Some(value) => kinds.default_changed.with_text(format!("default {}", text(value))),
            None if after.ty.is_non_null() => kinds.became_required.with_text("no longer has a default"),
            None => kinds.default_changed.with_text("no longer has a default"),
        });
    }
    facts.extend(constraints(&before.constraints, &after.constraints));
    deprecation(&mut facts, before.deprecated.is_some(), after.deprecated.is_some());
    super::other_directives(&mut facts, &before.sdl, &after.sdl);
    facts
}

pub(crate) fn constraints(before: &[Constraint], after: &[Constraint]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let same = |a: &Constraint, b: &Constraint| std::mem::discriminant(a) == std::mem::discriminant(b);
    for limit in after.iter().filter(|limit| !before.contains(limit)) {
        facts.push(match before.iter().find(|earlier| same(earlier, limit)) {
            None => Kind::ConstraintAdded.with_text(format!("requires {}", rule(limit))),
            Some(earlier) => {
                let kind = if accepts_all_of(earlier, limit) {
                    Kind::ConstraintLoosened
                } else {
                    Kind::ConstraintTightened
                };
                kind.with_text(format!("requires {}, was {}", rule(limit), rule(earlier)))
            }
        });
    }
    for limit in before
        .iter()
        .filter(|limit| !after.iter().any(|later| same(later, limit)))
    {
        facts.push(Kind::ConstraintRemoved.with_text(format!("no longer requires {}", rule(limit))));
    }
    facts
}

pub(crate) fn is_compatible_input(before: &TypeRef, after: &TypeRef) -> bool {
    match (before, after) {
        (TypeRef::NonNull(before), TypeRef::NonNull(after)) => is_compatible_input(before, after),
        (TypeRef::NonNull(before), after) => is_compatible_input(before, after),
        (TypeRef::List(before), TypeRef::List(after)) => is_compatible_input(before, after),
        (TypeRef::Named(before), TypeRef::Named(after)) => before == after,
        _ => false,
    }
}

fn accepts_all_of(before: &Constraint, after: &Constraint) -> bool {
    match (before, after) {
        (Constraint::Length { min: a, max: b }, Constraint::Length { min: c, max: d })
        | (Constraint::Count { min: a, max: b }, Constraint::Count { min: c, max: d }) => c <= a && d >= b,
        (Constraint::Range { min: a, max: b }, Constraint::Range { min: c, max: d }) => {
            let lower = c.is_none_or(|c| a.is_some_and(|a| c <= a));
            let upper = d.is_none_or(|d| b.is_some_and(|b| d >= b));
            lower && upper
        }
        (Constraint::Depth { max: a, leaves: b }, Constraint::Depth { max: c, leaves: d }) => {
            c >= a && d.is_none_or(|d| b.is_some_and(|b| d >= b))
        }
        // All variants, so that a new constraint does not compile without a decision.
        (
            Constraint::Length { .. }
            | Constraint::Count { .. }
            | Constraint::Range { .. }
            | Constraint::Depth { .. }
            | Constraint::Format { .. },
            _,
        ) => false,
    }
}
