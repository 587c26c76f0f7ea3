use super::format::{default, text};
use super::kind::Kind;
use super::{ChangeSign, Comparison, Fact};
use crate::model::{Directive, InputValue, TypeRef};

impl Comparison<'_> {
    pub(super) fn directives(&mut self) {
        let (old, new) = (self.old, self.new);
        for after in &new.directives {
            let subject = format!("@{}", after.name);
            match old.directives.iter().find(|before| before.name == after.name) {
                None => {
                    let facts = vec![Fact::without_text(Kind::DirectiveAdded)];
                    self.push(ChangeSign::Added, &subject, &subject, facts, &after.origin);
                }
                Some(before) => {
                    let mut facts = facts(before, after);
                    if !before.is_executable() {
                        facts
                            .iter_mut()
                            .for_each(|fact| fact.kind = Kind::SchemaDirectiveChanged);
                    }
                    self.push(ChangeSign::Changed, &subject, &subject, facts, &after.origin);
                }
            }
        }
        for before in old
            .directives
            .iter()
            .filter(|before| !new.directives.iter().any(|after| after.name == before.name))
        {
            let subject = format!("@{}", before.name);
            let kind = if before.is_executable() {
                Kind::DirectiveRemoved
            } else {
                Kind::SchemaDirectiveChanged
            };
            self.push(
                ChangeSign::Removed,
                &subject,
                &subject,
                vec![Fact::without_text(kind)],
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
                let kind = if is_required(argument) {
                    Kind::RequiredDirectiveArgumentAdded
                } else {
                    Kind::DirectiveArgumentAdded
                };
                facts.push(kind.with_text(format!("new argument {name}: {}{}", argument.ty, default(argument))));
            }
            Some(earlier) if earlier.ty != argument.ty => {
                let kind = if super::inputs::is_compatible_input(&earlier.ty, &argument.ty) {
                    Kind::DirectiveWidened
                } else {
                    Kind::DirectiveArgumentChanged
                };
                facts.push(kind.with_text(format!("argument {name} now {}, was {}", argument.ty, earlier.ty)));
            }
            Some(earlier) if earlier.default != argument.default => {
                let text = format!("argument {name} default {}, was {}", shown(argument), shown(earlier));
                facts.push(Kind::DirectiveArgumentChanged.with_text(text));
            }
            Some(_) => {}
        }
    }
    for argument in &before.args {
        if !after.args.iter().any(|later| later.name == argument.name) {
            facts.push(Kind::DirectiveArgumentRemoved.with_text(format!("argument {} removed", argument.name)));
        }
    }
    match (before.repeatable, after.repeatable) {
        (true, false) => facts.push(Kind::DirectiveRepeatableRemoved.with_text("no longer repeatable")),
        (false, true) => facts.push(Kind::DirectiveWidened.with_text("now repeatable")),
        _ => {}
    }
    for location in before.locations.iter().filter(|at| !after.locations.contains(at)) {
        facts.push(Kind::DirectiveLocationRemoved.with_text(format!("no longer on {location}")));
    }
    for location in after.locations.iter().filter(|at| !before.locations.contains(at)) {
        facts.push(Kind::DirectiveWidened.with_text(format!("now also on {location}")));
    }
    facts
}

fn is_required(argument: &InputValue) -> bool {
    matches!(argument.ty, TypeRef::NonNull(_)) && argument.default.is_none()
}

fn shown(argument: &InputValue) -> String {
    argument.default.as_ref().map_or_else(|| "none".to_owned(), text)
}
