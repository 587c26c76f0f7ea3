//! Why a tour plays for somebody on a page, or does not: the gates that decide what a page is told, in words of the schema.

use traitql::{DateTime, Id, Url};
use waypost_api::{BootTour, Explanation, Gate, GateReason, GateResult, Site, Trigger};

use super::{
    boot::{Playing, offers},
    gates::{self, Closed, Visit},
    offer::Earlier,
    page,
};
use crate::site;

/// What is known where somebody asks.
pub struct Question<'a> {
    /// The site that the page is said to be of.
    pub site: &'a Site,
    /// Origin of Waypost's own pages.
    pub own_origin: &'a str,
    /// The participant who is on the page.
    pub participant_id: &'a Id,
    /// The tour that is asked about, released on the site or not.
    pub tour_id: &'a Id,
    /// Address of the page.
    pub url: &'a Url,
    /// The instant at which they are there.
    pub now: DateTime,
}

/// Asks the gates in their order. `playing` is what is released on the site, `earlier` what the participant ran there.
pub fn explain(question: &Question<'_>, playing: Vec<Playing>, earlier: Vec<Earlier>) -> Explanation {
    let page = question.url.parsed();
    let origin = page.origin().ascii_serialization();
    let mut results = vec![match site::admits(question.site, question.own_origin, Some(&origin)) {
        true => open(Gate::Origin),
        false => GateResult {
            found: Some(origin),
            ..closed(Gate::Origin, GateReason::OriginNotAllowed)
        },
    }];
    let Some(tour) = playing.iter().find(|tour| tour.tour_id == *question.tour_id).cloned() else {
        results.push(closed(Gate::Release, GateReason::NotReleased));
        return Explanation {
            would_play: false,
            resumes: false,
            gates: results,
        };
    };
    let own: Vec<Earlier> = earlier
        .iter()
        .filter(|run| run.tour_id == tour.tour_id)
        .cloned()
        .collect();
    let visit = Visit {
        participant_id: question.participant_id,
        tour: &tour,
        earlier: &own,
        all: &earlier,
        quiet_hours: question.site.quiet_hours,
        now: question.now,
    };
    for gate in gates::Gate::ALL {
        results.push(match gate.check(&visit) {
            Ok(()) => open(named(gate)),
            Err(reason) => because(named(gate), reason, &visit),
        });
    }
    let offered = offers(
        playing,
        question.participant_id,
        &earlier,
        question.site.quiet_hours,
        question.now,
    );
    results.extend(on_page(&tour, &offered, page.path()));
    Explanation {
        would_play: results.iter().all(|result| result.passed),
        resumes: visit.unfinished().is_some(),
        gates: results,
    }
}

/// What the page decides by itself.
fn on_page(tour: &Playing, offered: &[BootTour], path: &str) -> [GateResult; 3] {
    let pattern = tour.start.page.as_deref();
    let first = page::first(offered, path);
    let offer = offered.iter().find(|offer| offer.tour_id == tour.tour_id);
    // Whoever is inside a tour goes on with it, however it was started.
    let resumes = offer.is_some_and(|offer| offer.resume.is_some());
    [
        match page::on_page(pattern, path) {
            true => open(Gate::Page),
            false => GateResult {
                expected: pattern.map(str::to_owned),
                found: Some(path.to_owned()),
                ..closed(Gate::Page, GateReason::OtherPage)
            },
        },
        match tour.start.trigger {
            _ if resumes => open(Gate::Trigger),
            Trigger::Auto => open(Gate::Trigger),
            Trigger::Manual => closed(Gate::Trigger, GateReason::Manual),
            Trigger::Event => GateResult {
                expected: tour.start.event.clone(),
                ..closed(Gate::Trigger, GateReason::WaitsForEvent)
            },
        },
        match first.filter(|first| first.tour_id != tour.tour_id) {
            None => open(Gate::OtherTour),
            Some(first) => GateResult {
                found: Some(first.title.clone()),
                ..closed(Gate::OtherTour, GateReason::OtherTourFirst)
            },
        },
    ]
}

fn named(gate: gates::Gate) -> Gate {
    match gate {
        gates::Gate::Release => Gate::Release,
        gates::Gate::Schedule => Gate::Schedule,
        gates::Gate::Holdout => Gate::Holdout,
        gates::Gate::Rollout => Gate::Rollout,
        gates::Gate::Audience => Gate::Audience,
        gates::Gate::Frequency => Gate::Frequency,
        gates::Gate::QuietHours => Gate::QuietHours,
    }
}

fn because(gate: Gate, reason: Closed, visit: &Visit<'_>) -> GateResult {
    match reason {
        Closed::Paused => closed(gate, GateReason::Paused),
        Closed::NotYet(at) => GateResult {
            at: Some(at),
            ..closed(gate, GateReason::NotYet)
        },
        Closed::Over(at) => GateResult {
            at: Some(at),
            ..closed(gate, GateReason::Over)
        },
        Closed::HeldOut => closed(gate, GateReason::HeldOut),
        Closed::Waiting => GateResult {
            // A bucket is a hundredth of a percent, and a rollout of p percent takes those below 100 p.
            expected: Some((visit.bucket() / 100 + 1).to_string()),
            ..closed(gate, GateReason::BeyondRollout)
        },
        Closed::Seen(frequency) => GateResult {
            expected: Some(frequency.as_graphql().to_owned()),
            ..closed(gate, GateReason::Seen)
        },
        Closed::Again(at) => GateResult {
            at: Some(at),
            ..closed(gate, GateReason::SeenLately)
        },
        Closed::Audience => closed(gate, GateReason::ConditionFails),
        Closed::Quiet(at) => GateResult {
            at: Some(at),
            ..closed(gate, GateReason::Quiet)
        },
    }
}

fn open(gate: Gate) -> GateResult {
    GateResult {
        gate,
        passed: true,
        reason: None,
        at: None,
        expected: None,
        found: None,
    }
}

fn closed(gate: Gate, reason: GateReason) -> GateResult {
    GateResult {
        passed: false,
        reason: Some(reason),
        ..open(gate)
    }
}
