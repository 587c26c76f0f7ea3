use traitql::{DateTime, Id, Internal};
use waypost_api::{IdentityAlgorithm, IdentityCoverage, IdentityKey};

use super::token::VerificationKey;
use crate::{
    clock::DAY_MS,
    store::{Conn, Db, Row, json, new_id, sql},
};

const COVERAGE_DAYS: i64 = 7;

pub async fn keys(db: Db<'_>, sites: &[Id]) -> Result<Vec<(Id, IdentityKey)>, Internal> {
    Ok(sql("select * from identity_keys
         where site_id in (select value from json_each(?)) order by created_at, id")
    .bind(json(&sites))
    .try_map(|row: Row| {
        let key = IdentityKey {
            id: row.id("id")?,
            algorithm: row.variant("algorithm")?,
            created_at: row.time("created_at")?,
            last_used_at: row.time_opt("last_used_at")?,
        };
        Ok((row.id("site_id")?, key))
    })
    .fetch_all(db)
    .await?)
}

pub(crate) async fn verification_keys(db: Db<'_>, site_id: &Id) -> Result<Vec<VerificationKey>, Internal> {
    let keys = sql("select id, algorithm, material from identity_keys where site_id = ?")
        .bind(site_id.as_str())
        .try_map(|row: Row| Ok((row.id("id")?, row.variant("algorithm")?, row.text("material")?)))
        .fetch_all(db)
        .await?;
    keys.into_iter()
        .map(|(id, algorithm, material): (Id, IdentityAlgorithm, String)| {
            VerificationKey::new(id, algorithm, &material)
        })
        .collect()
}

/// Inserts a key: the secret, or the parameter `x` of the public key.
pub async fn insert(
    conn: &mut Conn,
    site_id: &Id,
    algorithm: IdentityAlgorithm,
    material: &str,
    now: DateTime,
) -> Result<(), Internal> {
    sql("insert into identity_keys (id, site_id, algorithm, material, created_at) values (?, ?, ?, ?, ?)")
        .bind(new_id().as_str())
        .bind(site_id.as_str())
        .bind(algorithm.as_graphql())
        .bind(material)
        .bind(now.as_millis())
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn delete(conn: &mut Conn, id: &Id) -> Result<(), Internal> {
    sql("delete from identity_keys where id = ?")
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) fn day(now: DateTime) -> i64 {
    now.as_millis().div_euclid(DAY_MS)
}

/// Adds visits to the days of sites, and deletes days that their coverage no longer includes.
pub(crate) async fn count_visits(conn: &mut Conn, days: &[(&Id, i64, i64, i64)]) -> Result<(), Internal> {
    sql("insert into identity_days (site_id, day, identified, verified)
         select v.value ->> 0, cast(v.value ->> 1 as bigint), cast(v.value ->> 2 as bigint),
           cast(v.value ->> 3 as bigint)
         from json_each(?1, '$') v where v.value ->> 0 in (select id from sites)
         on conflict (site_id, day) do update set identified = identity_days.identified + excluded.identified,
           verified = identity_days.verified + excluded.verified")
    .bind(json(&days))
    .execute(&mut *conn)
    .await?;
    sql("delete from identity_days where exists (
           select 1 from json_each(?1, '$') v where v.value ->> 0 = identity_days.site_id
             and cast(v.value ->> 1 as bigint) - ?2 >= identity_days.day)")
    .bind(json(&days))
    .bind(COVERAGE_DAYS)
    .execute(conn)
    .await?;
    Ok(())
}

pub(crate) async fn set_last_used(conn: &mut Conn, keys: &[(&Id, i64)]) -> Result<(), Internal> {
    sql(
        "update identity_keys set last_used_at = max(coalesce(last_used_at, 0), cast(v.value ->> 1 as bigint))
         from json_each(?1, '$') v where identity_keys.id = v.value ->> 0",
    )
    .bind(json(&keys))
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn coverage(db: Db<'_>, sites: &[Id], now: DateTime) -> Result<Vec<(Id, IdentityCoverage)>, Internal> {
    Ok(sql(
        "select site_id, cast(sum(identified) as bigint) as identified, cast(sum(verified) as bigint) as verified
         from identity_days where site_id in (select value from json_each(?)) and day >= ? group by site_id",
    )
    .bind(json(&sites))
    .bind(day(now) - COVERAGE_DAYS + 1)
    .try_map(|row: Row| {
        let coverage = IdentityCoverage {
            identified: row.int("identified")?,
            verified: row.int("verified")?,
        };
        Ok((row.id("site_id")?, coverage))
    })
    .fetch_all(db)
    .await?)
}
