//! Accounts: the people whom an identity provider has vouched for, and what its claims are worth here.

pub mod store;

use std::collections::BTreeMap;

use traitql::Principal;
use waypost_api::Role;

/// A role for everybody whom a provider says to have a role or to be in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimGrant {
    /// The provider.
    pub issuer: String,
    /// How it calls the role or group.
    pub claim: String,
    /// Slug of the workspace.
    pub workspace: String,
    /// The role there.
    pub role: Role,
}

/// What a provider says about a person, refreshed at every sight.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// How the person is shown: by their name, else by their address, else by what the provider calls them.
    pub name: String,
    pub(crate) email: Option<String>,
    pub(crate) email_verified: bool,
    pub(crate) picture: Option<String>,
}

impl Profile {
    /// What is known after a sight of the person. What the token does not say stays as it was: a provider whose userinfo
    /// endpoint is down for a minute must not take away a name. People without a name are shown by their address, and else
    /// by what the provider calls them.
    pub fn of(principal: &Principal, known: Option<&Self>) -> Self {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let (email, email_verified) = match said(&principal.email) {
            Some(email) => (Some(email), principal.email_verified),
            None => known.map_or((None, false), |known| (known.email.clone(), known.email_verified)),
        };
        let picture = said(&principal.picture).filter(|picture| picture.parse::<traitql::Url>().is_ok());
        Self {
            name: said(&principal.name)
                .or_else(|| known.map(|known| known.name.clone()))
                .or_else(|| email.clone())
                .unwrap_or_else(|| principal.subject.clone()),
            email,
            email_verified,
            picture: picture.or_else(|| known.and_then(|known| known.picture.clone())),
        }
    }
}

/// What a token says about roles here: for each workspace in which the claims of its issuer count, the role, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claims {
    roles: BTreeMap<String, Option<Role>>,
    /// Whether they are all; else what is missing decides nothing.
    complete: bool,
}

/// Where claims count. A provider's own names of our roles count in `workspace`, in any spelling of upper and lower case.
#[derive(Debug, Clone, Copy)]
pub struct ClaimRules<'r> {
    /// Slug of the workspace where a provider's own names of our roles count; none: they count nowhere.
    pub workspace: Option<&'r str>,
    /// What roles and groups of other names are worth, each for one provider in one workspace.
    pub grants: &'r [ClaimGrant],
}

impl ClaimRules<'_> {
    /// Whether claims grant nothing at all.
    pub fn is_empty(&self) -> bool {
        self.workspace.is_none() && self.grants.is_empty()
    }
}

impl Claims {
    /// Reads the roles of a token. Of several, the highest counts.
    pub fn of(principal: &Principal, rules: ClaimRules<'_>) -> Self {
        let mut roles: BTreeMap<String, Option<Role>> = BTreeMap::new();
        let mut say = |workspace: &str, role: Option<Role>| {
            let said = roles.entry(workspace.to_owned()).or_default();
            *said = (*said).max(role);
        };
        if let Some(workspace) = rules.workspace {
            let ours = principal
                .roles
                .iter()
                .filter_map(|role| Role::from_graphql(&role.to_ascii_uppercase()));
            say(workspace, ours.max());
        }
        for grant in rules.grants.iter().filter(|grant| grant.issuer == principal.issuer) {
            say(
                &grant.workspace,
                principal.roles.contains(&grant.claim).then_some(grant.role),
            );
        }
        Self {
            roles,
            complete: principal.roles_known,
        }
    }

    /// Compares the claims with those that were applied last, by workspace: each counts when it changes.
    pub fn effects(&self, applied: &BTreeMap<String, Role>) -> Vec<(&str, ClaimEffect)> {
        let mut effects = Vec::new();
        for (workspace, &said) in &self.roles {
            let applied = applied.get(workspace).copied();
            // A provider that could not be asked for all roles must not take any away.
            let counts = self.complete || said > applied;
            match said {
                said if said == applied || !counts => {}
                Some(role) => effects.push((workspace.as_str(), ClaimEffect::Give(role))),
                None => effects.push((workspace.as_str(), ClaimEffect::Take)),
            }
        }
        effects
    }
}

/// What a claim does to a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimEffect {
    /// The provider grants a role, new or other than before.
    Give(Role),
    /// The provider has taken back what it granted.
    Take,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn principal(subject: &str) -> Principal {
        Principal {
            subject: subject.into(),
            name: Some(subject.into()),
            email: Some(format!("{subject}@example.com")),
            email_verified: true,
            roles_known: true,
            ..Principal::default()
        }
    }

    #[test]
    fn a_person_without_a_name_is_shown_by_address_or_subject() {
        let mut principal = principal("ada");
        assert_eq!(Profile::of(&principal, None).name, "ada");
        principal.name = Some("  ".into());
        assert_eq!(Profile::of(&principal, None).name, "ada@example.com");
        principal.email = None;
        let nameless = Profile::of(&principal, None);
        assert_eq!((nameless.name.as_str(), nameless.email_verified), ("ada", false));
    }

    #[test]
    fn what_a_token_does_not_say_stays() {
        let mut principal = principal("ada");
        principal.picture = Some("https://example.com/ada.png".into());
        let known = Profile::of(&principal, None);
        (principal.name, principal.email, principal.picture) = (None, None, None);
        principal.email_verified = false;
        assert_eq!(Profile::of(&principal, Some(&known)), known);
        principal.email = Some("new@example.com".into());
        let moved = Profile::of(&principal, Some(&known));
        assert_eq!(
            (moved.email.as_deref(), moved.email_verified),
            (Some("new@example.com"), false)
        );
    }

    #[test]
    fn a_picture_must_be_a_web_address() {
        let mut principal = principal("ada");
        principal.picture = Some("javascript:alert(1)".into());
        assert_eq!(Profile::of(&principal, None).picture, None);
    }

    const HERE: ClaimRules<'_> = ClaimRules {
        workspace: Some("team"),
        grants: &[],
    };

    fn claims(roles: &[&str], rules: ClaimRules<'_>) -> Claims {
        let mut principal = principal("ada");
        principal.roles = roles.iter().map(|role| (*role).to_owned()).collect();
        Claims::of(&principal, rules)
    }

    fn effect(roles: &[&str], applied: Option<Role>) -> Option<ClaimEffect> {
        let applied = applied.into_iter().map(|role| ("team".to_owned(), role)).collect();
        claims(roles, HERE).effects(&applied).first().map(|(_, effect)| *effect)
    }

    #[test]
    fn the_highest_claimed_role_counts_in_any_case() {
        assert_eq!(
            effect(&["viewer", "Publisher", "staff"], None),
            Some(ClaimEffect::Give(Role::Publisher))
        );
        assert_eq!(effect(&["ADMINS", "owner"], None), None);
    }

    #[test]
    fn a_claim_counts_when_it_changes() {
        use ClaimEffect::{Give, Take};
        let author = Some(Role::Author);
        assert_eq!(effect(&["author"], None), Some(Give(Role::Author)));
        assert_eq!(effect(&["author"], author), None);
        assert_eq!(effect(&["viewer"], author), Some(Give(Role::Viewer)));
        assert_eq!(effect(&["staff"], author), Some(Take));
        assert_eq!(effect(&[], author), Some(Take), "no roles are an answer too");
        assert_eq!(effect(&["staff"], None), None);
    }

    #[test]
    fn what_could_not_be_asked_takes_nothing_away() {
        let applied = [("team".to_owned(), Role::Author)].into();
        for (roles, expected) in [
            (&[][..], None),
            (&["viewer"][..], None),
            (&["admin"][..], Some(("team", ClaimEffect::Give(Role::Admin)))),
        ] {
            let mut claims = claims(roles, HERE);
            claims.complete = false;
            assert_eq!(claims.effects(&applied).first().copied(), expected, "{roles:?}");
        }
    }

    #[test]
    fn groups_count_in_the_workspaces_that_are_named_for_their_provider() {
        let grant = |issuer: &str, claim: &str, workspace: &str, role| ClaimGrant {
            issuer: issuer.into(),
            claim: claim.into(),
            workspace: workspace.into(),
            role,
        };
        let ours = principal("ada").issuer;
        let grants = [
            grant(&ours, "staff", "team", Role::Viewer),
            grant(&ours, "writers", "team", Role::Author),
            grant(&ours, "ops", "shop", Role::Admin),
            grant("https://other.example", "staff", "elsewhere", Role::Admin),
        ];
        let rules = ClaimRules {
            workspace: None,
            grants: &grants,
        };
        let applied = [("shop".to_owned(), Role::Admin)].into();
        assert_eq!(
            claims(&["staff", "writers", "Ops"], rules).effects(&applied),
            [("shop", ClaimEffect::Take), ("team", ClaimEffect::Give(Role::Author))]
        );
    }
}
