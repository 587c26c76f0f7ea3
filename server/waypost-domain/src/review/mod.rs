//! Reviews: others look at a revision before it is released, say what they think, and return or release it.
//!
//! A revision in review is not changed: what was looked at is what is released. Who wants to go on writing makes it a draft
//! again, which ends the review.

pub mod store;

use traitql::{Declares, Id, Throws};
use waypost_api::{Revision, RevisionState, errors};

/// A revision in review stays as it is.
pub fn writable(open: &Revision) -> Result<(), errors::RevisionInReview> {
    match open.state {
        RevisionState::InReview => Err(errors::RevisionInReview {}),
        RevisionState::Draft | RevisionState::Frozen => Ok(()),
    }
}

/// What a workspace that requires reviews asks of a release: that the revision is in review, and that somebody other than its
/// author releases it. So two people at least have seen it.
pub fn second_look<F>(open: &Revision, releaser: &Id) -> Result<(), Throws<F>>
where
    F: Declares<errors::ReviewRequired> + Declares<errors::RevisionIsYours>,
{
    if open.state == RevisionState::Draft {
        return Err(errors::ReviewRequired {}.into());
    }
    if open.author_id == *releaser {
        return Err(errors::RevisionIsYours {}.into());
    }
    Ok(())
}
