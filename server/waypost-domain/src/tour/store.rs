//! SQL of tours.

use std::collections::HashMap;

use traitql::{DateTime, Id, Internal};
use waypost_api::{RevisionState, Tour, TourStatus};

use super::search_pattern;
use crate::store::{Conn, Constraint, Db, Query, Row, cursor::Place, json, new_id, scalar, sql};

/// Violated by a slug that another tour of the workspace has, archived or not.
pub const SLUG_KEY: Constraint = Constraint {
    name: "tours_slug_key",
    columns: "tours.workspace_id, tours.slug",
};

/// Which tours of a workspace are asked for.
pub struct Filter<'a> {
    /// The workspace whose tours are asked for.
    pub workspace_id: &'a Id,
    /// To be found anywhere in title or slug, in upper or lower case; none: any tour.
    pub search: Option<&'a str>,
    /// The status that they have at `now`; none: any, archived ones included.
    pub status: Option<TourStatus>,
    /// State of the open revision; none: any. FROZEN finds nothing.
    pub draft_state: Option<RevisionState>,
    /// Decides which releases are over by their schedule.
    pub now: DateTime,
}

/// The part of each statement that says which tours are found: parameters 1 to 5.
macro_rules! found {
    () => {
        "t.workspace_id = ?1
           and (?2 is null or lower(t.title) like ?2 escape '\\' or t.slug like ?2 escape '\\')
           and (?3 is null or ?3 = case
             when t.archived_at is not null then 'ARCHIVED'
             when exists (select 1 from releases l where l.tour_id = t.id and l.ended_at is null
               and (l.ends_at is null or l.ends_at > ?4) and l.paused_at is null) then 'LIVE'
             when exists (select 1 from releases l where l.tour_id = t.id and l.ended_at is null
               and (l.ends_at is null or l.ends_at > ?4)) then 'PAUSED'
             else 'DRAFT' end)
           and (?5 is null or exists (select 1 from revisions r
             where r.tour_id = t.id and r.state = 'DRAFT' and r.in_review = ?5))"
    };
}

impl Filter<'_> {
    fn bind(&self, query: Query) -> Query {
        query
            .bind(self.workspace_id.as_str())
            .bind(self.search.map(search_pattern))
            .bind(self.status.map(TourStatus::as_graphql))
            .bind(self.now.as_millis())
            .bind(self.draft_state.map(|state| match state {
                RevisionState::Draft => 0,
                RevisionState::InReview => 1,
                // No open revision is frozen.
                RevisionState::Frozen => -1,
            }))
    }
}

/// The tours of a filter below a place, the newest change first.
pub async fn page(conn: &mut Conn, filter: &Filter<'_>, below: &Place, limit: i32) -> Result<Vec<Tour>, Internal> {
    let statement = concat!(
        "select t.* from tours t where (t.updated_at, t.id) < (?6, ?7) and ",
        found!(),
        " order by t.updated_at desc, t.id desc limit ?8"
    );
    Ok(filter
        .bind(sql(statement))
        .bind(below.key)
        .bind(&below.id)
        .bind(limit)
        .try_map(tour)
        .fetch_all(conn)
        .await?)
}

/// How many tours a filter finds.
pub async fn count(conn: &mut Conn, filter: &Filter<'_>) -> Result<i32, Internal> {
    let statement = concat!("select count(*) as found from tours t where ", found!());
    let found = filter.bind(sql(statement)).try_map(|row: Row| row.int("found"));
    Ok(found.fetch_one(conn).await?)
}

/// The tour with this id, archived or not; `None` when there is none.
pub async fn by_id(db: Db<'_>, id: &Id) -> Result<Option<Tour>, Internal> {
    Ok(sql("select * from tours where id = ?")
        .bind(id.as_str())
        .try_map(tour)
        .fetch_optional(db)
        .await?)
}

/// The tours with these ids that are there, archived ones included, in no order.
pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Tour>, Internal> {
    Ok(sql("select * from tours where id in (select value from json_each(?))")
        .bind(json(&ids))
        .try_map(tour)
        .fetch_all(db)
        .await?)
}

/// The tour of a workspace with this slug, archived or not; `None` when there is none.
pub async fn by_slug(db: Db<'_>, workspace_id: &Id, slug: &str) -> Result<Option<Tour>, Internal> {
    Ok(sql("select * from tours where workspace_id = ? and slug = ?")
        .bind(workspace_id.as_str())
        .bind(slug)
        .try_map(tour)
        .fetch_optional(db)
        .await?)
}

/// The tour, as long as the account is a member of its workspace.
pub async fn for_member(db: Db<'_>, id: &Id, account: &Id) -> Result<Option<Tour>, Internal> {
    Ok(sql(
        "select t.* from tours t join members m on m.workspace_id = t.workspace_id
         where t.id = ? and m.account_id = ?",
    )
    .bind(id.as_str())
    .bind(account.as_str())
    .try_map(tour)
    .fetch_optional(db)
    .await?)
}

/// A tour and the name of the person who changed it last.
pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<(Tour, String), Internal> {
    let row = sql("select t.*, a.name as changer from tours t join accounts a on a.id = t.changed_by where t.id = ?")
        .bind(id.as_str())
        .fetch_one(conn)
        .await?;
    let changer = row.text("changer")?;
    Ok((tour(row)?, changer))
}

/// The tour of a comment; `None` when the comment was deleted after the caller's role was checked.
pub async fn of_comment(conn: &mut Conn, comment_id: &Id) -> Result<Option<Tour>, Internal> {
    Ok(
        sql("select t.* from comments c join tours t on t.id = c.tour_id where c.id = ?")
            .bind(comment_id.as_str())
            .try_map(tour)
            .fetch_optional(conn)
            .await?,
    )
}

/// How many tours a workspace has, archived ones included.
pub async fn count_all(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(scalar("select count(*) from tours where workspace_id = ?")
        .bind(workspace_id.as_str())
        .fetch_one(conn)
        .await?)
}

/// Fails with [`SLUG_KEY`] when the slug is taken.
pub async fn insert(
    conn: &mut Conn,
    workspace_id: &Id,
    slug: &str,
    title: &str,
    changer: &Id,
    now: DateTime,
) -> Result<Id, sqlx::Error> {
    let id = new_id();
    sql(
        "insert into tours (id, workspace_id, slug, title, created_at, updated_at, changed_by)
         values (?1, ?2, ?3, ?4, ?5, ?5, ?6)",
    )
    .bind(id.as_str())
    .bind(workspace_id.as_str())
    .bind(slug)
    .bind(title)
    .bind(now.as_millis())
    .bind(changer.as_str())
    .execute(conn)
    .await?;
    Ok(id)
}

/// Writes title, archival, time and version of a tour.
pub async fn update(conn: &mut Conn, tour: &Tour, changer: &Id) -> Result<(), Internal> {
    sql(
        "update tours set title = ?1, updated_at = ?2, version = ?3, changed_by = ?4,
           archived_at = case when ?5 = 1 then coalesce(archived_at, ?2) end
         where id = ?6",
    )
    .bind(&tour.title)
    .bind(tour.updated_at.as_millis())
    .bind(tour.version)
    .bind(changer.as_str())
    .bind(tour.archived)
    .bind(tour.id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that the tour's draft or releases changed.
pub async fn touched(conn: &mut Conn, id: &Id, now: DateTime) -> Result<(), Internal> {
    sql("update tours set updated_at = ? where id = ?")
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// Those of some tours that have releases which have not ended, and whether one of these is live.
pub async fn playing(db: Db<'_>, ids: &[Id], now: DateTime) -> Result<HashMap<Id, bool>, Internal> {
    let tours = sql(
        "select tour_id, max(case when paused_at is null then 1 else 0 end) as live from releases
         where ended_at is null and (ends_at is null or ends_at > ?2) and tour_id in (select value from json_each(?1))
         group by tour_id",
    )
    .bind(json(&ids))
    .bind(now.as_millis())
    .try_map(|row: Row| Ok((row.id("tour_id")?, row.flag("live")?)))
    .fetch_all(db)
    .await?;
    Ok(tours.into_iter().collect())
}

/// Names of the sites that a tour has a release on which has not ended.
pub async fn plays_on(conn: &mut Conn, id: &Id, now: DateTime) -> Result<Vec<String>, Internal> {
    Ok(scalar(
        "select s.name from releases l join sites s on s.id = l.site_id
         where l.tour_id = ? and l.ended_at is null and (l.ends_at is null or l.ends_at > ?)
         order by lower(s.name)",
    )
    .bind(id.as_str())
    .bind(now.as_millis())
    .fetch_all(conn)
    .await?)
}

fn tour(row: Row) -> Result<Tour, sqlx::Error> {
    Ok(Tour {
        id: row.id("id")?,
        slug: row.text("slug")?,
        title: row.text("title")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
        workspace_id: row.id("workspace_id")?,
        archived: row.time_opt("archived_at")?.is_some(),
    })
}
