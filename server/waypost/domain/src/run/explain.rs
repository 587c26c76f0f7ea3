//! Explanations: all eligibility checks for a visitor, a tour and a page, with their results in terms of the schema.

use traitql::{DateTime, Id, Url};
use waypost_api::{BootTour, Explanation, Gate, GateReason, GateResult, Site, Trigger};

use super::{
    boot::{CurrentRelease, offers},
    gates::{self, Candidate, Ineligible, Visit},
    offer::PastRun,
    page,
};
use crate::site;

/// The parameters of an explanation.
pub struct ExplainRequest<'a> {
    /// The visitor's site.
    pub site: &'a Site,
    /// The origin of Waypost's own pages.
    pub own_origin: &'a str,
    /// The visitor.
    pub participant_id: &'a Id,
    /// The tour to explain. It need not be released on the site.
    pub tour_id: &'a Id,
    /// The URL of the page.
    pub url: &'a Url,
    /// The time of the visit.
    pub now: DateTime,
}

/// Runs all checks in order. `releases` are the current releases of the site, `past_runs` the visitor's runs there.
pub fn explain(request: &ExplainRequest<'_>, releases: Vec<CurrentRelease>, past_runs: Vec<PastRun>) -> Explanation {
    let visit = Visit {
        participant_id: request.participant_id,
        past_runs: &past_runs,
        cooldown_hours: request.site.quiet_hours,
        now: request.now,
    };
    let page = request.url.parsed();
    let origin = page.origin().ascii_serialization();
    let mut results = vec![if site::admits(request.site, request.own_origin, Some(&origin)) {
        passed(Gate::Origin)
    } else {
        GateResult {
            found: Some(origin),
            ..failed(Gate::Origin, GateReason::OriginNotAllowed)
        }
    }];
    let Some(tour) = releases.iter().find(|tour| tour.tour_id == *request.tour_id).cloned() else {
        results.push(failed(Gate::Release, GateReason::NotReleased));
        return Explanation {
            would_play: false,
            resumes: false,
            gates: results,
        };
    };
    let candidate = Candidate::new(&visit, &tour);
    for check in gates::EligibilityCheck::ALL {
        results.push(match check.run(&candidate) {
            Ok(()) => passed(schema_gate(check)),
            Err(reason) => failure(schema_gate(check), reason, &candidate),
        });
    }
    let offered = offers(releases, &visit);
    results.extend(page_results(&tour, &offered, page.path()));
    Explanation {
        would_play: results.iter().all(|result| result.passed),
        resumes: candidate.active_run().is_some(),
        gates: results,
    }
}

/// Returns the results of the checks that the page makes.
fn page_results(tour: &CurrentRelease, offered: &[BootTour], path: &str) -> [GateResult; 3] {
    let pattern = tour.start.page.as_deref();
    let first = page::first_to_start(offered, path);
    let offer = offered.iter().find(|offer| offer.tour_id == tour.tour_id);
    // An active run resumes regardless of the trigger.
    let resumes = offer.is_some_and(|offer| offer.resume.is_some());
    [
        if page::is_on_page(pattern, path) {
            passed(Gate::Page)
        } else {
            GateResult {
                expected: pattern.map(str::to_owned),
                found: Some(path.to_owned()),
                ..failed(Gate::Page, GateReason::OtherPage)
            }
        },
        match tour.start.trigger {
            _ if resumes => passed(Gate::Trigger),
            Trigger::Auto => passed(Gate::Trigger),
            Trigger::Manual => failed(Gate::Trigger, GateReason::Manual),
            Trigger::Event => GateResult {
                expected: tour.start.event.clone(),
                ..failed(Gate::Trigger, GateReason::WaitsForEvent)
            },
        },
        match first.filter(|first| first.tour_id != tour.tour_id) {
            None => passed(Gate::OtherTour),
            Some(first) => GateResult {
                found: Some(first.title.clone()),
                ..failed(Gate::OtherTour, GateReason::OtherTourFirst)
            },
        },
    ]
}

fn schema_gate(check: gates::EligibilityCheck) -> Gate {
    match check {
        gates::EligibilityCheck::Release => Gate::Release,
        gates::EligibilityCheck::Schedule => Gate::Schedule,
        gates::EligibilityCheck::Holdout => Gate::Holdout,
        gates::EligibilityCheck::Rollout => Gate::Rollout,
        gates::EligibilityCheck::Audience => Gate::Audience,
        gates::EligibilityCheck::Frequency => Gate::Frequency,
        gates::EligibilityCheck::Cooldown => Gate::QuietHours,
    }
}

fn failure(gate: Gate, reason: Ineligible, candidate: &Candidate<'_>) -> GateResult {
    match reason {
        Ineligible::Paused => failed(gate, GateReason::Paused),
        Ineligible::NotStarted(at) => GateResult {
            at: Some(at),
            ..failed(gate, GateReason::NotYet)
        },
        Ineligible::Ended(at) => GateResult {
            at: Some(at),
            ..failed(gate, GateReason::Over)
        },
        Ineligible::HeldOut => failed(gate, GateReason::HeldOut),
        Ineligible::BeyondRollout => GateResult {
            // A bucket is a hundredth of a percent, and a rollout of p percent includes the buckets below 100 p.
            expected: Some((candidate.bucket() / 100 + 1).to_string()),
            ..failed(gate, GateReason::BeyondRollout)
        },
        Ineligible::AlreadySeen(frequency) => GateResult {
            expected: Some(frequency.as_graphql().to_owned()),
            ..failed(gate, GateReason::Seen)
        },
        Ineligible::SeenRecently(at) => GateResult {
            at: Some(at),
            ..failed(gate, GateReason::SeenLately)
        },
        Ineligible::ConditionFails => failed(gate, GateReason::ConditionFails),
        Ineligible::Cooldown(at) => GateResult {
            at: Some(at),
            ..failed(gate, GateReason::Quiet)
        },
    }
}

fn passed(gate: Gate) -> GateResult {
    GateResult {
        gate,
        passed: true,
        reason: None,
        at: None,
        expected: None,
        found: None,
    }
}

fn failed(gate: Gate, reason: GateReason) -> GateResult {
    GateResult {
        passed: false,
        reason: Some(reason),
        ..passed(gate)
    }
}
