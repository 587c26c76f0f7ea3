//! What clients send: arguments and input fields, their types, defaults and limits.

use super::kind::Kind;
use super::words::{default, rule, text};
use super::{Comparison, Fact, Sign, deprecation, type_text};
use crate::model::{InputObject, InputValue, Rule, TypeRef};

/// The kinds of change of one sort of value that is sent.
struct Sort {
    added: Kind,
    required_added: Kind,
    removed: Kind,
    type_changed: Kind,
    type_widened: Kind,
    default_changed: Kind,
    became_required: Kind,
}

const ARGUMENT: Sort = Sort {
    added: Kind::ArgumentAdded,
    required_added: Kind::RequiredArgumentAdded,
    removed: Kind::ArgumentRemoved,
    type_changed: Kind::ArgumentTypeChanged,
    type_widened: Kind::ArgumentTypeWidened,
    default_changed: Kind::ArgumentDefaultChanged,
    became_required: Kind::ArgumentBecameRequired,
};
const INPUT_FIELD: Sort = Sort {
    added: Kind::InputFieldAdded,
    required_added: Kind::RequiredInputFieldAdded,
    removed: Kind::InputFieldRemoved,
    type_changed: Kind::InputFieldTypeChanged,
    type_widened: Kind::InputFieldTypeWidened,
    default_changed: Kind::InputFieldDefaultChanged,
    became_required: Kind::InputFieldBecameRequired,
};

/// Facts about the arguments of a field.
pub(super) fn arguments(before: &[InputValue], after: &[InputValue]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for argument in after {
        match before.iter().find(|candidate| candidate.name == argument.name) {
            None => {
                let text = format!("new argument {}: {}{}", argument.name, argument.ty, default(argument));
                facts.push(ARGUMENT.of_new(argument).says(text));
            }
            Some(earlier) => facts.extend(input_facts(&ARGUMENT, earlier, argument).into_iter().map(|fact| Fact {
                text: format!("argument {} {}", argument.name, fact.text),
                ..fact
            })),
        }
    }
    let gone = before
        .iter()
        .filter(|argument| !after.iter().any(|candidate| candidate.name == argument.name));
    facts.extend(gone.map(|argument| ARGUMENT.removed.says(format!("without the argument {}", argument.name))));
    facts
}

impl Comparison<'_> {
    pub(super) fn inputs(&mut self, before: &InputObject, after: &InputObject) {
        let name = &after.name;
        let one_of = match (before.one_of, after.one_of) {
            (false, true) => vec![Kind::OneOfAdded.says("takes exactly one of its fields now")],
            (true, false) => vec![Kind::OneOfRemoved.says("takes any of its fields now")],
            _ => Vec::new(),
        };
        self.push(Sign::Changed, name, name, one_of, &after.origin);
        for field in &after.fields {
            let coordinate = format!("{name}.{}", field.name);
            match before.fields.iter().find(|candidate| candidate.name == field.name) {
                None => {
                    let kind = INPUT_FIELD.of_new(field);
                    let fact = match kind == INPUT_FIELD.required_added {
                        true => kind.says("every caller must send it"),
                        false => Fact::bare(kind),
                    };
                    let subject = format!("{coordinate}: {}{}", field.ty, default(field));
                    self.push(Sign::Added, &coordinate, &subject, vec![fact], &field.origin);
                }
                Some(earlier) => {
                    let facts = input_facts(&INPUT_FIELD, earlier, field);
                    self.push(Sign::Changed, &coordinate, &coordinate, facts, &field.origin);
                }
            }
        }
        for field in &before.fields {
            if !after.fields.iter().any(|candidate| candidate.name == field.name) {
                let coordinate = format!("{name}.{}", field.name);
                let facts = vec![Fact::bare(INPUT_FIELD.removed)];
                self.push(Sign::Removed, &coordinate, &coordinate, facts, &field.origin);
            }
        }
    }
}

impl Sort {
    fn of_new(&self, input: &InputValue) -> Kind {
        match input.ty.is_non_null() && input.default.is_none() {
            true => self.required_added,
            false => self.added,
        }
    }
}

fn input_facts(sort: &Sort, before: &InputValue, after: &InputValue) -> Vec<Fact> {
    let mut facts = Vec::new();
    if before.ty != after.ty {
        let kind = match takes_all_of(&before.ty, &after.ty) {
            true => sort.type_widened,
            false => sort.type_changed,
        };
        facts.push(kind.says(type_text(&before.ty, &after.ty)));
    }
    if before.default != after.default {
        facts.push(match &after.default {
            Some(value) => sort.default_changed.says(format!("default {}", text(value))),
            None if after.ty.is_non_null() => sort.became_required.says("without a default"),
            None => sort.default_changed.says("without a default"),
        });
    }
    facts.extend(limits(&before.rules, &after.rules));
    deprecation(&mut facts, before.deprecated.is_some(), after.deprecated.is_some());
    super::other_directives(&mut facts, &before.sdl, &after.sdl);
    facts
}

/// Facts about the limits of a value that clients send.
pub(crate) fn limits(before: &[Rule], after: &[Rule]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let same = |a: &Rule, b: &Rule| std::mem::discriminant(a) == std::mem::discriminant(b);
    for limit in after.iter().filter(|limit| !before.contains(limit)) {
        facts.push(match before.iter().find(|earlier| same(earlier, limit)) {
            None => Kind::RuleAdded.says(format!("must have {}", rule(limit))),
            Some(earlier) => {
                let kind = match lets_all_pass(earlier, limit) {
                    true => Kind::RuleLoosened,
                    false => Kind::RuleTightened,
                };
                kind.says(format!("must have {}, before {}", rule(limit), rule(earlier)))
            }
        });
    }
    for limit in before
        .iter()
        .filter(|limit| !after.iter().any(|later| same(later, limit)))
    {
        facts.push(Kind::RuleRemoved.says(format!("need not have {} any more", rule(limit))));
    }
    facts
}

/// Whether every value of type `before` is one of type `after`, where clients send it.
pub(crate) fn takes_all_of(before: &TypeRef, after: &TypeRef) -> bool {
    match (before, after) {
        (TypeRef::NonNull(before), TypeRef::NonNull(after)) => takes_all_of(before, after),
        (TypeRef::NonNull(before), after) => takes_all_of(before, after),
        (TypeRef::List(before), TypeRef::List(after)) => takes_all_of(before, after),
        (TypeRef::Named(before), TypeRef::Named(after)) => before == after,
        _ => false,
    }
}

/// Whether a limit lets everything pass that another one let pass.
fn lets_all_pass(before: &Rule, after: &Rule) -> bool {
    match (before, after) {
        (Rule::Length { min: a, max: b }, Rule::Length { min: c, max: d })
        | (Rule::Count { min: a, max: b }, Rule::Count { min: c, max: d }) => c <= a && d >= b,
        (Rule::Range { min: a, max: b }, Rule::Range { min: c, max: d }) => {
            let lower = c.is_none_or(|c| a.is_some_and(|a| c <= a));
            let upper = d.is_none_or(|d| b.is_some_and(|b| d >= b));
            lower && upper
        }
        (Rule::Depth { max: a, leaves: b }, Rule::Depth { max: c, leaves: d }) => {
            c >= a && d.is_none_or(|d| b.is_some_and(|b| d >= b))
        }
        _ => false,
    }
}
