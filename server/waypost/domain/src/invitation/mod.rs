//! Links that make an account a member, even before its first sign-in.
//!
//! The accepting account must have the invited e-mail address, verified by the identity provider. An invitation
//! belongs to the administrator who created it or its latest link, and is revoked when that account is no longer an
//! administrator.

pub mod store;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use traitql::{DateTime, Declares, Throws};
use waypost_api::{InvitationState, errors};

use self::store::InvitationDetails;
use crate::account::Profile;

/// Counts invitations that are neither accepted nor revoked.
pub const MAX_OPEN_INVITATIONS: i32 = 50;

const DAY: i64 = 24 * 60 * 60 * 1000;

pub fn new_token() -> String {
    let random = || uuid::Uuid::new_v4().simple();
    format!("{}{}", random(), random())
}

/// Returns the stored hash of a secret. A long random secret needs neither a salt nor a slow hash.
pub fn hash(token: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(token))
}

pub fn expiry(now: DateTime, days: i32) -> DateTime {
    DateTime::from_millis(now.as_millis() + i64::from(days) * DAY).unwrap_or(now)
}

pub fn ensure_acceptable<F>(found: &InvitationDetails, profile: &Profile) -> Result<(), Throws<F>>
where
    F: Declares<errors::InvitationUsed>
        + Declares<errors::InvitationRevoked>
        + Declares<errors::InvitationExpired>
        + Declares<errors::InvitationForAnother>
        + Declares<errors::EmailUnverified>,
{
    match found.invitation.state {
        InvitationState::Pending => {}
        InvitationState::Accepted => return Err(errors::InvitationUsed {}.into()),
        InvitationState::Revoked => return Err(errors::InvitationRevoked {}.into()),
        InvitationState::Expired => {
            let person = found.by_name.clone();
            return Err(errors::InvitationExpired { person }.into());
        }
    }
    let invited = &found.invitation.email;
    match &profile.email {
        Some(own) if !own.eq_ignore_ascii_case(invited) => Err(for_another(invited).into()),
        None => Err(for_another(invited).into()),
        Some(own) if !profile.email_verified => Err(errors::EmailUnverified { email: own.clone() }.into()),
        Some(_) => Ok(()),
    }
}

/// Returns the error for an account with another address, which it contains in a form that only its owner recognizes.
fn for_another(invited: &str) -> errors::InvitationForAnother {
    let (name, host) = invited.split_once('@').unwrap_or((invited, ""));
    let begin: String = name.chars().take(1).collect();
    errors::InvitationForAnother {
        email: format!("{begin}…@{host}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_unique() {
        let tokens = [new_token(), new_token()];
        assert!(tokens.iter().all(|token| token.len() == 64), "{tokens:?}");
        assert_ne!(tokens[0], tokens[1]);
        assert_ne!(hash(&tokens[0]), hash(&tokens[1]));
        assert!(!hash(&tokens[0]).contains(&tokens[0]));
    }

    #[test]
    fn an_address_is_abbreviated_for_others() {
        assert_eq!(for_another("grace@example.com").email, "g…@example.com");
        assert_eq!(for_another("ädne@example.com").email, "ä…@example.com");
        assert_eq!(for_another("nothing").email, "n…@");
    }

    #[test]
    fn an_invitation_expires_after_whole_days() {
        let now = DateTime::from_millis(1_793_871_000_000).expect("a time");
        assert_eq!(expiry(now, 7).as_millis() - now.as_millis(), 7 * 86_400_000);
    }
}
