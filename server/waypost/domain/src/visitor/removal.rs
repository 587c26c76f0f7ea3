//! The deletion of visitors with everything that refers to them.
//!
//! The reason decides about the insights: the counts of an erased visitor stay, those of an invented one are subtracted, and
//! retention keeps even the number of visitors.

use traitql::{DateTime, Id, Internal};

use crate::{
    lift,
    run::{self, record::ERASED_RUN_AGE_MS},
    store::{Conn, json, scalar, sql},
};

/// The rows of deleted visitors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    pub visitors: u64,
    pub runs: u64,
}

/// The entries of the parameter `?1`, a JSON array of serial numbers.
macro_rules! serials {
    () => {
        "(select cast(value as bigint) from json_each(?1))"
    };
}

/// The statements that delete the rows of visitors, in the order of their references.
const DELETIONS: [&str; 7] = [
    concat!("delete from goals where visitor_serial in ", serials!()),
    concat!("delete from exposures where visitor_serial in ", serials!()),
    concat!("delete from attempts where visitor_serial in ", serials!()),
    concat!("delete from visitor_resets where visitor_serial in ", serials!()),
    concat!("delete from browsers where visitor_serial in ", serials!()),
    concat!("delete from runs where visitor_serial in ", serials!()),
    concat!("delete from visitors where serial in ", serials!()),
];

/// Deletes a visitor at their request. Returns the numbers of deleted runs and events.
pub async fn erase(conn: &mut Conn, id: &Id, now: DateTime) -> Result<(u64, u64), Internal> {
    let serials = serials_of(conn, std::slice::from_ref(id)).await?;
    let events = run::store::count_events(conn, id).await?;
    reject_later_events(conn, &serials, now).await?;
    lift::store::keep_counts(conn, &serials).await?;
    Ok((delete(conn, &serials).await?.runs, events))
}

/// Deletes invented visitors, and subtracts their runs and attempts from the counts. Returns the number of deleted runs.
pub async fn purge(conn: &mut Conn, visitors: &[Id], now: DateTime) -> Result<u64, Internal> {
    let serials = serials_of(conn, visitors).await?;
    reject_later_events(conn, &serials, now).await?;
    // The counts follow updates of runs and attempts, but not deletions.
    for statement in [
        concat!(
            "update runs set state = 'ACTIVE', started = 0, seen = 0, done = 0, missing = 0, buckets = '[]'
             where visitor_serial in ",
            serials!()
        ),
        concat!("update attempts set counted = 0 where visitor_serial in ", serials!()),
    ] {
        sql(statement).bind(json(&serials)).execute(&mut *conn).await?;
    }
    Ok(delete(conn, &serials).await?.runs)
}

/// Deletes visitors whose data is no longer needed, by serial numbers. All numbers of the insights stay as they are.
pub(crate) async fn forget(conn: &mut Conn, serials: &[i64], now: DateTime) -> Result<Removed, Internal> {
    run::retention::count_visitors(conn, serials, None).await?;
    reject_later_events(conn, serials, now).await?;
    lift::store::keep_counts(conn, serials).await?;
    delete(conn, serials).await
}

async fn delete(conn: &mut Conn, serials: &[i64]) -> Result<Removed, Internal> {
    let (mut runs, mut visitors) = (0, 0);
    for statement in DELETIONS {
        // The last two numbers are those of runs and visitors.
        runs = visitors;
        visitors = sql(statement).bind(json(&serials)).execute(&mut *conn).await?;
    }
    Ok(Removed { visitors, runs })
}

async fn serials_of(conn: &mut Conn, ids: &[Id]) -> Result<Vec<i64>, Internal> {
    Ok(
        scalar("select serial from visitors where id in (select unhex(value, '-') from json_each(?))")
            .bind(json(&ids))
            .fetch_all(conn)
            .await?,
    )
}

/// Pages that were open for long could otherwise continue these runs, which would count again.
async fn reject_later_events(conn: &mut Conn, serials: &[i64], now: DateTime) -> Result<(), Internal> {
    sql("delete from erased_runs where at < ?")
        .bind(now.as_millis() - ERASED_RUN_AGE_MS)
        .execute(&mut *conn)
        .await?;
    sql(concat!(
        "insert into erased_runs (run_id, at) select id, ?2 from runs where visitor_serial in ",
        serials!()
    ))
    .bind(json(&serials))
    .bind(now.as_millis())
    .execute(conn)
    .await?;
    Ok(())
}
