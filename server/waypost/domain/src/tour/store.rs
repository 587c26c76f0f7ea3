use std::collections::{BTreeSet, HashMap};

use traitql::{DateTime, Id, Internal};
use waypost_api::{ReleaseState, RevisionState, Tour, TourActivity, TourOrder, TourStatus};

use super::search_pattern;
use crate::clock::DAY_MS;
use crate::insights::share;
use crate::store::{Conn, Constraint, Db, ForChange, Query, Row, cursor::Cursor, json, new_id, scalar, sql};

pub const SLUG_KEY: Constraint = Constraint {
    name: "tours_slug_key",
    columns: "tours.workspace_id, tours.slug",
};

pub struct Filter<'a> {
    pub workspace_id: &'a Id,
    /// Case-insensitive part of the title or slug.
    pub search: Option<&'a str>,
    /// The status of the tours; `None` selects all, including archived ones.
    pub status: Option<TourStatus>,
    /// FROZEN matches no tour.
    pub draft_state: Option<RevisionState>,
    /// The site of a release that has not ended.
    pub site_id: Option<&'a Id>,
    /// False omits tours whose releases that have not ended are all on Waypost's own site.
    pub built_in: bool,
    /// Decides which releases have ended by their schedule.
    pub now: DateTime,
}

/// Condition for the tours of a filter, with parameters 1 to 7.
macro_rules! matches_filter {
    () => {
        "t.workspace_id = ?1
           and (?2 is null or lower(t.title) like ?2 escape '\\' or t.slug like ?2 escape '\\')
           and (?3 is null or ?3 = case
             when t.archived_at is not null then 'ARCHIVED'
             when exists (select 1 from releases l where l.tour_id = t.id and l.ended_at is null
               and (l.ends_at is null or l.ends_at > ?4) and l.paused_at is null) then 'LIVE'
             when exists (select 1 from releases l where l.tour_id = t.id and l.ended_at is null
               and (l.ends_at is null or l.ends_at > ?4)) then 'PAUSED'
             when exists (select 1 from releases l where l.tour_id = t.id) then 'STOPPED'
             else 'DRAFT' end)
           and (?5 is null or exists (select 1 from revisions r
             where r.tour_id = t.id and r.state = 'DRAFT' and r.in_review = ?5))
           and (?6 is null or exists (select 1 from releases l where l.tour_id = t.id and l.site_id = ?6
             and l.ended_at is null and (l.ends_at is null or l.ends_at > ?4)))
           and (?7 = 1 or coalesce((select min(s.own) from releases l join sites s on s.id = l.site_id
             where l.tour_id = t.id and l.ended_at is null and (l.ends_at is null or l.ends_at > ?4)), 0) = 0)"
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
                // A draft is never frozen, so this matches no tour.
                RevisionState::Frozen => -1,
            }))
            .bind(self.site_id.map(Id::as_str))
            .bind(self.built_in)
    }
}

/// A page of the tours in descending order of a number, with the cursor in the parameters 8 and 9 and the limit in 10.
macro_rules! page_by {
    ($key:literal, $counts:expr) => {
        concat!(
            "select t.*, ",
            $key,
            " as sort_key from tours t ",
            $counts,
            " where (",
            $key,
            ", t.id) < (?8, ?9) and ",
            matches_filter!(),
            " order by sort_key desc, t.id desc limit ?10"
        )
    };
    ($key:literal) => {
        page_by!($key, "")
    };
}

/// The runs of each tour since the day in parameter 11, on the site of the filter.
macro_rules! counts {
    () => {
        "left join (
           select d.tour_id, sum(d.started) as started, sum(d.completed) as completed
           from tours x join tour_days d on d.tour_id = x.id
           where x.workspace_id = ?1 and d.day > ?11 and (?6 is null or d.site_id = ?6)
           group by d.tour_id
         ) c on c.tour_id = t.id"
    };
}

/// A page of the tours by title. The cursor has only an id, because a title is no number.
macro_rules! page_by_title {
    ($comparison:literal, $direction:literal) => {
        concat!(
            "select t.*, 0 as sort_key from tours t
             where (?8 = '' or (lower(t.title), t.id) ",
            $comparison,
            " (select lower(a.title), a.id from tours a where a.id = ?8)) and ",
            matches_filter!(),
            " order by lower(t.title) ",
            $direction,
            ", t.id ",
            $direction,
            " limit ?9"
        )
    };
}

/// Returns each tour with the number of its cursor.
pub async fn page(
    conn: &mut Conn,
    filter: &Filter<'_>,
    (order, reverse): (TourOrder, bool),
    after: &Cursor,
    limit: i32,
) -> Result<Vec<(Tour, i64)>, Internal> {
    let statement = match (order, reverse) {
        (TourOrder::Changed, false) => page_by!("t.updated_at"),
        (TourOrder::Changed, true) => page_by!("-t.updated_at"),
        (TourOrder::Title, false) => page_by_title!(">", "asc"),
        (TourOrder::Title, true) => page_by_title!("<", "desc"),
        (TourOrder::Runs, false) => page_by!("coalesce(c.started, 0)", counts!()),
        (TourOrder::Runs, true) => page_by!("-coalesce(c.started, 0)", counts!()),
        // In millionths; tours without runs follow the lowest rate.
        (TourOrder::Completion, false) => page_by!(
            "case when c.started > 0 then c.completed * 1000000 / c.started else -1 end",
            counts!()
        ),
        (TourOrder::Completion, true) => page_by!(
            "case when c.started > 0 then -(c.completed * 1000000 / c.started) else -1000001 end",
            counts!()
        ),
    };
    let query = filter.bind(sql(statement));
    let query = match order {
        TourOrder::Title => query.bind(&after.id).bind(limit),
        TourOrder::Changed => query.bind(after.key).bind(&after.id).bind(limit),
        TourOrder::Runs | TourOrder::Completion => query
            .bind(after.key)
            .bind(&after.id)
            .bind(limit)
            .bind(first_active_day(filter.now) - 1),
    };
    Ok(query
        .try_map(|row: Row| {
            let key = row.long("sort_key")?;
            Ok((tour(row)?, key))
        })
        .fetch_all(conn)
        .await?)
}

/// `Tour.activity` counts this many days, including today.
const ACTIVITY_DAYS: i64 = 30;

fn first_active_day(now: DateTime) -> i64 {
    now.as_millis() / DAY_MS - (ACTIVITY_DAYS - 1)
}

/// Omits tours without runs.
pub async fn activities(
    db: Db<'_>,
    ids: &[Id],
    site_id: Option<&Id>,
    now: DateTime,
) -> Result<HashMap<Id, TourActivity>, Internal> {
    let activities = sql(
        "select tour_id, sum(started) as started, sum(completed) as completed from tour_days
         where tour_id in (select value from json_each(?1)) and day >= ?2 and (?3 is null or site_id = ?3)
         group by tour_id",
    )
    .bind(json(&ids))
    .bind(first_active_day(now))
    .bind(site_id.map(Id::as_str))
    .try_map(|row: Row| {
        let (started, completed) = (row.int("started")?, row.int("completed")?);
        let activity = TourActivity {
            started,
            completed,
            completion_rate: share(completed, started),
        };
        Ok((row.id("tour_id")?, activity))
    })
    .fetch_all(db)
    .await?;
    Ok(activities.into_iter().collect())
}

pub async fn count(conn: &mut Conn, filter: &Filter<'_>) -> Result<i32, Internal> {
    let statement = concat!("select count(*) as found from tours t where ", matches_filter!());
    let found = filter.bind(sql(statement)).try_map(|row: Row| row.int("found"));
    Ok(found.fetch_one(conn).await?)
}

/// Finds archived tours, too.
pub async fn by_id(db: Db<'_>, id: &Id) -> Result<Option<Tour>, Internal> {
    Ok(sql("select * from tours where id = ?")
        .bind(id.as_str())
        .try_map(tour)
        .fetch_optional(db)
        .await?)
}

/// Returns the tours with these ids, including archived ones.
pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Tour>, Internal> {
    Ok(sql("select * from tours where id in (select value from json_each(?))")
        .bind(json(&ids))
        .try_map(tour)
        .fetch_all(db)
        .await?)
}

/// Returns the tour with this slug, also if it is archived.
pub async fn by_slug(db: Db<'_>, workspace_id: &Id, slug: &str) -> Result<Option<Tour>, Internal> {
    Ok(sql("select * from tours where workspace_id = ? and slug = ?")
        .bind(workspace_id.as_str())
        .bind(slug)
        .try_map(tour)
        .fetch_optional(db)
        .await?)
}

pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<ForChange<Tour>, Internal> {
    let row = sql("select t.*, a.name as changer from tours t join accounts a on a.id = t.changed_by where t.id = ?")
        .bind(id.as_str())
        .fetch_one(conn)
        .await?;
    Ok(ForChange {
        changed_by: row.text("changer")?,
        row: tour(row)?,
    })
}

/// Returns `None` if the comment was deleted after the role check.
pub async fn of_comment(conn: &mut Conn, comment_id: &Id) -> Result<Option<Tour>, Internal> {
    Ok(
        sql("select t.* from comments c join tours t on t.id = c.tour_id where c.id = ?")
            .bind(comment_id.as_str())
            .try_map(tour)
            .fetch_optional(conn)
            .await?,
    )
}

/// Counts all tours, including archived ones.
pub async fn count_all(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(scalar("select count(*) from tours where workspace_id = ?")
        .bind(workspace_id.as_str())
        .fetch_one(conn)
        .await?)
}

pub async fn count_known(conn: &mut Conn, workspace_id: &Id, ids: &BTreeSet<&Id>) -> Result<usize, Internal> {
    let count: i32 =
        scalar("select count(*) from tours where workspace_id = ? and id in (select value from json_each(?))")
            .bind(workspace_id.as_str())
            .bind(json(ids))
            .fetch_one(conn)
            .await?;
    Ok(usize::try_from(count).unwrap_or_default())
}

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

/// Must be called after a change of the draft or the releases.
pub async fn touched(conn: &mut Conn, id: &Id, now: DateTime) -> Result<(), Internal> {
    sql("update tours set updated_at = ? where id = ?")
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// Maps released tours to the state of their releases together, see [`status`](super::status).
pub async fn release_states(db: Db<'_>, ids: &[Id], now: DateTime) -> Result<HashMap<Id, ReleaseState>, Internal> {
    let tours = sql(
        "select tour_id, max(case when ended_at is not null or ends_at <= ?2 then 0
             when paused_at is not null then 1 else 2 end) as state
         from releases where tour_id in (select value from json_each(?1)) group by tour_id",
    )
    .bind(json(&ids))
    .bind(now.as_millis())
    .try_map(|row: Row| {
        let state = match row.int("state")? {
            0 => ReleaseState::Ended,
            1 => ReleaseState::Paused,
            _ => ReleaseState::Live,
        };
        Ok((row.id("tour_id")?, state))
    })
    .fetch_all(db)
    .await?;
    Ok(tours.into_iter().collect())
}

/// Missing elements count for this time.
const MISSING_DAYS: i64 = 7;

/// A step of a live release that missed its element in at least as many runs and attempts as saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingElement {
    pub site_id: Id,
    pub site: String,
    pub tour_id: Id,
    pub revision_id: Id,
    /// The index in the revision.
    pub step: usize,
    pub missing: i32,
    pub seen: i32,
}

/// The missing elements of the releases whose column is in the JSON array ?1.
macro_rules! missing_elements {
    ($column:literal) => {
        concat!(
            "select l.site_id, p.name as site, l.tour_id, l.revision_id, s.step,
               sum(s.missing + s.not_found) as missing, sum(s.seen) as seen
             from releases l join sites p on p.id = l.site_id
             join tour_days d on d.tour_id = l.tour_id and d.site_id = l.site_id and d.revision_id = l.revision_id
             join step_days s on s.tour_day_id = d.id
             where ",
            $column,
            " in (select value from json_each(?1)) and l.ended_at is null and l.paused_at is null
               and (l.ends_at is null or l.ends_at > ?2) and d.day > ?3
             group by l.site_id, p.name, l.tour_id, l.revision_id, s.step
             having sum(s.missing + s.not_found) > 0 and sum(s.missing + s.not_found) >= sum(s.seen)
             order by lower(p.name), l.site_id, l.tour_id, s.step"
        )
    };
}

pub async fn missing_elements_on_sites(
    db: Db<'_>,
    site_ids: &[Id],
    now: DateTime,
) -> Result<Vec<MissingElement>, Internal> {
    missing_elements(db, missing_elements!("l.site_id"), site_ids, now).await
}

pub async fn missing_elements_of_tours(
    db: Db<'_>,
    tour_ids: &[Id],
    now: DateTime,
) -> Result<Vec<MissingElement>, Internal> {
    missing_elements(db, missing_elements!("l.tour_id"), tour_ids, now).await
}

async fn missing_elements(
    db: Db<'_>,
    statement: &'static str,
    ids: &[Id],
    now: DateTime,
) -> Result<Vec<MissingElement>, Internal> {
    Ok(sql(statement)
        .bind(json(&ids))
        .bind(now.as_millis())
        .bind(now.as_millis() / DAY_MS - MISSING_DAYS)
        .try_map(|row: Row| {
            Ok(MissingElement {
                site_id: row.id("site_id")?,
                site: row.text("site")?,
                tour_id: row.id("tour_id")?,
                revision_id: row.id("revision_id")?,
                step: usize::try_from(row.int("step")?).unwrap_or(usize::MAX),
                missing: row.int("missing")?,
                seen: row.int("seen")?,
            })
        })
        .fetch_all(db)
        .await?)
}

pub async fn open_release_sites(conn: &mut Conn, id: &Id, now: DateTime) -> Result<Vec<String>, Internal> {
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
