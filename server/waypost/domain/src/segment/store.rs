use std::collections::{BTreeMap, BTreeSet};

use traitql::{DateTime, Id, Internal};
use waypost_api::{Condition, Segment};

use super::stored;
use crate::{
    condition::{self, Segments, StoredCondition},
    store::{Conn, Db, ForChange, Row, json, new_id, scalar, sql},
    tour::{content, revisions},
};

pub async fn of_workspaces(db: Db<'_>, workspaces: &[Id]) -> Result<Vec<Segment>, Internal> {
    Ok(
        sql("select * from segments where workspace_id in (select value from json_each(?)) order by lower(name), id")
            .bind(json(&workspaces))
            .try_map(segment)
            .fetch_all(db)
            .await?,
    )
}

pub async fn conditions(db: Db<'_>, workspace_id: &Id) -> Result<Segments, Internal> {
    let segments = of_workspaces(db, std::slice::from_ref(workspace_id)).await?;
    Ok(segments.into_iter().map(|each| (each.id, each.when)).collect())
}

/// Returns a segment and the name of its last editor, or `None` if it was deleted after the role check.
pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<Option<ForChange<Segment>>, Internal> {
    Ok(
        sql("select s.*, a.name as changer from segments s join accounts a on a.id = s.changed_by where s.id = ?")
            .bind(id.as_str())
            .try_map(|row: Row| {
                Ok(ForChange {
                    changed_by: row.text("changer")?,
                    row: segment(row)?,
                })
            })
            .fetch_optional(conn)
            .await?,
    )
}

pub async fn count(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(scalar("select count(*) from segments where workspace_id = ?")
        .bind(workspace_id.as_str())
        .fetch_one(conn)
        .await?)
}

pub async fn count_known(conn: &mut Conn, workspace_id: &Id, ids: &BTreeSet<&Id>) -> Result<usize, Internal> {
    let count: i32 =
        scalar("select count(*) from segments where workspace_id = ? and id in (select value from json_each(?))")
            .bind(workspace_id.as_str())
            .bind(json(ids))
            .fetch_one(conn)
            .await?;
    Ok(usize::try_from(count).unwrap_or_default())
}

pub async fn insert(
    conn: &mut Conn,
    workspace_id: &Id,
    name: &str,
    when: &Condition,
    changer: &Id,
    now: DateTime,
) -> Result<Segment, Internal> {
    Ok(sql(
        "insert into segments (id, workspace_id, name, condition, created_at, changed_by)
         values (?, ?, ?, ?, ?, ?) returning *",
    )
    .bind(new_id().as_str())
    .bind(workspace_id.as_str())
    .bind(name)
    .bind(stored(when))
    .bind(now.as_millis())
    .bind(changer.as_str())
    .try_map(segment)
    .fetch_one(conn)
    .await?)
}

pub async fn update(conn: &mut Conn, segment: &Segment, changer: &Id) -> Result<(), Internal> {
    sql("update segments set name = ?, condition = ?, version = ?, changed_by = ? where id = ?")
        .bind(&segment.name)
        .bind(stored(&segment.when))
        .bind(segment.version)
        .bind(changer.as_str())
        .bind(segment.id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes a segment, even if it is in use. Conditions that refer to it fail afterwards.
pub async fn delete(conn: &mut Conn, id: &Id) -> Result<(), Internal> {
    sql("delete from segments where id = ?")
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn uses(db: Db<'_>, workspaces: &[Id]) -> Result<BTreeMap<Id, Vec<Id>>, Internal> {
    // The text of a step cannot contain the search text, because JSON escapes its quotation marks.
    let found = sql(
        r#"select r.tour_id, r.steps, r.start from tours t join revisions r on r.tour_id = t.id
         where t.workspace_id in (select value from json_each(?))
           and (r.state = 'DRAFT'
             or exists (select 1 from releases l where l.revision_id = r.id and l.ended_at is null))
           and (instr(r.start, '"segment":') > 0 or instr(r.steps, '"segment":') > 0)"#,
    )
    .bind(json(&workspaces))
    .try_map(|row: Row| Ok((row.id("tour_id")?, revisions::steps(&row)?, revisions::start(&row)?)))
    .fetch_all(db)
    .await?;
    let mut uses: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    for (tour, steps, start) in found {
        for id in content::conditions(&steps, &start).flat_map(condition::segments) {
            let tours = uses.entry(id.clone()).or_default();
            if !tours.contains(&tour) {
                tours.push(tour.clone());
            }
        }
    }
    Ok(uses)
}

fn segment(row: Row) -> Result<Segment, sqlx::Error> {
    Ok(Segment {
        id: row.id("id")?,
        name: row.text("name")?,
        when: row.json::<StoredCondition>("condition")?.into(),
        created_at: row.time("created_at")?,
        version: row.int("version")?,
        workspace_id: row.id("workspace_id")?,
    })
}
