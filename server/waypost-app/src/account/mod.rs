//! Accounts: the people whom an identity provider has vouched for, and what its claims are worth here.

mod resolvers;
pub(crate) mod store;

use traitql::Principal;
use waypost_api::Role;

/// What a provider says about a person, refreshed at every sight.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Profile {
    pub(crate) name: String,
    pub(crate) email: Option<String>,
    pub(crate) email_verified: bool,
    pub(crate) picture: Option<String>,
}

impl Profile {
    /// What is known after a sight of the person. What the token does not say stays as it was: a provider whose userinfo
    /// endpoint is down for a minute must not take away a name. People without a name are shown by their address, and else
    /// by what the provider calls them.
    pub(crate) fn of(principal: &Principal, known: Option<&Self>) -> Self {
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

/// What a token says about roles here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It names no roles at all. Perhaps there are none, perhaps the provider could not be asked: that decides nothing.
    Silent,
    /// It names roles, the highest of ours among them, or none of ours.
    Says(Option<Role>),
}

impl Claim {
    /// Reads the roles of a token, in any spelling of upper and lower case.
    pub(crate) fn of(roles: &[String]) -> Self {
        if roles.is_empty() {
            return Self::Silent;
        }
        let ours = roles
            .iter()
            .filter_map(|role| Role::from_graphql(&role.to_ascii_uppercase()));
        Self::Says(ours.max())
    }

    /// Compares the claim with the one that was applied last: it counts when it changes.
    pub(crate) fn effect(self, applied: Option<Role>) -> ClaimEffect {
        match self {
            Self::Silent => ClaimEffect::Nothing,
            Self::Says(role) if role == applied => ClaimEffect::Nothing,
            Self::Says(Some(role)) => ClaimEffect::Give(role),
            Self::Says(None) => ClaimEffect::Take,
        }
    }
}

/// What a claim does to a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimEffect {
    /// What administrators decided since the last claim stands.
    Nothing,
    /// The provider grants a role, new or other than before.
    Give(Role),
    /// The provider has taken back what it granted.
    Take,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::principal;

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

    fn claim(roles: &[&str]) -> Claim {
        Claim::of(&roles.iter().map(|role| (*role).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_highest_claimed_role_counts_in_any_case() {
        assert_eq!(
            claim(&["viewer", "Publisher", "staff"]),
            Claim::Says(Some(Role::Publisher))
        );
        assert_eq!(claim(&["ADMINS", "owner"]), Claim::Says(None));
        assert_eq!(claim(&[]), Claim::Silent);
    }

    #[test]
    fn a_claim_counts_when_it_changes() {
        use ClaimEffect::*;
        let author = Some(Role::Author);
        assert_eq!(claim(&["author"]).effect(None), Give(Role::Author));
        assert_eq!(claim(&["author"]).effect(author), Nothing);
        assert_eq!(claim(&["viewer"]).effect(author), Give(Role::Viewer));
        assert_eq!(claim(&["staff"]).effect(author), Take);
        assert_eq!(claim(&["staff"]).effect(None), Nothing);
        assert_eq!(claim(&[]).effect(author), Nothing, "silence takes nothing away");
    }
}
