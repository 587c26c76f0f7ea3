//! People of a site, for the members who look after its tours. How a visitor is recognised is in `run/participant.rs`.

pub mod store;

use traitql::Id;
use waypost_api::{Participant, errors};

/// Somebody who tests tours as a participant, while they are a member of the workspace.
pub struct Tester {
    pub(crate) account: Id,
    pub(crate) name: String,
}

/// Whether `caller` may make the participant their own: it is nobody else's.
pub fn free_for(tester: Option<&Tester>, caller: &Id) -> Result<(), errors::NotYourTestParticipant> {
    match tester {
        Some(tester) if tester.account != *caller => Err(errors::NotYourTestParticipant {
            person: tester.name.clone(),
        }),
        _ => Ok(()),
    }
}

/// Whether the participant is the caller's own.
pub fn own_of(tester: Option<&Tester>, caller: &Id) -> Result<(), errors::NotYourTestParticipant> {
    match tester {
        Some(tester) if tester.account == *caller => Ok(()),
        tester => Err(errors::NotYourTestParticipant {
            person: tester.map_or_else(|| "Nobody".to_owned(), |tester| tester.name.clone()),
        }),
    }
}

/// What the audit log calls a participant: by the id alone, which means nothing any more once the person is erased.
pub fn subject(participant: &Participant) -> String {
    format!("participant {}", participant.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_participant_is_one_members_own() {
        let (ada, bob): (Id, Id) = ("ada".into(), "bob".into());
        let tester = Tester {
            account: ada.clone(),
            name: "Ada".into(),
        };
        assert!(free_for(None, &ada).is_ok());
        assert!(free_for(Some(&tester), &ada).is_ok());
        assert_eq!(
            free_for(Some(&tester), &bob).err().map(|e| e.person).as_deref(),
            Some("Ada")
        );
        assert!(own_of(Some(&tester), &ada).is_ok());
        assert_eq!(
            own_of(Some(&tester), &bob).err().map(|e| e.person).as_deref(),
            Some("Ada")
        );
        assert_eq!(own_of(None, &bob).err().map(|e| e.person).as_deref(), Some("Nobody"));
    }
}
