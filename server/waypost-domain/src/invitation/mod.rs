//! Invitations: links that let people in who need not have signed in yet.
//!
//! A link holds a secret, of which only a hash is kept. It is not enough to have it: whoever accepts must be signed in with the
//! address that was invited, verified by the identity provider. An invitation speaks for the administrator who made it or
//! its latest link, and ends when they are no administrator any more.

pub mod store;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use traitql::{DateTime, Declares, Id, Internal, Throws};
use waypost_api::{InvitationState, Member, Role, errors};

use self::store::{Found, Group};
use crate::{account::Profile, store::Conn};

/// How many invitations of a workspace may be neither accepted nor revoked.
pub const OPEN_MAX: i32 = 50;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// The secret of a link: 244 random bits.
pub fn new_token() -> String {
    let random = || uuid::Uuid::new_v4().simple();
    format!("{}{}", random(), random())
}

/// What is kept of a secret. One that is random and long needs neither salt nor a slow hash.
pub fn hash(token: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(token))
}

/// When an invitation that begins now is over.
pub fn end_of(now: DateTime, days: i32) -> DateTime {
    DateTime::from_millis(now.as_millis() + i64::from(days) * DAY).unwrap_or(now)
}

/// Whether a person may accept an invitation.
pub fn acceptable<F>(found: &Found, person: &Profile) -> Result<(), Throws<F>>
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
    match &person.email {
        Some(own) if !own.eq_ignore_ascii_case(invited) => Err(for_another(invited).into()),
        None => Err(for_another(invited).into()),
        Some(own) if !person.email_verified => Err(errors::EmailUnverified { email: own.clone() }.into()),
        Some(_) => Ok(()),
    }
}

/// Whoever has the address knows it by its beginning; whoever found the link need not learn it.
fn for_another(invited: &str) -> errors::InvitationForAnother {
    let (name, host) = invited.split_once('@').unwrap_or((invited, ""));
    let begin: String = name.chars().take(1).collect();
    errors::InvitationForAnother {
        email: format!("{begin}…@{host}"),
    }
}

/// Takes back what an administrator has offered who leaves or gets another role. Answers with how many invitations that were.
pub(crate) async fn withdraw(
    conn: &mut Conn,
    member: &Member,
    after: Option<Role>,
    by: &Id,
    now: DateTime,
) -> Result<u64, Internal> {
    if after == Some(Role::Admin) {
        return Ok(0);
    }
    let group = Group::Of(&member.account_id);
    store::revoke_all(conn, &member.workspace_id, group, by, now).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_long_and_another_each_time() {
        let tokens = [new_token(), new_token()];
        assert!(tokens.iter().all(|token| token.len() == 64), "{tokens:?}");
        assert_ne!(tokens[0], tokens[1]);
        assert_ne!(hash(&tokens[0]), hash(&tokens[1]));
        assert!(!hash(&tokens[0]).contains(&tokens[0]));
    }

    #[test]
    fn of_an_address_strangers_see_no_more_than_its_owner_needs() {
        assert_eq!(for_another("grace@example.com").email, "g…@example.com");
        assert_eq!(for_another("ädne@example.com").email, "ä…@example.com");
        assert_eq!(for_another("nothing").email, "n…@");
    }

    #[test]
    fn an_invitation_lasts_for_whole_days() {
        let now = DateTime::from_millis(1_793_871_000_000).expect("a time");
        assert_eq!(end_of(now, 7).as_millis() - now.as_millis(), 7 * 86_400_000);
    }
}
