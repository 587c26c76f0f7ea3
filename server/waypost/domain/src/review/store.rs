use traitql::{DateTime, Id, Internal};
use waypost_api::{Comment, CommentReply, Review, ReviewState, ReviewedContent, Revision};

use crate::{
    store::{Conn, Db, ForChange, Row, json, new_id, scalar, sql},
    tour::revisions,
};

pub struct ReviewEnd<'a> {
    /// RETURNED or RELEASED.
    pub state: ReviewState,
    pub by: &'a Id,
    pub at: DateTime,
    pub answer: Option<&'a str>,
}

pub struct ReviewRequest<'a> {
    pub by: &'a Id,
    pub at: DateTime,
    pub note: Option<&'a str>,
    /// `None` means any publisher or administrator.
    pub reviewer: Option<&'a Id>,
}

pub struct NewComment<'a> {
    pub step_key: Option<&'a str>,
    pub body: &'a str,
    pub by: &'a Id,
    pub at: DateTime,
}

/// Returns the waiting reviews with the ids of their workspaces, longest waiting first.
pub async fn waiting(db: Db<'_>, workspaces: &[Id]) -> Result<Vec<(Id, Review)>, Internal> {
    Ok(sql(
        "select t.workspace_id, v.* from reviews v join tours t on t.id = v.tour_id
         where v.state = 'WAITING' and t.workspace_id in (select value from json_each(?)) and t.archived_at is null
         order by v.at, v.id",
    )
    .bind(json(&workspaces))
    .try_map(|row: Row| Ok((row.id("workspace_id")?, review(row)?)))
    .fetch_all(db)
    .await?)
}

/// Returns the newest review of each draft of a workspace if the account requested it and another account requested
/// changes.
pub async fn returned(db: Db<'_>, workspace_id: &Id, account: &Id) -> Result<Vec<Review>, Internal> {
    Ok(sql(
        "select v.* from reviews v join revisions r on r.id = v.revision_id join tours t on t.id = v.tour_id
         where v.state = 'RETURNED' and v.by_id = ?2 and v.ended_by_id <> v.by_id
           and r.state = 'DRAFT' and t.workspace_id = ?1 and t.archived_at is null
           and not exists (select 1 from reviews later
             where later.revision_id = v.revision_id and (later.at, later.id) > (v.at, v.id))
         order by v.ended_at desc, v.id desc",
    )
    .bind(workspace_id.as_str())
    .bind(account.as_str())
    .try_map(review)
    .fetch_all(db)
    .await?)
}

pub async fn of_revisions(db: Db<'_>, revisions: &[Id]) -> Result<Vec<Review>, Internal> {
    Ok(
        sql("select * from reviews where revision_id in (select value from json_each(?)) order by at desc, id desc")
            .bind(json(&revisions))
            .try_map(review)
            .fetch_all(db)
            .await?,
    )
}

pub async fn by_id(db: Db<'_>, id: &Id) -> Result<Option<Review>, Internal> {
    Ok(sql("select * from reviews where id = ?")
        .bind(id.as_str())
        .try_map(review)
        .fetch_optional(db)
        .await?)
}

pub async fn contents(db: Db<'_>, reviews: &[Id]) -> Result<Vec<ReviewedContent>, Internal> {
    Ok(sql("select id, steps, start, theme_id, locales from reviews
         where steps is not null and id in (select value from json_each(?))")
    .bind(json(&reviews))
    .try_map(|row: Row| {
        Ok(ReviewedContent {
            steps: revisions::steps(&row)?,
            start: revisions::start(&row)?,
            locales: row.json("locales")?,
            review_id: row.id("id")?,
            theme_id: row.id_opt("theme_id")?,
        })
    })
    .fetch_all(db)
    .await?)
}

pub async fn was_released(conn: &mut Conn, revision_id: &Id) -> Result<bool, Internal> {
    Ok(
        scalar("select exists (select 1 from reviews where revision_id = ? and state = 'RELEASED')")
            .bind(revision_id.as_str())
            .fetch_one(conn)
            .await?,
    )
}

pub async fn begin(conn: &mut Conn, revision: &Revision, request: ReviewRequest<'_>) -> Result<(), Internal> {
    sql(
        "insert into reviews (id, tour_id, revision_id, state, by_id, at, note, reviewer_id)
         values (?, ?, ?, 'WAITING', ?, ?, ?, ?)",
    )
    .bind(new_id().as_str())
    .bind(revision.tour_id.as_str())
    .bind(revision.id.as_str())
    .bind(request.by.as_str())
    .bind(request.at.as_millis())
    .bind(request.note)
    .bind(request.reviewer.map(Id::as_str))
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes the waiting reviews of a member who can no longer approve them waiting for any reviewer.
pub async fn unassign(conn: &mut Conn, workspace_id: &Id, account: &Id) -> Result<(), Internal> {
    sql("update reviews set reviewer_id = null
         where state = 'WAITING' and reviewer_id = ? and tour_id in (select id from tours where workspace_id = ?)")
    .bind(account.as_str())
    .bind(workspace_id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn end(conn: &mut Conn, revision_id: &Id, end: ReviewEnd<'_>) -> Result<(), Internal> {
    sql(
        "update reviews set state = ?, ended_by_id = ?, ended_at = ?, answer = ?,
           (steps, start, theme_id, locales) = (
             select r.steps, r.start, r.theme_id, r.locales from revisions r where r.id = reviews.revision_id)
         where revision_id = ? and state = 'WAITING'",
    )
    .bind(end.state.as_graphql())
    .bind(end.by.as_str())
    .bind(end.at.as_millis())
    .bind(end.answer)
    .bind(revision_id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

fn review(row: Row) -> Result<Review, sqlx::Error> {
    Ok(Review {
        id: row.id("id")?,
        state: row.variant("state")?,
        at: row.time("at")?,
        note: row.text_opt("note")?,
        ended_at: row.time_opt("ended_at")?,
        answer: row.text_opt("answer")?,
        revision_id: row.id("revision_id")?,
        tour_id: row.id("tour_id")?,
        by_id: row.id("by_id")?,
        reviewer_id: row.id_opt("reviewer_id")?,
        ended_by_id: row.id_opt("ended_by_id")?,
    })
}

pub(super) type Listed = (Id, Comment);

/// Returns the revisions' own comments, oldest first, and in a draft also the open comments of the tour's other
/// revisions.
pub async fn comments(db: Db<'_>, revisions: &[Id]) -> Result<Vec<Listed>, Internal> {
    Ok(sql("select r.id as listed_by, c.* from revisions r join comments c
           on c.revision_id = r.id or (r.state = 'DRAFT' and c.tour_id = r.tour_id and c.resolved_at is null)
         where r.id in (select value from json_each(?)) order by c.at, c.id")
    .bind(json(&revisions))
    .try_map(|row: Row| Ok((row.id("listed_by")?, comment(row)?)))
    .fetch_all(db)
    .await?)
}

pub async fn open_comments(db: Db<'_>, revisions: &[Id]) -> Result<Vec<(Id, i32)>, Internal> {
    Ok(sql("select r.id, count(*) as open from revisions r join comments c
           on c.resolved_at is null and (c.revision_id = r.id or (r.state = 'DRAFT' and c.tour_id = r.tour_id))
         where r.id in (select value from json_each(?)) group by r.id")
    .bind(json(&revisions))
    .try_map(|row: Row| Ok((row.id("id")?, row.int("open")?)))
    .fetch_all(db)
    .await?)
}

pub async fn comment_insert(conn: &mut Conn, revision: &Revision, new: NewComment<'_>) -> Result<Comment, Internal> {
    Ok(sql(
        "insert into comments (id, tour_id, revision_id, step_key, body, by_id, at)
         values (?, ?, ?, ?, ?, ?, ?) returning *",
    )
    .bind(new_id().as_str())
    .bind(revision.tour_id.as_str())
    .bind(revision.id.as_str())
    .bind(new.step_key)
    .bind(new.body)
    .bind(new.by.as_str())
    .bind(new.at.as_millis())
    .try_map(comment)
    .fetch_one(conn)
    .await?)
}

/// Resolves a comment. A comment that is already resolved keeps its account and time.
pub async fn comment_resolve(conn: &mut Conn, id: &Id, by: &Id, now: DateTime) -> Result<Comment, Internal> {
    Ok(sql(
        "update comments set resolved_at = coalesce(resolved_at, ?), resolved_by_id = coalesce(resolved_by_id, ?)
         where id = ? returning *",
    )
    .bind(now.as_millis())
    .bind(by.as_str())
    .bind(id.as_str())
    .try_map(comment)
    .fetch_one(conn)
    .await?)
}

pub async fn comment_reopen(conn: &mut Conn, id: &Id) -> Result<Comment, Internal> {
    Ok(
        sql("update comments set resolved_at = null, resolved_by_id = null where id = ? returning *")
            .bind(id.as_str())
            .try_map(comment)
            .fetch_one(conn)
            .await?,
    )
}

pub async fn comment_author(conn: &mut Conn, id: &Id) -> Result<(Id, String), Internal> {
    Ok(
        sql("select a.id, a.name from comments c join accounts a on a.id = c.by_id where c.id = ?")
            .bind(id.as_str())
            .try_map(|row: Row| Ok((row.id("id")?, row.text("name")?)))
            .fetch_one(conn)
            .await?,
    )
}

/// Deletes the replies, too.
pub async fn comment_delete(conn: &mut Conn, id: &Id) -> Result<(), Internal> {
    for statement in [
        "delete from comment_replies where comment_id = ?",
        "delete from comments where id = ?",
    ] {
        sql(statement).bind(id.as_str()).execute(&mut *conn).await?;
    }
    Ok(())
}

pub async fn comment_by_id(conn: &mut Conn, id: &Id) -> Result<Option<Comment>, Internal> {
    Ok(sql("select * from comments where id = ?")
        .bind(id.as_str())
        .try_map(comment)
        .fetch_optional(conn)
        .await?)
}

pub async fn replies(db: Db<'_>, comments: &[Id]) -> Result<Vec<CommentReply>, Internal> {
    Ok(
        sql("select * from comment_replies where comment_id in (select value from json_each(?)) order by at, id")
            .bind(json(&comments))
            .try_map(reply)
            .fetch_all(db)
            .await?,
    )
}

pub async fn reply_insert(
    conn: &mut Conn,
    comment_id: &Id,
    body: &str,
    by: &Id,
    now: DateTime,
) -> Result<(), Internal> {
    sql("insert into comment_replies (id, comment_id, body, by_id, at) values (?, ?, ?, ?, ?)")
        .bind(new_id().as_str())
        .bind(comment_id.as_str())
        .bind(body)
        .bind(by.as_str())
        .bind(now.as_millis())
        .execute(conn)
        .await?;
    Ok(())
}

/// Returns `None` if the reply was deleted after the role check.
pub async fn reply_for_change(conn: &mut Conn, id: &Id) -> Result<Option<ForChange<CommentReply>>, Internal> {
    Ok(
        sql("select r.*, a.name from comment_replies r join accounts a on a.id = r.by_id where r.id = ?")
            .bind(id.as_str())
            .try_map(|row: Row| {
                Ok(ForChange {
                    changed_by: row.text("name")?,
                    row: reply(row)?,
                })
            })
            .fetch_optional(conn)
            .await?,
    )
}

pub async fn reply_delete(conn: &mut Conn, id: &Id) -> Result<(), Internal> {
    sql("delete from comment_replies where id = ?")
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

fn reply(row: Row) -> Result<CommentReply, sqlx::Error> {
    Ok(CommentReply {
        id: row.id("id")?,
        body: row.text("body")?,
        at: row.time("at")?,
        comment_id: row.id("comment_id")?,
        by_id: row.id("by_id")?,
    })
}

fn comment(row: Row) -> Result<Comment, sqlx::Error> {
    Ok(Comment {
        id: row.id("id")?,
        step_key: row.text_opt("step_key")?,
        body: row.text("body")?,
        at: row.time("at")?,
        resolved_at: row.time_opt("resolved_at")?,
        revision_id: row.id("revision_id")?,
        by_id: row.id("by_id")?,
        resolved_by_id: row.id_opt("resolved_by_id")?,
    })
}
