//! Accounts, and the roles that the claims of an identity provider grant.

pub mod store;

use std::collections::BTreeMap;

use traitql::Principal;
use waypost_api::Role;

/// A role granted to all accounts with a certain role or group claim of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimGrant {
    pub issuer: String,
    pub claim: String,
    pub workspace: String,
    pub role: Role,
}

/// The profile of an account, updated from each token.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The name, the e-mail address, or the subject, whichever exists first. A long subject, a random id, becomes
    /// "Account" with the end of the subject.
    pub name: String,
    pub(crate) email: Option<String>,
    pub(crate) email_verified: bool,
    pub(crate) picture: Option<String>,
}

impl Profile {
    /// Returns the profile after a token was received. `known` is the stored profile.
    ///
    /// Claims that the token lacks keep their stored values, so that a short failure of the provider's userinfo
    /// endpoint does not remove a name.
    pub fn of(principal: &Principal, known: Option<&Self>) -> Self {
        let non_empty = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let (email, email_verified) = match non_empty(&principal.email) {
            Some(email) => (Some(email), principal.email_verified),
            None => known.map_or((None, false), |known| (known.email.clone(), known.email_verified)),
        };
        let picture = non_empty(&principal.picture).filter(|picture| picture.parse::<traitql::Url>().is_ok());
        Self {
            name: non_empty(&principal.name)
                .or_else(|| known.map(|known| known.name.clone()))
                .or_else(|| email.clone())
                .unwrap_or_else(|| unnamed(&principal.subject)),
            email,
            email_verified,
            picture: picture.or_else(|| known.and_then(|known| known.picture.clone())),
        }
    }
}

fn unnamed(subject: &str) -> String {
    const LONGEST: usize = 20;
    const SHOWN: usize = 6;
    match subject.chars().count() {
        ..=LONGEST => subject.to_owned(),
        length => format!("Account {}", subject.chars().skip(length - SHOWN).collect::<String>()),
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claims {
    roles: BTreeMap<String, Option<Role>>,
    /// True if the claims are complete. Otherwise missing claims have no effect.
    complete: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct ClaimRules<'r> {
    /// Workspace in which claims named like our roles, in any case, grant these roles.
    pub workspace: Option<&'r str>,
    pub grants: &'r [ClaimGrant],
}

impl ClaimRules<'_> {
    pub fn is_empty(&self) -> bool {
        self.workspace.is_none() && self.grants.is_empty()
    }
}

impl Claims {
    /// Reads the roles of a token. If several apply to a workspace, the highest one wins.
    pub fn of(principal: &Principal, rules: ClaimRules<'_>) -> Self {
        let mut roles: BTreeMap<String, Option<Role>> = BTreeMap::new();
        let mut add = |workspace: &str, role: Option<Role>| {
            let claimed = roles.entry(workspace.to_owned()).or_default();
            *claimed = (*claimed).max(role);
        };
        if let Some(workspace) = rules.workspace {
            let ours = principal
                .roles
                .iter()
                .filter_map(|role| Role::from_graphql(&role.to_ascii_uppercase()));
            add(workspace, ours.max());
        }
        for grant in rules.grants.iter().filter(|grant| grant.issuer == principal.issuer) {
            add(
                &grant.workspace,
                principal.roles.contains(&grant.claim).then_some(grant.role),
            );
        }
        Self {
            roles,
            complete: principal.roles_known,
        }
    }

    /// Returns the claims that changed since they were last applied, so that a member's role can be changed manually.
    pub fn effects(&self, applied: &BTreeMap<String, Role>) -> Vec<(&str, ClaimEffect)> {
        let mut effects = Vec::new();
        for (workspace, &claimed) in &self.roles {
            let applied = applied.get(workspace).copied();
            // Incomplete claims must not lower or revoke a role.
            let applies = self.complete || claimed > applied;
            match claimed {
                claimed if claimed == applied || !applies => {}
                Some(role) => effects.push((workspace.as_str(), ClaimEffect::Grant(role))),
                None => effects.push((workspace.as_str(), ClaimEffect::Revoke)),
            }
        }
        effects
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimEffect {
    Grant(Role),
    Revoke,
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
    fn the_display_name_falls_back_to_the_address_and_the_subject() {
        let mut principal = principal("ada");
        assert_eq!(Profile::of(&principal, None).name, "ada");
        principal.name = Some("  ".into());
        assert_eq!(Profile::of(&principal, None).name, "ada@example.com");
        principal.email = None;
        let nameless = Profile::of(&principal, None);
        assert_eq!((nameless.name.as_str(), nameless.email_verified), ("ada", false));
        principal.subject = "0b6ff5a4-16e5-4e9c-9a7c-2f6b0c5f1d7e".into();
        assert_eq!(Profile::of(&principal, None).name, "Account 5f1d7e");
    }

    #[test]
    fn claims_missing_from_a_token_keep_their_values() {
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
    fn a_picture_must_be_a_url() {
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
    fn the_highest_claimed_role_wins_in_any_case() {
        assert_eq!(
            effect(&["viewer", "Publisher", "staff"], None),
            Some(ClaimEffect::Grant(Role::Publisher))
        );
        assert_eq!(effect(&["ADMINS", "owner"], None), None);
    }

    #[test]
    fn a_claim_has_an_effect_when_it_changes() {
        use ClaimEffect::{Grant, Revoke};
        let author = Some(Role::Author);
        assert_eq!(effect(&["author"], None), Some(Grant(Role::Author)));
        assert_eq!(effect(&["author"], author), None);
        assert_eq!(effect(&["viewer"], author), Some(Grant(Role::Viewer)));
        assert_eq!(effect(&["staff"], author), Some(Revoke));
        assert_eq!(effect(&[], author), Some(Revoke), "an empty list of roles is complete");
        assert_eq!(effect(&["staff"], None), None);
    }

    #[test]
    fn incomplete_claims_revoke_nothing() {
        let applied = [("team".to_owned(), Role::Author)].into();
        for (roles, expected) in [
            (&[][..], None),
            (&["viewer"][..], None),
            (&["admin"][..], Some(("team", ClaimEffect::Grant(Role::Admin)))),
        ] {
            let mut claims = claims(roles, HERE);
            claims.complete = false;
            assert_eq!(claims.effects(&applied).first().copied(), expected, "{roles:?}");
        }
    }

    #[test]
    fn grants_apply_to_their_provider_and_workspace() {
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
            [
                ("shop", ClaimEffect::Revoke),
                ("team", ClaimEffect::Grant(Role::Author))
            ]
        );
    }
}
