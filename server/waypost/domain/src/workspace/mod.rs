pub mod deletion;
pub mod store;

use traitql::{DateTime, Declares, Id, Internal, Throws};
use waypost_api::{Role, ThemeInput, errors};

use crate::{site, store::Conn, theme, tour};

pub const MAX_MEMBERS: i32 = 200;

/// True if a workspace with `admins` administrators keeps one after a member's role changes from `before` to `after`.
/// `None` means that the member leaves.
pub fn keeps_an_admin(before: Role, after: Option<Role>, admins: i32) -> bool {
    before != Role::Admin || after == Some(Role::Admin) || admins > 1
}

pub async fn ensure_member_capacity<F: Declares<errors::LimitReached>>(
    conn: &mut Conn,
    workspace_id: &Id,
) -> Result<(), Throws<F>> {
    if has_member_capacity(conn, workspace_id).await? {
        return Ok(());
    }
    Err(errors::LimitReached {
        limit: MAX_MEMBERS.to_string(),
        things: "members".to_owned(),
    }
    .into())
}

pub async fn has_member_capacity(conn: &mut Conn, workspace_id: &Id) -> Result<bool, Internal> {
    Ok(store::members_count(conn, workspace_id).await? < MAX_MEMBERS)
}

pub struct NewWorkspace<'a> {
    pub slug: &'a str,
    pub name: &'a str,
    pub creator: &'a Id,
    pub default_theme: ThemeInput,
    /// One workspace of an installation has a site for these pages.
    pub own_origin: &'a str,
    pub now: DateTime,
}

/// Creates Waypost's own site, too, unless another workspace has it.
pub async fn seed_workspace(conn: &mut Conn, workspace_id: &Id, new: NewWorkspace<'_>) -> Result<(), Internal> {
    let NewWorkspace { creator, now, .. } = new;
    theme::store::insert(conn, workspace_id, &new.default_theme, true, creator, now).await?;
    if site::store::own_key(conn.db()).await?.is_some() {
        return Ok(());
    }
    seed_own_site(conn, workspace_id, creator, new.own_origin, now).await
}

/// Omits the welcome tour if its slug is taken.
pub(crate) async fn seed_own_site(
    conn: &mut Conn,
    workspace_id: &Id,
    creator: &Id,
    own_origin: &str,
    now: DateTime,
) -> Result<(), Internal> {
    let own = site::NewSite {
        name: "Waypost",
        key: site::new_key(),
        origins: vec![own_origin.to_owned()],
        own: true,
        allow_http: false,
        cooldown_hours: site::default_cooldown_hours(),
    };
    let site_id = site::store::insert(conn, workspace_id, own, creator, now).await?;
    for built_in in tour::built_in::welcome_tours() {
        let taken = tour::store::by_slug(conn.db(), workspace_id, &built_in.slug).await?;
        if taken.is_none() {
            tour::built_in::add(conn, built_in, workspace_id, &site_id, creator, now).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_administrator_cannot_leave_or_be_demoted() {
        assert!(!keeps_an_admin(Role::Admin, Some(Role::Author), 1));
        assert!(!keeps_an_admin(Role::Admin, None, 1));
        assert!(keeps_an_admin(Role::Admin, None, 2));
        assert!(keeps_an_admin(Role::Admin, Some(Role::Admin), 1));
        assert!(keeps_an_admin(Role::Viewer, None, 1));
    }
}
