//! Workspaces and their members.

pub mod store;

use traitql::{DateTime, Declares, Id, Internal, Throws};
use waypost_api::{Role, ThemeInput, errors};

use crate::{site, store::Conn, theme, tour};

/// How many members a workspace may have.
const MEMBERS_MAX: i32 = 200;

/// Whether a workspace still has an administrator after a member's role changes from `before` to `after`; none means that
/// the member leaves.
pub fn keeps_an_admin(before: Role, after: Option<Role>, admins: i32) -> bool {
    before != Role::Admin || after == Some(Role::Admin) || admins > 1
}

/// Whether one more member has room in a workspace.
pub async fn room<F: Declares<errors::LimitReached>>(conn: &mut Conn, workspace_id: &Id) -> Result<(), Throws<F>> {
    if store::members_count(conn, workspace_id).await? < MEMBERS_MAX {
        return Ok(());
    }
    Err(errors::LimitReached {
        limit: MEMBERS_MAX.to_string(),
        things: "members".to_owned(),
    }
    .into())
}

/// What a new workspace is made of.
pub struct Founding<'a> {
    /// Its name in addresses; no other workspace may have it.
    pub slug: &'a str,
    /// What people call it.
    pub name: &'a str,
    /// The account in whose name it is made.
    pub founder: &'a Id,
    /// What its default theme looks like.
    pub default_theme: ThemeInput,
    /// Origin of Waypost's own pages: the first workspace of an installation gets the site of these pages.
    pub own_origin: &'a str,
    /// The time of everything that is made with it.
    pub now: DateTime,
}

/// Gives a new workspace what none is without: a default theme and, if it is the first, Waypost's own site with the tour
/// that introduces Waypost.
pub async fn furnish(conn: &mut Conn, workspace_id: &Id, founding: Founding<'_>) -> Result<(), Internal> {
    let Founding { founder, now, .. } = founding;
    theme::store::insert(conn, workspace_id, &founding.default_theme, true, founder, now).await?;
    if store::count(conn.db()).await? > 1 {
        return Ok(());
    }
    let own = site::NewSite {
        name: "Waypost",
        key: site::new_key(),
        origins: vec![founding.own_origin.to_owned()],
        own: true,
        quiet_hours: site::usual_quiet_hours(),
    };
    let site_id = site::store::insert(conn, workspace_id, own, founder, now).await?;
    for prepared in tour::prepared::welcome() {
        tour::prepared::add(conn, prepared, workspace_id, &site_id, founder, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_administrator_stays() {
        assert!(!keeps_an_admin(Role::Admin, Some(Role::Author), 1));
        assert!(!keeps_an_admin(Role::Admin, None, 1));
        assert!(keeps_an_admin(Role::Admin, None, 2));
        assert!(keeps_an_admin(Role::Admin, Some(Role::Admin), 1));
        assert!(keeps_an_admin(Role::Viewer, None, 1));
    }
}
