use traitql::{Id, Internal};
use waypost_api::Theme;

use super::candidate::{CurrentRelease, PastRun};
use crate::{
    release::allocation::TrafficSplit,
    run::store::progress,
    store::{Conn, Row, serial, sql},
    theme,
    tour::revisions,
};

/// Returns live and paused releases, newest first. `themes` are those of the workspace.
pub(crate) async fn current_releases(
    conn: &mut Conn,
    site_id: &Id,
    themes: &[Theme],
) -> Result<Vec<CurrentRelease>, Internal> {
    let rows: Vec<Row> = sql(
        "select l.*, t.workspace_id, t.slug, t.title, r.theme_id, r.steps, r.start, r.locales
         from releases l join tours t on t.id = l.tour_id join revisions r on r.id = l.revision_id
         where l.site_id = ? and l.ended_at is null order by l.at desc, l.id desc",
    )
    .bind(site_id.as_str())
    .fetch_all(conn)
    .await?;
    let releases = rows.iter().map(|row| {
        let theme = theme::effective(themes, &row.id("workspace_id")?, row.id_opt("theme_id")?.as_ref());
        let theme = theme.ok_or_else(|| Internal::new("a workspace has no default theme"))?;
        Ok(CurrentRelease {
            site_id: row.id("site_id")?,
            tour_id: row.id("tour_id")?,
            release_id: row.id("id")?,
            slug: row.text("slug")?,
            title: row.text("title")?,
            steps: revisions::steps(row)?,
            start: revisions::start(row)?,
            locales: row.json("locales")?,
            theme: theme.clone(),
            paused: row.time_opt("paused_at")?.is_some(),
            split: TrafficSplit {
                rollout_percent: row.int("rollout_percent")?,
                holdout_percent: row.int("holdout_percent")?,
            },
            goal: row.text_opt("goal")?,
            starts_at: row.time_opt("starts_at")?,
            ends_at: row.time_opt("ends_at")?,
            bundle: String::new(),
        })
    });
    releases.collect()
}

pub async fn past_runs(conn: &mut Conn, visitor_id: &Id) -> Result<Vec<PastRun>, Internal> {
    // Runs before a reset are excluded.
    Ok(sql(concat!(
        "select n.*, r.start ->> 'trigger' <> 'MANUAL' as auto_start, case when n.state = 'ACTIVE' then
             (select json_group_array(s.value ->> 'key') from json_each(r.steps) s)
           else '[]' end as keys
         from runs_of_releases n join revisions r on r.id = n.revision_id
         left join visitor_resets f on f.visitor_serial = n.visitor_serial and f.tour_serial = n.tour_serial
         where n.visitor_serial = ",
        serial!(visitors, "?"),
        " and (f.at is null or n.started_at > f.at)"
    ))
    .bind(visitor_id.as_str())
    .try_map(|row: Row| {
        Ok(PastRun {
            id: row.id("id")?,
            tour_id: row.id("tour_id")?,
            auto_start: row.bool("auto_start")?,
            progress: progress(&row)?,
            keys: row.json("keys")?,
        })
    })
    .fetch_all(conn)
    .await?)
}
