//! Definitions of directives. What a document can carry is part of the API; what only a schema can carry is not.

use super::kind::Kind;
use super::words::default;
use super::{Comparison, Fact, Sign};
use crate::model::{Directive, InputValue, TypeRef};

impl Comparison<'_> {
    pub(super) fn directives(&mut self) {
        let (old, new) = (self.old, self.new);
        for after in &new.directives {
            let subject = format!("@{}", after.name);
            match old.directives.iter().find(|before| before.name == after.name) {
                None => {
                    let facts = vec![Fact::bare(Kind::DirectiveAdded)];
                    self.push(Sign::Added, &subject, &subject, facts, &after.origin);
                }
                Some(before) => {
                    let mut facts = facts(before, after);
                    if !before.is_executable() {
                        facts
                            .iter_mut()
                            .for_each(|fact| fact.kind = Kind::SchemaDirectiveChanged);
                    }
                    self.push(Sign::Changed, &subject, &subject, facts, &after.origin);
                }
            }
        }
        for before in old
            .directives
            .iter()
            .filter(|before| !new.directives.iter().any(|after| after.name == before.name))
        {
            let subject = format!("@{}", before.name);
            let kind = match before.is_executable() {
                true => Kind::DirectiveRemoved,
                false => Kind::SchemaDirectiveChanged,
            };
            self.push(
                Sign::Removed,
                &subject,
                &subject,
                vec![Fact::bare(kind)],
                &before.origin,
            );
        }
    }
}

fn facts(before: &Directive, after: &Directive) -> Vec<Fact> {
    let mut facts = Vec::new();
    for argument in &after.args {
        let name = &argument.name;
        match before.args.iter().find(|earlier| earlier.name == *name) {
            None => {
                let kind = match is_required(argument) {
                    true => Kind::RequiredDirectiveArgumentAdded,
                    false => Kind::DirectiveArgumentAdded,
                };
                facts.push(kind.says(format!("new argument {name}: {}{}", argument.ty, default(argument))));
            }
            Some(earlier) if earlier.ty != argument.ty => {
                let kind = match super::inputs::takes_all_of(&earlier.ty, &argument.ty) {
                    true => Kind::DirectiveWidened,
                    false => Kind::DirectiveArgumentChanged,
                };
                facts.push(kind.says(format!("argument {name} is {}, before {}", argument.ty, earlier.ty)));
            }
            Some(earlier) if earlier.default != argument.default => {
                let text = format!("argument {name}{}, before{}", shown(argument), shown(earlier));
                facts.push(Kind::DirectiveArgumentChanged.says(text));
            }
            Some(_) => {}
        }
    }
    for argument in &before.args {
        if !after.args.iter().any(|later| later.name == argument.name) {
            facts.push(Kind::DirectiveArgumentRemoved.says(format!("without the argument {}", argument.name)));
        }
    }
    match (before.repeatable, after.repeatable) {
        (true, false) => facts.push(Kind::DirectiveRepeatableRemoved.says("stands once in a place now")),
        (false, true) => facts.push(Kind::DirectiveWidened.says("can be repeated now")),
        _ => {}
    }
    for location in before.locations.iter().filter(|at| !after.locations.contains(at)) {
        facts.push(Kind::DirectiveLocationRemoved.says(format!("not on {location} any more")));
    }
    for location in after.locations.iter().filter(|at| !before.locations.contains(at)) {
        facts.push(Kind::DirectiveWidened.says(format!("also on {location}")));
    }
    facts
}

fn is_required(argument: &InputValue) -> bool {
    matches!(argument.ty, TypeRef::NonNull(_)) && argument.default.is_none()
}

fn shown(argument: &InputValue) -> String {
    match argument.default {
        Some(_) => default(argument),
        None => " without a default".to_owned(),
    }
}
