use std::sync::Arc;

use traitql::{DateTime, Id, Internal};
use waypost_api::{Revision, RevisionState, StartRule, Step};

use super::{
    content::Content,
    stored::{StoredStart, StoredStep},
};
use crate::store::{Conn, Db, ForChange, Row, cursor::Cursor, json, new_id, scalar, sql};

impl From<&Revision> for Content {
    fn from(revision: &Revision) -> Self {
        Self {
            steps: revision.steps.clone(),
            start: revision.start.clone(),
            theme_id: revision.theme_id.clone(),
            locales: revision.locales.clone(),
        }
    }
}

/// Returns the open revisions, including those in review.
pub async fn drafts(db: Db<'_>, tours: &[Id]) -> Result<Vec<Revision>, Internal> {
    Ok(sql(
        "select r.*, t.workspace_id from revisions r join tours t on t.id = r.tour_id
         where r.state = 'DRAFT' and r.tour_id in (select value from json_each(?))",
    )
    .bind(json(&tours))
    .try_map(revision)
    .fetch_all(db)
    .await?)
}

pub async fn newest(db: Db<'_>, tours: &[Id]) -> Result<Vec<Revision>, Internal> {
    Ok(sql("select r.*, t.workspace_id from revisions d
         join revisions r on r.tour_id = d.tour_id and r.number >= d.number - 1
         join tours t on t.id = r.tour_id
         where d.state = 'DRAFT' and d.tour_id in (select value from json_each(?))")
    .bind(json(&tours))
    .try_map(revision)
    .fetch_all(db)
    .await?)
}

/// Skips tours without one.
pub async fn released(db: Db<'_>, tours: &[Id]) -> Result<Vec<Revision>, Internal> {
    Ok(sql("select r.*, t.workspace_id from revisions d
         join revisions r on r.tour_id = d.tour_id and r.number = d.number - 1
         join tours t on t.id = r.tour_id
         where d.state = 'DRAFT' and d.tour_id in (select value from json_each(?))")
    .bind(json(&tours))
    .try_map(revision)
    .fetch_all(db)
    .await?)
}

pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Revision>, Internal> {
    Ok(sql(
        "select r.*, t.workspace_id from revisions r join tours t on t.id = r.tour_id
         where r.id in (select value from json_each(?))",
    )
    .bind(json(&ids))
    .try_map(revision)
    .fetch_all(db)
    .await?)
}

pub async fn pages(db: Db<'_>, tours: &[Id], after: &Cursor, limit: i32) -> Result<Vec<Revision>, Internal> {
    Ok(sql("select * from (
           select r.*, t.workspace_id, row_number() over (partition by r.tour_id order by r.number desc) as place
           from revisions r join tours t on t.id = r.tour_id
           where r.tour_id in (select value from json_each(?1)) and r.number < ?2
         ) r where place <= ?3 order by tour_id, number desc")
    .bind(json(&tours))
    .bind(after.key)
    .bind(limit)
    .try_map(revision)
    .fetch_all(db)
    .await?)
}

pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<ForChange<Revision>, Internal> {
    let row = sql("select r.*, t.workspace_id, a.name as author from revisions r
         join tours t on t.id = r.tour_id join accounts a on a.id = r.author_id where r.id = ?")
    .bind(id.as_str())
    .fetch_one(conn)
    .await?;
    Ok(ForChange {
        changed_by: row.text("author")?,
        row: revision(row)?,
    })
}

pub async fn draft(conn: &mut Conn, tour_id: &Id) -> Result<ForChange<Revision>, Internal> {
    let row = sql("select r.*, t.workspace_id, a.name as author from revisions r
         join tours t on t.id = r.tour_id join accounts a on a.id = r.author_id
         where r.state = 'DRAFT' and r.tour_id = ?")
    .bind(tour_id.as_str())
    .fetch_one(conn)
    .await?;
    Ok(ForChange {
        changed_by: row.text("author")?,
        row: revision(row)?,
    })
}

pub async fn number(conn: &mut Conn, id: &Id) -> Result<i32, Internal> {
    Ok(scalar("select number from revisions where id = ?")
        .bind(id.as_str())
        .fetch_one(conn)
        .await?)
}

pub async fn insert_draft(
    conn: &mut Conn,
    tour_id: &Id,
    number: i32,
    version: i32,
    content: &Content,
    author: &Id,
    now: DateTime,
) -> Result<Id, Internal> {
    let id = new_id();
    sql(
        "insert into revisions (id, tour_id, number, state, steps, start, theme_id, locales, author_id, updated_at, version)
         values (?, ?, ?, 'DRAFT', ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(id.as_str())
    .bind(tour_id.as_str())
    .bind(number)
    .bind(stored_steps(&content.steps))
    .bind(stored_start(&content.start))
    .bind(content.theme_id.as_ref().map(Id::as_str))
    .bind(json(&content.locales))
    .bind(author.as_str())
    .bind(now.as_millis())
    .bind(version)
    .execute(conn)
    .await?;
    Ok(id)
}

pub async fn save(conn: &mut Conn, draft: &Revision) -> Result<(), Internal> {
    sql(
        "update revisions set steps = ?, start = ?, theme_id = ?, locales = ?, author_id = ?, updated_at = ?, version = ?
         where id = ?",
    )
    .bind(stored_steps(&draft.steps))
    .bind(stored_start(&draft.start))
    .bind(draft.theme_id.as_ref().map(Id::as_str))
    .bind(json(&draft.locales))
    .bind(draft.author_id.as_str())
    .bind(draft.updated_at.as_millis())
    .bind(draft.version)
    .bind(draft.id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn set_in_review(conn: &mut Conn, id: &Id, in_review: bool) -> Result<(), Internal> {
    sql("update revisions set in_review = ? where id = ?")
        .bind(in_review)
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn freeze(conn: &mut Conn, id: &Id, now: DateTime) -> Result<(), Internal> {
    sql("update revisions set state = ?, frozen_at = ?, in_review = 0 where id = ?")
        .bind(RevisionState::Frozen.as_graphql())
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) fn steps(row: &Row) -> Result<Vec<Arc<Step>>, sqlx::Error> {
    let stored: Vec<StoredStep> = row.json("steps")?;
    Ok(stored.into_iter().map(Step::from).map(Arc::new).collect())
}

pub(crate) fn start(row: &Row) -> Result<StartRule, sqlx::Error> {
    row.json::<StoredStart>("start").map(StartRule::from)
}

fn stored_steps(steps: &[Arc<Step>]) -> String {
    let stored: Vec<StoredStep> = steps.iter().map(|step| Step::clone(step).into()).collect();
    json(&stored)
}

fn stored_start(start: &StartRule) -> String {
    json(&StoredStart::from(start.clone()))
}

fn revision(row: Row) -> Result<Revision, sqlx::Error> {
    Ok(Revision {
        id: row.id("id")?,
        number: row.int("number")?,
        state: if row.bool("in_review")? {
            RevisionState::InReview
        } else {
            row.variant("state")?
        },
        steps: steps(&row)?,
        start: start(&row)?,
        locales: row.json("locales")?,
        frozen_at: row.time_opt("frozen_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
        tour_id: row.id("tour_id")?,
        workspace_id: row.id("workspace_id")?,
        theme_id: row.id_opt("theme_id")?,
        author_id: row.id("author_id")?,
    })
}
