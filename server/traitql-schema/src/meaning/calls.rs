//! What traitql's directives say about a call: who, how often, at which cost, in which state, with which errors.

use std::fmt;

use indexmap::IndexMap;

use super::Fact;
use super::kind::Kind;
use super::words::{rate, transition};
use crate::model::{Access, Enum, Field, Model, Rate, Subject, Transition, Type};

/// Facts about the call of a field; `old` and `new` know roles and subjects.
pub(super) fn facts((old, before): (&Model, &Field), (new, after): (&Model, &Field), facts: &mut Vec<Fact>) {
    let was = Gate::new(before.access.as_ref(), &old.subjects);
    let is = Gate::new(after.access.as_ref(), &new.subjects);
    facts.extend(access(&was, &is, &roles(&new.types, new.role_enum.as_deref())));
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

/// Who may call a field, without the model around it: what a release keeps can be compared too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gate {
    /// Everybody.
    Public,
    /// Everybody who is signed in.
    SignedIn,
    /// People with a role.
    Role {
        /// Value of the enum of roles.
        role: String,
        /// What they have it on.
        of: String,
        /// The path of the argument that identifies it.
        by: String,
    },
}

impl Gate {
    /// A root field that says nothing (where that is allowed) is open to everybody.
    pub(crate) fn new(access: Option<&Access>, subjects: &[Subject]) -> Self {
        match access {
            None | Some(Access::Public) => Self::Public,
            Some(Access::SignedIn) => Self::SignedIn,
            Some(Access::Role { role, subject, path }) => Self::Role {
                role: role.clone(),
                of: subjects
                    .get(*subject)
                    .map(|subject| subject.of.clone())
                    .unwrap_or_default(),
                by: path.join("."),
            },
        }
    }

    /// How much one must be: nothing, signed in, then the roles from the lowest.
    fn height(&self, roles: &[&str]) -> usize {
        match self {
            Self::Public => 0,
            Self::SignedIn => 1,
            Self::Role { role, .. } => 2 + roles.iter().position(|name| name == role).unwrap_or(usize::MAX - 2),
        }
    }

    fn shown(&self) -> &str {
        match self {
            Self::Public => "everybody",
            Self::SignedIn => "signed in",
            Self::Role { role, .. } => role,
        }
    }
}

/// As it stands in a schema.
impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => f.write_str("@public"),
            Self::SignedIn => f.write_str("@auth"),
            Self::Role { role, of, by } => write!(f, "@auth(role: {role}, of: {of:?}, by: {by:?})"),
        }
    }
}

/// Facts about who may call a field; `roles` are those of today, from the lowest.
pub(crate) fn access(was: &Gate, is: &Gate, roles: &[&str]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let text = format!("{} may call it, before {}", is.shown(), was.shown());
    match was.height(roles).cmp(&is.height(roles)) {
        std::cmp::Ordering::Less => facts.push(Kind::AccessRaised.says(text)),
        std::cmp::Ordering::Greater => facts.push(Kind::AccessLowered.says(text)),
        std::cmp::Ordering::Equal => {}
    }
    if let (
        Gate::Role { of, by, .. },
        Gate::Role {
            of: later_of,
            by: later_by,
            ..
        },
    ) = (was, is)
        && (of != later_of || by != later_by)
    {
        let text = format!("asks for the role on {later_of} by {later_by}, before {of} by {by}");
        facts.push(Kind::AccessSubjectChanged.says(text));
    }
    facts
}

/// Names of the roles, from the lowest.
pub(crate) fn roles<'m>(types: &'m IndexMap<String, Type>, role_enum: Option<&str>) -> Vec<&'m str> {
    match role_enum.and_then(|name| types.get(name)) {
        Some(Type::Enum(Enum { values, .. })) => values.iter().map(|value| value.name.as_str()).collect(),
        _ => Vec::new(),
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
