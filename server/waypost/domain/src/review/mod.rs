//! Members comment on a revision, and request changes or approve it by releasing it.
//!
//! A revision in review cannot be changed, so that the reviewed content is the released content.

pub mod store;

use traitql::{Declares, Id, Throws};
use waypost_api::{Revision, RevisionState, Role, errors};

use crate::{access_token, account, store::Conn, workspace};

/// Fails if the revision is in review, because its content cannot be changed then.
pub fn ensure_not_in_review(open: &Revision) -> Result<(), errors::RevisionInReview> {
    match open.state {
        RevisionState::InReview => Err(errors::RevisionInReview {}),
        RevisionState::Draft | RevisionState::Frozen => Ok(()),
    }
}

/// Fails unless the revision is in review and an account other than its author releases it.
pub fn require_second_reviewer<F>(open: &Revision, releaser: &Id) -> Result<(), Throws<F>>
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

pub fn can_approve(role: Role) -> bool {
    role >= Role::Publisher
}

/// Returns the name of the chosen reviewer, who must be able to approve the revision, and must neither have written it
/// nor request the review.
pub async fn require_approver<F>(
    conn: &mut Conn,
    (workspace_id, revision): (&Id, &Revision),
    requester: &Id,
    reviewer: &Id,
) -> Result<String, Throws<F>>
where
    F: Declares<errors::ReviewerCannotApprove>,
{
    let member = workspace::store::member_of(conn, workspace_id, reviewer).await?;
    let is_involved = reviewer == requester || *reviewer == revision.author_id;
    let is_program = access_token::store::exists_for(conn.db(), reviewer).await?;
    if is_involved || is_program || !member.is_some_and(|member| can_approve(member.role)) {
        return Err(errors::ReviewerCannotApprove {}.into());
    }
    Ok(account::store::profile(conn, reviewer).await?.name)
}
