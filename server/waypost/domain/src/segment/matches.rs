use std::collections::{BTreeSet, HashMap};

use traitql::{DateTime, Id, Internal};
use waypost_api::{Condition, MatchCount, TourProgress, TourTest};

use crate::{
    condition::{self, Segments, ServerTest, Verdict},
    release::impact::{MAX_VISITORS, VISITOR_WINDOW_MS},
    store::{Conn, Row, json, serial, sql},
    visitor::traits::{Stored, Traits},
};

struct Progress {
    completed: bool,
    dismissed: bool,
}

/// Counts the visitors of 30 days, at most the latest 10,000.
pub async fn count(
    conn: &mut Conn,
    site_id: &Id,
    when: Option<&Condition>,
    segments: &Segments,
    now: DateTime,
) -> Result<MatchCount, Internal> {
    // One more than are examined, to detect that there are more.
    let mut verdicts = verdicts(conn, site_id, when, segments, MAX_VISITORS + 1, now).await?;
    let examined = usize::try_from(MAX_VISITORS).unwrap_or_default();
    let is_partial = verdicts.len() > examined;
    verdicts.truncate(examined);
    let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    let matching = verdicts.iter().filter(|(_, verdict)| *verdict != Verdict::Fails);
    Ok(MatchCount {
        matching: number(matching.count()),
        visitors: number(verdicts.len()),
        is_maximum: verdicts
            .iter()
            .any(|(_, verdict)| matches!(verdict, Verdict::Undecided(_))),
        is_partial,
    })
}

/// Returns the visitors of a segment, of the visitors that `count` examines. Returns none if the segment was deleted.
pub async fn of_segment(
    conn: &mut Conn,
    site_id: &Id,
    segment_id: &Id,
    segments: &Segments,
    now: DateTime,
) -> Result<Vec<Id>, Internal> {
    let Some(when) = segments.get(segment_id) else {
        return Ok(Vec::new());
    };
    let verdicts = verdicts(conn, site_id, Some(when), segments, MAX_VISITORS, now).await?;
    let matching = verdicts.into_iter().filter(|(_, verdict)| *verdict == Verdict::Holds);
    Ok(matching.map(|(id, _)| id).collect())
}

/// Examines the visitors of 30 days, the latest ones first.
async fn verdicts(
    conn: &mut Conn,
    site_id: &Id,
    when: Option<&Condition>,
    segments: &Segments,
    limit: i32,
    now: DateTime,
) -> Result<Vec<(Id, Verdict)>, Internal> {
    let progress = match when {
        Some(when) => progress(conn, site_id, &tours(when, segments), now).await?,
        None => HashMap::new(),
    };
    let verdict_of = |row: Row| {
        let id = row.id("id")?;
        let Some(when) = when else {
            return Ok((id, Verdict::Holds));
        };
        let verified = row.bool("verified")?;
        let traits = Traits::from(row.json::<Stored>("traits")?);
        let passes = |test: ServerTest<'_>| match test {
            ServerTest::Tour(test) => matches_progress(test, progress.get(&(id.clone(), test.tour_id.clone()))),
            ServerTest::Trait(test) => traits.matches(test),
            ServerTest::Verified(expected) => verified == expected,
        };
        let verdict = condition::evaluate(when, segments, &passes);
        Ok((id, verdict))
    };
    Ok(sql(concat!(
        "select id, verified, traits from visitors where site_serial = ",
        serial!(sites, "?"),
        " and last_seen_at > ? order by last_seen_at desc limit ?"
    ))
    .bind(site_id.as_str())
    .bind(now.as_millis() - VISITOR_WINDOW_MS)
    .bind(limit)
    .try_map(verdict_of)
    .fetch_all(conn)
    .await?)
}

fn tours<'c>(when: &'c Condition, segments: &'c Segments) -> BTreeSet<&'c Id> {
    let of_segments = condition::segments(when).into_iter().filter_map(|id| segments.get(id));
    of_segments
        .chain(std::iter::once(when))
        .flat_map(condition::tours)
        .collect()
}

/// Must agree with `run::conditions::matches_progress`, which evaluates the runs of one visitor.
fn matches_progress(test: &TourTest, progress: Option<&Progress>) -> bool {
    match test.progress {
        TourProgress::NeverStarted => progress.is_none(),
        TourProgress::Started => progress.is_some(),
        TourProgress::Completed => progress.is_some_and(|progress| progress.completed),
        TourProgress::Dismissed => progress.is_some_and(|progress| progress.dismissed),
    }
}

/// Excludes runs before a reset.
async fn progress(
    conn: &mut Conn,
    site_id: &Id,
    tours: &BTreeSet<&Id>,
    now: DateTime,
) -> Result<HashMap<(Id, Id), Progress>, Internal> {
    if tours.is_empty() {
        return Ok(HashMap::new());
    }
    let found = sql(concat!(
        "select p.id as visitor_id, t.id as tour_id,
           max(case when n.state = 'COMPLETED' then 1 else 0 end) as completed,
           max(case when n.state = 'DISMISSED' then 1 else 0 end) as dismissed
         from (select serial, id from visitors where site_serial = ",
        serial!(sites, "?1"),
        " and last_seen_at > ?2 order by last_seen_at desc limit ?3) p
         join runs n on n.visitor_serial = p.serial and n.started = 1
         join tours t on t.serial = n.tour_serial and t.id in (select value from json_each(?4))
         left join visitor_resets f on f.visitor_serial = n.visitor_serial and f.tour_serial = n.tour_serial
         where f.at is null or n.started_at > f.at
         group by p.id, t.id"
    ))
    .bind(site_id.as_str())
    .bind(now.as_millis() - VISITOR_WINDOW_MS)
    .bind(MAX_VISITORS)
    .bind(json(tours))
    .try_map(|row: Row| {
        let progress = Progress {
            completed: row.bool("completed")?,
            dismissed: row.bool("dismissed")?,
        };
        Ok(((row.id("visitor_id")?, row.id("tour_id")?), progress))
    })
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}
