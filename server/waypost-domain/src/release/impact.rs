//! What a change of what plays on a site would mean for the people there.

use traitql::{DateTime, Id, Internal};
use waypost_api::{Audience, InsideImpact, Release, ReleaseState, Revision, StartRule};

use super::{
    Terms,
    exposure::{Exposure, Shares},
};
use crate::{
    run::{
        self, IDLE_MS,
        gates::{minds_quiet_hours, seen_enough},
        offer::{Place, place},
    },
    store::{Conn, Row, sql},
};

/// Who counts as being on a site: whoever it has seen within 30 days, in milliseconds.
const SEEN_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// How many of them are looked at, so that a site of millions is answered as quickly as a small one.
const PEOPLE_MAX: i32 = 10_000;

/// Whether a release is for anybody at this moment.
pub fn plays_at(release: &Release, now: DateTime) -> bool {
    release.state == ReleaseState::Live && release.starts_at.is_none_or(|start| start <= now)
}

/// What plays, as far as it decides who meets it.
#[derive(Clone, Copy)]
pub struct Plays<'a> {
    /// When and how often it starts, as its revision says.
    pub start: &'a StartRule,
    /// For how many of the site's people it plays.
    pub shares: Shares,
    /// Whether those who are inside have to begin again.
    pub runs_end: bool,
}

impl<'a> Plays<'a> {
    /// What a release plays as it is: whoever is inside goes on.
    pub fn now(release: &Release, revision: &'a Revision) -> Self {
        Self {
            start: &revision.start,
            shares: Terms::of(release).shares,
            runs_end: false,
        }
    }
}

/// Somebody on a site, and what they have to do with the tour.
pub struct Person {
    id: Id,
    inside: bool,
    ended: bool,
    completed: bool,
    /// Another tour came by itself within the quiet hours of the site.
    quiet: bool,
}

/// Counts people by what they meet. Whoever has seen the tour often enough counts as that, whatever their bucket: no rollout
/// will reach them.
pub fn audience(people: &[Person], plays: Option<Plays<'_>>, bucket: impl Fn(&Id) -> u16) -> Audience {
    let mut counts = Audience {
        people: i32::try_from(people.len()).unwrap_or(i32::MAX),
        inside: 0,
        reached: 0,
        quiet: 0,
        waiting: 0,
        held: 0,
        seen: 0,
        nothing: 0,
    };
    for person in people {
        let part = match plays {
            None => &mut counts.nothing,
            Some(plays) if person.inside && !plays.runs_end => &mut counts.inside,
            Some(plays) if seen_enough(plays.start, person.ended, person.completed) => &mut counts.seen,
            Some(plays) => match plays.shares.exposure(bucket(&person.id)) {
                Exposure::Exposed if person.quiet && minds_quiet_hours(plays.start) => &mut counts.quiet,
                Exposure::Exposed => &mut counts.reached,
                Exposure::Waiting => &mut counts.waiting,
                Exposure::Held => &mut counts.held,
            },
        };
        *part += 1;
    }
    counts
}

/// Whoever the site has seen within 30 days, the latest 10,000 at most, and what they have to do with the tour.
pub async fn people(conn: &mut Conn, tour_id: &Id, site_id: &Id, now: DateTime) -> Result<Vec<Person>, Internal> {
    Ok(sql("select p.id,
           max(case when n.state = 'ACTIVE' and n.last_at > ?4 then 1 else 0 end) as inside,
           max(case when n.state in ('COMPLETED', 'DISMISSED', 'FAILED') or n.state = 'ACTIVE' and n.last_at <= ?4
             then 1 else 0 end) as ended,
           max(case when n.state = 'COMPLETED' then 1 else 0 end) as completed,
           case when exists (select 1 from runs o join revisions r on r.id = o.revision_id
               where o.participant_id = p.id and o.tour_id <> ?1 and o.started = 1
                 and r.start ->> 'trigger' <> 'MANUAL'
                 and o.started_at > ?6 - 3600000 * (select s.quiet_hours from sites s where s.id = ?2)
                 and not exists (select 1 from participant_resets f
                   where f.participant_id = o.participant_id and f.tour_id = o.tour_id and f.at >= o.started_at))
             then 1 else 0 end as quiet
         from (select id from participants where site_id = ?2 and last_seen_at > ?3
           order by last_seen_at desc limit ?5) p
         left join participant_resets f on f.participant_id = p.id and f.tour_id = ?1
         left join runs n on n.participant_id = p.id and n.tour_id = ?1 and n.started = 1
           and (f.at is null or n.started_at > f.at)
         group by p.id")
    .bind(tour_id.as_str())
    .bind(site_id.as_str())
    .bind(now.as_millis() - SEEN_MS)
    .bind(now.as_millis() - IDLE_MS)
    .bind(PEOPLE_MAX)
    .bind(now.as_millis())
    .try_map(|row: Row| {
        Ok(Person {
            id: row.id("id")?,
            inside: row.flag("inside")?,
            ended: row.flag("ended")?,
            completed: row.flag("completed")?,
            quiet: row.flag("quiet")?,
        })
    })
    .fetch_all(conn)
    .await?)
}

/// Where those who are inside the tour find themselves in the planned revision.
pub async fn inside(
    conn: &mut Conn,
    tour_id: &Id,
    site_id: &Id,
    planned: Option<&Revision>,
    now: DateTime,
) -> Result<InsideImpact, Internal> {
    let mut impact = InsideImpact {
        total: 0,
        stay: 0,
        r#move: 0,
        finish: 0,
    };
    for (facts, keys, people) in run::store::inside(conn, tour_id, site_id, now).await? {
        impact.total += people;
        let Some(planned) = planned else { continue };
        let steps = planned.steps.iter().map(|step| step.key.as_str());
        match place(&facts, &keys, steps) {
            Place::Same(_) => impact.stay += people,
            Place::Unseen(_) => impact.r#move += people,
            Place::End => impact.finish += people,
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
    fn each_person_is_counted_once_by_what_they_meet() {
        let person = |id: &str, inside, ended, completed| Person {
            id: id.into(),
            inside,
            ended,
            completed,
            quiet: id.starts_with("quiet"),
        };
        let people = [
            person("inside", true, false, false),
            person("done", false, true, true),
            person("left", false, true, false),
            person("low", false, false, false),
            person("middle", false, false, false),
            person("high", false, false, false),
            person("quiet", false, false, false),
            person("quiet high", false, false, false),
        ];
        let bucket = |id: &Id| match id.as_str() {
            "middle" => 5000,
            "high" | "quiet high" => 9999,
            _ => 0,
        };
        let start = |frequency| StartRule {
            trigger: Trigger::Auto,
            frequency,
            ..content::default_start()
        };
        let count_of = |start: StartRule, runs_end| {
            let plays = Plays {
                start: &start,
                shares: Shares {
                    rollout_percent: 50,
                    holdout_percent: 10,
                },
                runs_end,
            };
            let Audience {
                people,
                inside,
                reached,
                quiet,
                waiting,
                held,
                seen,
                nothing,
            } = audience(&people, Some(plays), bucket);
            assert_eq!(people, inside + reached + quiet + waiting + held + seen + nothing);
            [inside, reached, quiet, waiting, held, seen]
        };
        let count = |frequency, runs_end| count_of(start(frequency), runs_end);
        assert_eq!(count(Frequency::Once, false), [1, 1, 1, 1, 2, 2]);
        assert_eq!(count(Frequency::UntilCompleted, false), [1, 2, 1, 1, 2, 1]);
        assert_eq!(
            count(Frequency::Once, true),
            [0, 2, 1, 1, 2, 2],
            "who was inside begins again"
        );
        let heedless = StartRule {
            ignore_quiet_hours: true,
            ..start(Frequency::Once)
        };
        let asked_for = StartRule {
            trigger: Trigger::Manual,
            ..start(Frequency::Once)
        };
        assert_eq!(count_of(heedless, false), [1, 2, 0, 1, 2, 2]);
        assert_eq!(count_of(asked_for, false), [1, 4, 0, 1, 2, 0], "as often as they like");
        assert_eq!(audience(&people, None, bucket).nothing, 8);
    }
}
