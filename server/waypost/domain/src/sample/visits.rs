//! Visits between the actions of members, validated, counted and allocated by the same functions as real ones.

use traitql::{DateTime, Id, Internal, Url};
use waypost_api::{EventInput, Frequency, GoalInput};

use super::{
    history::{Replay, SampleSite, Story},
    traffic::{SampleRun, Visit},
};
use crate::{
    lift::{self, Group, store::NewExposure},
    release::allocation::TrafficSplit,
    run::{ingest::Report, record},
    site,
    store::Conn,
    visitor::{
        identity::ReportedVisitor,
        visitors::{NewVisitor, Visitors},
    },
};

const ORDER_EVENT: &str = "order_placed";
/// Stored together.
const BATCH_MS: i64 = 6 * 60 * 60 * 1000;
/// Long enough for a tour to start.
const START_RATE: f64 = 0.93;
/// Rates with and without a completed tour that leads to the order.
const ORDER_RATES: (f64, f64) = (0.44, 0.16);

impl<'a> Replay<'a> {
    pub(super) async fn visit(&mut self, conn: &mut Conn, visits: &[Visit]) -> Result<(), Internal> {
        let period = |visit: &Visit| visit.at.as_millis() / BATCH_MS;
        for batch in visits.chunk_by(|left, right| period(left) == period(right)) {
            self.store_batch(conn, batch).await?;
        }
        Ok(())
    }

    async fn store_batch(&mut self, conn: &mut Conn, visits: &[Visit]) -> Result<(), Internal> {
        let created = self.created;
        let inputs: Vec<ReportedVisitor> = visits
            .iter()
            .map(|visit| self.visitors[visit.visitor].input_at(visit))
            .collect();
        let page: Url = format!("{}/play", created.own_origin)
            .parse()
            .map_err(|_| Internal::new("the origin of Waypost's own pages is not a URL"))?;
        let keys: Vec<_> = visits
            .iter()
            .zip(&inputs)
            .map(|(visit, input)| (created.site(self.visitors[visit.visitor].site), input))
            .collect();
        let mut known = Visitors::read(conn, &keys).await?;
        let mut new = Vec::new();
        let mut silent = Vec::new();
        let mut exposures = Vec::new();
        let mut reports = Vec::new();
        let mut orders = Vec::new();
        let mut last = visits.last().map(|visit| visit.at);
        for (visit, input) in visits.iter().zip(&inputs) {
            let site = self.visitors[visit.visitor].site;
            let id = self.visitor_id(visit);
            let (events, end, order) = self.runs(visit);
            let visitor = NewVisitor {
                id: id.clone(),
                site_id: created.site(site),
                input,
                at: visit.at,
            };
            if visit.earlier == 0 {
                new.push(visitor);
            } else if events.is_empty() {
                // The report of a known visitor updates the row.
                silent.push(visitor);
            }
            let exposed = self.exposures(visit);
            exposures.extend(exposed.into_iter().map(|exposure| (id.clone(), exposure, visit.at)));
            last = last.max(Some(end));
            if let Some(order) = order {
                orders.push((id, order));
            }
            // A report can start only one run.
            let runs = events.chunk_by(|event, next| event.run_id == next.run_id);
            reports.extend(runs.map(|run| Report {
                site_key: site.key().to_owned(),
                origin: Some(created.own_origin.to_owned()),
                visitor: input.clone(),
                events: run.to_vec(),
                accepts_runs: true,
                admit_run: Box::new(|| true),
            }));
        }
        let Some(last) = last else { return Ok(()) };
        let page = page.as_str();
        known.insert(conn, &new, page).await?;
        for NewVisitor { id, site_id, input, at } in silent {
            known.upsert(conn, site_id, input, Some(page), &id, at).await?;
        }
        let exposures: Vec<_> = exposures
            .iter()
            .map(|(id, exposure, at)| (id, exposure, at.as_millis()))
            .collect();
        lift::store::insert_first_exposures(conn, &exposures).await?;
        let now = last.min(self.traffic.now());
        let reports: Vec<&Report> = reports.iter().collect();
        // The changes are not announced, because there are no subscribers before the server has started.
        record::store_reports(conn, &reports, created.own_origin, now, &mut Vec::new()).await?;
        if orders.is_empty() {
            return Ok(());
        }
        site::store::record_events(conn, created.shop, &[ORDER_EVENT], || true, now).await?;
        let order = GoalInput::new(ORDER_EVENT.to_owned(), now);
        if lift::store::goals_of(conn, created.shop, &[order]).await?.is_empty() {
            return Ok(());
        }
        for (visitor, at) in orders {
            let at = at.min(now).as_millis();
            lift::store::insert_goals(conn, &visitor, &[(ORDER_EVENT, at)]).await?;
        }
        Ok(())
    }

    /// Returns the visitor's id. At the first visit it is drawn so that it is allocated to the visitor's group.
    fn visitor_id(&mut self, visit: &Visit) -> Id {
        let visitor = &self.visitors[visit.visitor];
        if let Some(id) = &visitor.id {
            return id.clone();
        }
        let site = visitor.site;
        let compared = self
            .stories
            .iter()
            .filter(|story| story.site == site)
            .find_map(|story| {
                let written = self.written.get(&story.tour)?;
                let holdout_percent = story.timeline.iter().map(|moment| moment.action.holdout()).max()?;
                let split = TrafficSplit {
                    rollout_percent: 100,
                    holdout_percent,
                };
                (holdout_percent > 0).then_some((self.created.site(site), &written.id, split))
            });
        let id = self.traffic.visitor_id(visitor, visit.at, compared);
        self.visitors[visit.visitor].id = Some(id.clone());
        id
    }

    /// Returns the visitor's new exposures to the live releases with a goal, like a boot request.
    fn exposures(&mut self, visit: &Visit) -> Vec<NewExposure> {
        let mut exposures = Vec::new();
        let visitor = &mut self.visitors[visit.visitor];
        for story in self.stories.iter().filter(|story| story.site == visitor.site) {
            let Some(live) = self.written.get(&story.tour).and_then(|tour| tour.live.as_ref()) else {
                continue;
            };
            if !live.has_goal || live.paused || visitor.exposed_to.contains(&live.release) {
                continue;
            }
            visitor.exposed_to.push(live.release.clone());
            let group = if visitor.in_holdout {
                Group::InHoldout
            } else {
                Group::Offered
            };
            exposures.push(NewExposure::new(&live.release, group));
        }
        exposures
    }

    fn runs(&mut self, visit: &Visit) -> (Vec<EventInput>, DateTime, Option<DateTime>) {
        let mut events = Vec::new();
        let mut end = visit.at;
        let mut led_to_order = false;
        if self.traffic.chance(START_RATE)
            && let Some(story) = self.offered(visit, false)
        {
            let (run, has_goal) = self.play(visit, story, end);
            led_to_order = run.completed && has_goal;
            end = run.end;
            events.extend(run.events);
        }
        let visitor = &mut self.visitors[visit.visitor];
        let rate = if led_to_order { ORDER_RATES.0 } else { ORDER_RATES.1 };
        if visitor.site != SampleSite::Shop || visitor.has_ordered || !self.traffic.chance(rate) {
            return (events, end, None);
        }
        visitor.has_ordered = true;
        let order = self.traffic.later(end, 60..900);
        end = order;
        if let Some(story) = self.offered(visit, true) {
            let (run, _) = self.play(visit, story, order);
            end = run.end;
            events.extend(run.events);
        }
        (events, end, Some(order))
    }

    fn offered(&self, visit: &Visit, after_order: bool) -> Option<&'a Story> {
        let visitor = &self.visitors[visit.visitor];
        self.stories.iter().find(|story| {
            let live = self.written.get(&story.tour).and_then(|tour| tour.live.as_ref());
            story.site == visitor.site
                && story.after_order == after_order
                && !visitor.finished.contains(&story.tour)
                && live.is_some_and(|live| live.shows_to(visitor))
        })
    }

    fn play(&mut self, visit: &Visit, story: &Story, at: DateTime) -> (SampleRun, bool) {
        let tour = &self.written[&story.tour];
        let live = tour.live.as_ref().expect("only released tours are offered");
        let run = self.traffic.run(&live.release, &live.keys, &story.steps, at);
        let starts_again = match tour.content.start.frequency {
            Frequency::Always => true,
            Frequency::UntilCompleted => !run.completed,
            _ => false,
        };
        if !starts_again {
            self.visitors[visit.visitor].finished.push(story.tour.clone());
        }
        (run, live.has_goal)
    }
}
