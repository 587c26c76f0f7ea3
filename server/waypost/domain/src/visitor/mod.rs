//! `run/identity.rs` identifies visitors.

pub mod export;
pub mod identity;
pub mod presence;
pub mod removal;
pub mod store;
pub mod traits;
pub mod visitors;

use traitql::Id;
use waypost_api::{Visitor, errors};

pub struct Tester {
    pub(crate) account: Id,
    pub(crate) name: String,
}

/// Fails if the visitor is another member's test user.
pub fn ensure_available(tester: Option<&Tester>, caller: &Id) -> Result<(), errors::NotYourTestUser> {
    match tester {
        Some(tester) if tester.account != *caller => Err(errors::NotYourTestUser {
            person: tester.name.clone(),
        }),
        _ => Ok(()),
    }
}

/// Returns the subject of audit entries about a visitor: the id, which refers to nothing after an erasure.
pub fn subject(visitor: &Visitor) -> &str {
    visitor.id.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_user_belongs_to_one_member() {
        let (ada, bob): (Id, Id) = ("ada".into(), "bob".into());
        let tester = Tester {
            account: ada.clone(),
            name: "Ada".into(),
        };
        assert!(ensure_available(None, &ada).is_ok());
        assert!(ensure_available(Some(&tester), &ada).is_ok());
        assert_eq!(
            ensure_available(Some(&tester), &bob).err().map(|e| e.person).as_deref(),
            Some("Ada")
        );
    }
}
