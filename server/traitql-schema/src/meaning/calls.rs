//! What traitql's directives say about a call: who, how often, at which cost, in which state, with which errors.

use super::Fact;
use super::kind::Kind;
use super::words::{access, rate, transition};
use crate::model::{Access, Enum, Field, Model, Rate, Transition, Type};

/// Facts about the call of a field; `old` and `new` know roles and subjects.
pub(super) fn facts((old, before): (&Model, &Field), (new, after): (&Model, &Field), facts: &mut Vec<Fact>) {
    access_facts((old, before), (new, after), facts);
    for code in after.throws.iter().filter(|code| !before.throws.contains(code)) {
        facts.push(Kind::ThrowsAdded.says(format!("throws +{code}")));
    }
    for code in before.throws.iter().filter(|code| !after.throws.contains(code)) {
        facts.push(Kind::ThrowsRemoved.says(format!("throws -{code}")));
    }
    facts.extend(transition_fact(before.transition.as_ref(), after.transition.as_ref()));
    match (&before.audited, &after.audited) {
        (before, after) if before == after => {}
        (_, Some(action)) => facts.push(Kind::AuditChanged.says(format!("audit action {action}"))),
        (_, None) => facts.push(Kind::AuditChanged.says("no audit action any more")),
    }
    match (&before.rate, &after.rate) {
        (before, after) if before == after => {}
        (earlier, Some(later)) => {
            let kind = match earlier.as_ref().is_some_and(|earlier| allows_more(earlier, later)) {
                true => Kind::RateRaised,
                false => Kind::RateLowered,
            };
            facts.push(kind.says(format!("rate {}", rate(later))));
        }
        (_, None) => facts.push(Kind::RateRaised.says("no rate any more")),
    }
    if before.cost != after.cost && before.kind == after.kind {
        let cost = |field: &Field| match &field.cost.times {
            Some(times) => format!("{} × {times}", field.cost.value),
            None => field.cost.value.to_string(),
        };
        let is_less = after.cost.value <= before.cost.value
            && (after.cost.times.is_none() || after.cost.times == before.cost.times);
        let kind = if is_less { Kind::CostLowered } else { Kind::CostRaised };
        facts.push(kind.says(format!("cost {}, before {}", cost(after), cost(before))));
    }
}

fn access_facts((old, before): (&Model, &Field), (new, after): (&Model, &Field), facts: &mut Vec<Fact>) {
    // A root field that says nothing (where that is allowed) is open to everybody.
    let was = before.access.as_ref().unwrap_or(&Access::Public);
    let is = after.access.as_ref().unwrap_or(&Access::Public);
    let (low, high) = (height(new, was), height(new, is));
    let text = format!("{} may call it, before {}", access(is), access(was));
    match low.cmp(&high) {
        std::cmp::Ordering::Less => facts.push(Kind::AccessRaised.says(text)),
        std::cmp::Ordering::Greater => facts.push(Kind::AccessLowered.says(text)),
        std::cmp::Ordering::Equal => {}
    }
    if let (Some((of, path)), Some((later_of, later_path))) = (subject(old, was), subject(new, is))
        && (of != later_of || path != later_path)
    {
        let text = format!("asks for the role on {later_of} by {later_path}, before {of} by {path}");
        facts.push(Kind::AccessSubjectChanged.says(text));
    }
}

/// How much one must be: nothing, signed in, then the roles from the lowest.
fn height(model: &Model, access: &Access) -> usize {
    match access {
        Access::Public => 0,
        Access::SignedIn => 1,
        Access::Role { role, .. } => {
            let roles = model.role_enum.as_ref().and_then(|name| match model.types.get(name) {
                Some(Type::Enum(Enum { values, .. })) => values.iter().position(|value| value.name == *role),
                _ => None,
            });
            2 + roles.unwrap_or(usize::MAX - 2)
        }
    }
}

fn subject<'m>(model: &'m Model, access: &Access) -> Option<(&'m str, String)> {
    match access {
        Access::Role { subject, path, .. } => Some((&model.subjects.get(*subject)?.of, path.join("."))),
        _ => None,
    }
}

fn transition_fact(before: Option<&Transition>, after: Option<&Transition>) -> Option<Fact> {
    match (before, after) {
        (before, after) if before == after => None,
        (_, None) => Some(Kind::TransitionWidened.says("no transition any more")),
        (before, Some(after)) => {
            let kind = match before {
                Some(before) if before.of == after.of => {
                    let keeps_all = before.from.iter().all(|state| after.from.contains(state));
                    match (keeps_all, before.to == after.to) {
                        (false, _) => Kind::TransitionNarrowed,
                        (true, true) => Kind::TransitionWidened,
                        (true, false) => Kind::TransitionTargetChanged,
                    }
                }
                _ => Kind::TransitionNarrowed,
            };
            Some(kind.says(format!("transition {}", transition(after))))
        }
    }
}

/// Whether nobody is refused whom the former rate let pass. Windows of different length are compared by their rate and by
/// their burst.
fn allows_more(before: &Rate, after: &Rate) -> bool {
    let per_second = |rate: &Rate| f64::from(rate.limit) / f64::from(rate.window_seconds);
    before.by == after.by && after.limit >= before.limit && per_second(after) >= per_second(before)
}
