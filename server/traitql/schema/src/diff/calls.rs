use std::fmt;

use indexmap::IndexMap;

use super::Fact;
use super::format::{rate, transition};
use super::kind::Kind;
use crate::model::{Access, Authentication, Enum, Field, Model, Rate, Subject, Transition, Type};

pub(super) fn facts((old, before): (&Model, &Field), (new, after): (&Model, &Field), facts: &mut Vec<Fact>) {
    let was = Guard::new(before.access.as_ref(), &old.subjects);
    let is = Guard::new(after.access.as_ref(), &new.subjects);
    facts.extend(access(&was, &is, &roles(&new.types, new.role_enum.as_deref())));
    for code in after.throws.iter().filter(|code| !before.throws.contains(code)) {
        facts.push(Kind::ThrowsAdded.with_text(format!("throws +{code}")));
    }
    for code in before.throws.iter().filter(|code| !after.throws.contains(code)) {
        facts.push(Kind::ThrowsRemoved.with_text(format!("throws -{code}")));
    }
    facts.extend(transition_fact(before.transition.as_ref(), after.transition.as_ref()));
    match (&before.audited, &after.audited) {
        (before, after) if before == after => {}
        (_, Some(action)) => facts.push(Kind::AuditChanged.with_text(format!("audit action {action}"))),
        (_, None) => facts.push(Kind::AuditChanged.with_text("no longer audited")),
    }
    match (&before.rate, &after.rate) {
        (before, after) if before == after => {}
        (earlier, Some(later)) => {
            let kind = if earlier.as_ref().is_some_and(|earlier| allows_more(earlier, later)) {
                Kind::RateRaised
            } else {
                Kind::RateLowered
            };
            facts.push(kind.with_text(format!("rate {}", rate(later))));
        }
        (_, None) => facts.push(Kind::RateRaised.with_text("no longer rate-limited")),
    }
    if before.cost != after.cost && before.kind == after.kind {
        let cost = |field: &Field| match &field.cost.times {
            Some(times) => format!("{} × {times}", field.cost.value),
            None => field.cost.value.to_string(),
        };
        let is_less = after.cost.value <= before.cost.value
            && (after.cost.times.is_none() || after.cost.times == before.cost.times);
        let kind = if is_less { Kind::CostLowered } else { Kind::CostRaised };
        facts.push(kind.with_text(format!("cost {}, was {}", cost(after), cost(before))));
    }
}

/// Independent of a model, so that recorded guards can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Guard {
    Public,
    SignedIn {
        authentication: Authentication,
    },
    Role {
        role: String,
        of: String,
        /// Path of the argument.
        by: String,
        authentication: Authentication,
    },
}

impl Guard {
    /// Converts the access check of a field. A root field without one (if that is allowed) is public.
    pub(crate) fn new(access: Option<&Access>, subjects: &[Subject]) -> Self {
        match access {
            None | Some(Access::Public) => Self::Public,
            Some(Access::SignedIn { authentication }) => Self::SignedIn {
                authentication: authentication.clone(),
            },
            Some(Access::Role {
                role,
                subject,
                path,
                authentication,
            }) => Self::Role {
                role: role.clone(),
                of: subjects
                    .get(*subject)
                    .map(|subject| subject.of.clone())
                    .unwrap_or_default(),
                by: path.join("."),
                authentication: authentication.clone(),
            },
        }
    }

    fn authentication(&self) -> Authentication {
        match self {
            Self::Public => Authentication::default(),
            Self::SignedIn { authentication } | Self::Role { authentication, .. } => authentication.clone(),
        }
    }

    fn strictness(&self, roles: &[&str]) -> usize {
        match self {
            Self::Public => 0,
            Self::SignedIn { .. } => 1,
            Self::Role { role, .. } => 2 + roles.iter().position(|name| name == role).unwrap_or(usize::MAX - 2),
        }
    }

    fn label(&self) -> &str {
        match self {
            Self::Public => "public",
            Self::SignedIn { .. } => "signed-in",
            Self::Role { role, .. } => role,
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut arguments = match self {
            Self::Public => return f.write_str("@public"),
            Self::SignedIn { .. } => Vec::new(),
            Self::Role { role, of, by, .. } => {
                vec![format!("role: {role}"), format!("of: {of:?}"), format!("by: {by:?}")]
            }
        };
        let Authentication { max_age, acr } = self.authentication();
        arguments.extend(max_age.map(|seconds| format!("maxAge: {seconds}")));
        arguments.extend(acr.map(|level| format!("acr: {level:?}")));
        f.write_str("@auth")?;
        if arguments.is_empty() {
            return Ok(());
        }
        write!(f, "({})", arguments.join(", "))
    }
}

/// `roles` are the current roles from the lowest.
pub(crate) fn access(was: &Guard, is: &Guard, roles: &[&str]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let text = format!("access {}, was {}", is.label(), was.label());
    match was.strictness(roles).cmp(&is.strictness(roles)) {
        std::cmp::Ordering::Less => facts.push(Kind::AccessRaised.with_text(text)),
        std::cmp::Ordering::Greater => facts.push(Kind::AccessLowered.with_text(text)),
        std::cmp::Ordering::Equal => {}
    }
    if let (
        Guard::Role { of, by, .. },
        Guard::Role {
            of: later_of,
            by: later_by,
            ..
        },
    ) = (was, is)
        && (of != later_of || by != later_by)
    {
        let text = format!("role on {later_of} by {later_by}, was {of} by {by}");
        facts.push(Kind::AccessSubjectChanged.with_text(text));
    }
    let (before, after) = (was.authentication(), is.authentication());
    if before.acr != after.acr {
        facts.push(match after.acr {
            Some(level) => Kind::AcrRequired.with_text(format!("authentication of level {level:?}")),
            None => Kind::AcrRemoved.with_text("authentication of any level"),
        });
    }
    // Without a limit, an authentication never becomes too old.
    let (earlier, later) = (before.max_age, after.max_age);
    let text = match later {
        Some(seconds) => format!("authentication within {seconds} s"),
        None => "authentication at any time".to_owned(),
    };
    match earlier.unwrap_or(u32::MAX).cmp(&later.unwrap_or(u32::MAX)) {
        std::cmp::Ordering::Less => facts.push(Kind::MaxAgeRaised.with_text(text)),
        std::cmp::Ordering::Greater => facts.push(Kind::MaxAgeLowered.with_text(text)),
        std::cmp::Ordering::Equal => {}
    }
    facts
}

pub(crate) fn roles<'m>(types: &'m IndexMap<String, Type>, role_enum: Option<&str>) -> Vec<&'m str> {
    match role_enum.and_then(|name| types.get(name)) {
        Some(Type::Enum(Enum { values, .. })) => values.iter().map(|value| value.name.as_str()).collect(),
        _ => Vec::new(),
    }
}

fn transition_fact(before: Option<&Transition>, after: Option<&Transition>) -> Option<Fact> {
    match (before, after) {
        (before, after) if before == after => None,
        (_, None) => Some(Kind::TransitionWidened.with_text("no longer a transition")),
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
            Some(kind.with_text(format!("transition {}", transition(after))))
        }
    }
}

/// Compares windows of different length by average rate and burst.
fn allows_more(before: &Rate, after: &Rate) -> bool {
    let per_second = |rate: &Rate| f64::from(rate.limit) / f64::from(rate.window_seconds);
    before.by == after.by && after.limit >= before.limit && per_second(after) >= per_second(before)
}
