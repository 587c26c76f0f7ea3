use traitql::{DateTime, Id, Internal};
use waypost_api::{ActiveRunImpact, Audience, Release, ReleaseState, Revision, StartRule};

use super::{
    Terms,
    allocation::{Allocation, TrafficSplit},
};
use crate::{
    offer::{
        ResumePosition,
        eligibility::{frequency_reached, respects_cooldown},
        resume_position,
    },
    run::{self, ABANDONED_AFTER_MS},
    store::{Conn, Row, serial, sql},
};

/// 30 days.
pub(crate) const VISITOR_WINDOW_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// Keeps a large site as fast as a small one.
pub(crate) const MAX_VISITORS: i32 = 10_000;

pub fn is_live_at(release: &Release, now: DateTime) -> bool {
    release.state == ReleaseState::Live && release.starts_at.is_none_or(|start| start <= now)
}

#[derive(Clone, Copy)]
pub struct ReleaseRules<'a> {
    pub start: &'a StartRule,
    pub split: TrafficSplit,
    pub runs_end: bool,
}

impl<'a> ReleaseRules<'a> {
    pub fn current(release: &Release, revision: &'a Revision) -> Self {
        Self {
            start: &revision.start,
            split: Terms::of(release).split,
            runs_end: false,
        }
    }
}

pub struct VisitorHistory {
    id: Id,
    active: bool,
    ended: bool,
    completed: bool,
    /// True if another tour has started automatically within the site's cooldown.
    cooling_down: bool,
}

/// Counts visitors by the effect of the release on them. `release` is `None` if the tour is not live.
///
/// A visitor who has seen the tour as often as allowed counts as `seen` regardless of the bucket, because no rollout
/// can reach them.
pub fn audience(
    visitors: &[VisitorHistory],
    release: Option<ReleaseRules<'_>>,
    bucket: impl Fn(&Id) -> u16,
) -> Audience {
    let mut counts = Audience {
        visitors: i32::try_from(visitors.len()).unwrap_or(i32::MAX),
        active: 0,
        reached: 0,
        cooling_down: 0,
        waiting: 0,
        holdout: 0,
        seen: 0,
        nothing: 0,
    };
    for visitor in visitors {
        let part = match release {
            None => &mut counts.nothing,
            Some(rules) if visitor.active && !rules.runs_end => &mut counts.active,
            Some(rules) if frequency_reached(rules.start, visitor.ended, visitor.completed) => &mut counts.seen,
            Some(rules) => match rules.split.allocate(bucket(&visitor.id)) {
                Allocation::Rollout if visitor.cooling_down && respects_cooldown(rules.start) => {
                    &mut counts.cooling_down
                }
                Allocation::Rollout => &mut counts.reached,
                Allocation::Unallocated => &mut counts.waiting,
                Allocation::Holdout => &mut counts.holdout,
            },
        };
        *part += 1;
    }
    counts
}

pub async fn visitors(
    conn: &mut Conn,
    tour_id: &Id,
    site_id: &Id,
    now: DateTime,
) -> Result<Vec<VisitorHistory>, Internal> {
    Ok(sql(concat!(
        "select p.id,
           max(case when n.state = 'ACTIVE' and n.last_at > ?4 then 1 else 0 end) as active,
           max(case when n.state in ('COMPLETED', 'DISMISSED', 'FAILED') or n.state = 'ACTIVE' and n.last_at <= ?4
             then 1 else 0 end) as ended,
           max(case when n.state = 'COMPLETED' then 1 else 0 end) as completed,
           case when exists (select 1 from runs_of_releases o join revisions r on r.id = o.revision_id
               where o.visitor_serial = p.serial and o.tour_id <> ?1 and o.started = 1
                 and r.start ->> 'trigger' <> 'MANUAL'
                 and o.started_at > ?6 - 3600000 * (select s.cooldown_hours from sites s where s.id = ?2)
                 and not exists (select 1 from visitor_resets f
                   where f.visitor_serial = o.visitor_serial and f.tour_serial = o.tour_serial
                     and f.at >= o.started_at))
             then 1 else 0 end as cooling_down
         from (select serial, id from visitors where site_serial = ",
        serial!(sites, "?2"),
        " and last_seen_at > ?3 order by last_seen_at desc limit ?5) p
         join tours t on t.id = ?1
         left join visitor_resets f on f.visitor_serial = p.serial and f.tour_serial = t.serial
         left join runs n on n.visitor_serial = p.serial and n.tour_serial = t.serial and n.started = 1
           and (f.at is null or n.started_at > f.at)
         group by p.serial, p.id"
    ))
    .bind(tour_id.as_str())
    .bind(site_id.as_str())
    .bind(now.as_millis() - VISITOR_WINDOW_MS)
    .bind(now.as_millis() - ABANDONED_AFTER_MS)
    .bind(MAX_VISITORS)
    .bind(now.as_millis())
    .try_map(|row: Row| {
        Ok(VisitorHistory {
            id: row.id("id")?,
            active: row.bool("active")?,
            ended: row.bool("ended")?,
            completed: row.bool("completed")?,
            cooling_down: row.bool("cooling_down")?,
        })
    })
    .fetch_all(conn)
    .await?)
}

/// Counts the active runs of the tour by where they would resume in the planned revision.
pub async fn active_runs(
    conn: &mut Conn,
    tour_id: &Id,
    site_id: &Id,
    planned: Option<&Revision>,
    now: DateTime,
) -> Result<ActiveRunImpact, Internal> {
    let mut impact = ActiveRunImpact {
        total: 0,
        stay: 0,
        r#move: 0,
        finish: 0,
    };
    for (progress, keys, count) in run::store::active_by_progress(conn, tour_id, site_id, now).await? {
        impact.total += count;
        let Some(planned) = planned else { continue };
        let steps = planned.steps.iter().map(|step| step.key.as_str());
        match resume_position(&progress, &keys, steps) {
            ResumePosition::Same(_) => impact.stay += count,
            ResumePosition::FirstUnseen(_) => impact.r#move += count,
            ResumePosition::End => impact.finish += count,
        }
    }
    Ok(impact)
}

#[cfg(test)]
mod tests {
    use waypost_api::{Frequency, Trigger};

    use super::*;
    use crate::tour::content;

    #[test]
    fn each_visitor_is_counted_once() {
        let visitor = |id: &str, active, ended, completed| VisitorHistory {
            id: id.into(),
            active,
            ended,
            completed,
            cooling_down: id.starts_with("cooling"),
        };
        let visitors = [
            visitor("active", true, false, false),
            visitor("done", false, true, true),
            visitor("left", false, true, false),
            visitor("low", false, false, false),
            visitor("middle", false, false, false),
            visitor("high", false, false, false),
            visitor("cooling", false, false, false),
            visitor("cooling high", false, false, false),
        ];
        let bucket = |id: &Id| match id.as_str() {
            "middle" => 5000,
            "high" | "cooling high" => 9999,
            _ => 0,
        };
        let start = |frequency| StartRule {
            trigger: Trigger::Auto,
            frequency,
            ..content::default_start()
        };
        let count_of = |start: StartRule, runs_end| {
            let rules = ReleaseRules {
                start: &start,
                split: TrafficSplit {
                    rollout_percent: 50,
                    holdout_percent: 10,
                },
                runs_end,
            };
            let Audience {
                visitors: total,
                active,
                reached,
                cooling_down,
                waiting,
                holdout,
                seen,
                nothing,
            } = audience(&visitors, Some(rules), bucket);
            assert_eq!(
                total,
                active + reached + cooling_down + waiting + holdout + seen + nothing
            );
            [active, reached, cooling_down, waiting, holdout, seen]
        };
        let count = |frequency, runs_end| count_of(start(frequency), runs_end);
        assert_eq!(count(Frequency::Once, false), [1, 1, 1, 1, 2, 2]);
        assert_eq!(count(Frequency::UntilCompleted, false), [1, 2, 1, 1, 2, 1]);
        assert_eq!(
            count(Frequency::Once, true),
            [0, 2, 1, 1, 2, 2],
            "active runs start again"
        );
        let without_cooldown = StartRule {
            ignore_cooldown: true,
            ..start(Frequency::Once)
        };
        let manual = StartRule {
            trigger: Trigger::Manual,
            ..start(Frequency::Once)
        };
        assert_eq!(count_of(without_cooldown, false), [1, 2, 0, 1, 2, 2]);
        assert_eq!(
            count_of(manual, false),
            [1, 4, 0, 1, 2, 0],
            "manual starts are not limited"
        );
        assert_eq!(audience(&visitors, None, bucket).nothing, 8);
    }
}
