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
    /// People are shown by a name; without one, by their address, and else by what the provider calls them.
    pub(crate) fn of(principal: &Principal) -> Self {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let email = said(&principal.email);
        Self {
            name: said(&principal.name)
                .or_else(|| email.clone())
                .unwrap_or_else(|| principal.subject.clone()),
            email_verified: email.is_some() && principal.email_verified,
            email,
            picture: said(&principal.picture).filter(|picture| picture.parse::<traitql::Url>().is_ok()),
        }
    }
}

/// The highest of our roles among the claims, in any spelling of upper and lower case.
pub(crate) fn claimed_role(claims: &[String]) -> Option<Role> {
    claims
        .iter()
        .filter_map(|claim| Role::from_graphql(&claim.to_ascii_uppercase()))
        .max()
}

/// What a claim does to a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimEffect {
    /// The claim is the one that was applied before: what administrators decided since then stands.
    Nothing,
    /// The provider grants a role, new or other than before.
    Give(Role),
    /// The provider has taken back what it granted.
    Take,
}

/// Compares the claim with the one that was applied last.
pub(crate) fn claim_effect(applied: Option<Role>, claimed: Option<Role>) -> ClaimEffect {
    match (applied, claimed) {
        (before, after) if before == after => ClaimEffect::Nothing,
        (_, Some(role)) => ClaimEffect::Give(role),
        (_, None) => ClaimEffect::Take,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::principal;

    #[test]
    fn a_person_without_a_name_is_shown_by_address_or_subject() {
        let mut principal = principal("ada");
        assert_eq!(Profile::of(&principal).name, "ada");
        principal.name = Some("  ".into());
        assert_eq!(Profile::of(&principal).name, "ada@example.com");
        principal.email = None;
        assert_eq!(Profile::of(&principal).name, "ada");
        assert!(!Profile::of(&principal).email_verified, "no address can be verified");
    }

    #[test]
    fn a_picture_must_be_a_web_address() {
        let mut principal = principal("ada");
        principal.picture = Some("javascript:alert(1)".into());
        assert_eq!(Profile::of(&principal).picture, None);
    }

    #[test]
    fn the_highest_claimed_role_counts_in_any_case() {
        let claims = |list: &[&str]| list.iter().map(|claim| (*claim).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            claimed_role(&claims(&["viewer", "Publisher", "staff"])),
            Some(Role::Publisher)
        );
        assert_eq!(claimed_role(&claims(&["ADMINS", "owner"])), None);
    }

    #[test]
    fn a_claim_counts_when_it_changes() {
        use ClaimEffect::*;
        assert_eq!(claim_effect(None, None), Nothing);
        assert_eq!(claim_effect(None, Some(Role::Author)), Give(Role::Author));
        assert_eq!(claim_effect(Some(Role::Author), Some(Role::Author)), Nothing);
        assert_eq!(claim_effect(Some(Role::Author), Some(Role::Viewer)), Give(Role::Viewer));
        assert_eq!(claim_effect(Some(Role::Author), None), Take);
    }
}
