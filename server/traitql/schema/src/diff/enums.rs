use super::kind::Kind;
use super::{ChangeSign, Comparison, Fact, deprecation};
use crate::model::{Enum, ErrorCode, Model};

impl Comparison<'_> {
    pub(super) fn enums(&mut self, before: &Enum, after: &Enum) {
        let (old, new) = (self.old, self.new);
        let name = &after.name;
        let is_errors = new.error_enum.as_ref() == Some(name);
        for value in &after.values {
            let coordinate = format!("{name}.{}", value.name);
            let error = |model: &'_ Model| error_of(model, is_errors, &value.name);
            match before.values.iter().find(|candidate| candidate.name == value.name) {
                None => {
                    let kind = if self.positions.1.is_received(name) {
                        Kind::EnumValueAddedToOutput
                    } else {
                        Kind::EnumValueAdded
                    };
                    let text = error(new).map(|error| shown(&error)).unwrap_or_default();
                    self.push(
                        ChangeSign::Added,
                        &coordinate,
                        &coordinate,
                        vec![kind.with_text(text)],
                        &after.origin,
                    );
                }
                Some(earlier) => {
                    let mut facts = Vec::new();
                    if let (Some(was), Some(is)) = (error(old), error(new)) {
                        error_facts(&mut facts, &was, &is);
                    }
                    deprecation(&mut facts, earlier.deprecated.is_some(), value.deprecated.is_some());
                    self.push(ChangeSign::Changed, &coordinate, &coordinate, facts, &after.origin);
                }
            }
        }
        for value in &before.values {
            if !after.values.iter().any(|candidate| candidate.name == value.name) {
                let coordinate = format!("{name}.{}", value.name);
                let kind = if self.positions.0.is_sent(name) {
                    Kind::EnumValueRemoved
                } else {
                    Kind::EnumValueRemovedFromOutput
                };
                self.push(
                    ChangeSign::Removed,
                    &coordinate,
                    &coordinate,
                    vec![Fact::without_text(kind)],
                    &after.origin,
                );
            }
        }
        let names = |ty: &'_ Enum| ty.values.iter().map(|value| value.name.clone()).collect::<Vec<_>>();
        if new.role_enum.as_ref() == Some(name)
            && let Some(order) = reordered(&names(before), &names(after))
        {
            let facts = vec![Kind::RoleOrderChanged.with_text(format!("now ordered {order}"))];
            self.push(ChangeSign::Changed, name, name, facts, &after.origin);
        }
    }
}

/// Returns the new order of the names that both lists contain, if it differs.
pub(crate) fn reordered(before: &[String], after: &[String]) -> Option<String> {
    let common = |names: &[String], others: &[String]| -> Vec<String> {
        names.iter().filter(|name| others.contains(name)).cloned().collect()
    };
    let (was, is) = (common(before, after), common(after, before));
    (was != is).then(|| is.join(" < "))
}

fn error_of(model: &Model, is_errors: bool, code: &str) -> Option<ErrorCode> {
    model
        .errors
        .iter()
        .find(|error| is_errors && error.code == code)
        .cloned()
}

fn shown(error: &ErrorCode) -> String {
    format!("{} “{}” {}", error.http, error.message, error.retry)
}

fn error_facts(facts: &mut Vec<Fact>, was: &ErrorCode, is: &ErrorCode) {
    if was.http != is.http {
        facts.push(Kind::ErrorStatusChanged.with_text(format!("status {}, was {}", is.http, was.http)));
    }
    if was.message != is.message {
        facts.push(Kind::ErrorTextChanged.with_text(format!("message “{}”", is.message)));
    }
    if was.retry != is.retry {
        facts.push(Kind::ErrorRetryChanged.with_text(format!("retry {}, was {}", is.retry, was.retry)));
    }
}
