use traitql::{DateTime, Id, Url};
use waypost_api::{
    AttemptProblem, BootTour, EligibilityCheck, EligibilityResult, Explanation, IneligibleReason, Trigger, Visitor,
};

use super::{
    boot::offers,
    boot_cache::LiveSite,
    candidate::{Candidate, CurrentRelease, PastRun, Visit},
    eligibility::{Ineligible, ServerCheck},
    page,
};
use crate::{release::allocation::smallest_rollout, run::attempts::LastAttempt, site, visitor::traits::Traits};

pub struct ExplainRequest<'a> {
    pub live: &'a LiveSite,
    pub own_origin: &'a str,
    pub visitor: &'a Visitor,
    /// Need not be released on the site.
    pub tour_id: &'a Id,
    pub url: &'a Url,
    /// The last attempts of the visitor to show the tour.
    pub attempts: &'a [LastAttempt],
    pub now: DateTime,
}

/// Runs all checks in order, and sorts the failed ones first. `past_runs` are the visitor's runs on the site.
pub fn explain(request: &ExplainRequest<'_>, past_runs: &[PastRun]) -> Explanation {
    let LiveSite {
        site,
        releases,
        segments,
        ..
    } = request.live;
    let visit = Visit {
        visitor_id: &request.visitor.id,
        past_runs,
        traits: &Traits::of(&request.visitor.traits),
        verified: request.visitor.verified,
        segments,
        cooldown_hours: site.cooldown_hours,
        now: request.now,
    };
    let page = request.url.parsed();
    let origin = page.origin().ascii_serialization();
    let mut results = vec![if site::admits(site, request.own_origin, Some(&origin)) {
        passed(EligibilityCheck::Origin)
    } else {
        EligibilityResult {
            found: Some(origin),
            ..failed(EligibilityCheck::Origin, IneligibleReason::OriginNotAllowed)
        }
    }];
    let Some(tour) = releases.iter().find(|tour| tour.tour_id == *request.tour_id) else {
        results.push(failed(EligibilityCheck::Release, IneligibleReason::NotReleased));
        results.sort_by_key(|result| result.passed);
        return Explanation {
            would_play: false,
            resumes: false,
            checks: results,
        };
    };
    let candidate = Candidate::new(&visit, tour);
    for check in ServerCheck::ALL {
        results.push(match check.run(&candidate) {
            Ok(()) => passed(schema_check(check)),
            Err(reason) => failure(schema_check(check), reason, &candidate),
        });
    }
    let offered = offers(releases, &visit);
    results.extend(page_results(
        tour,
        &offered,
        &format!("//{}", &page[url::Position::BeforeHost..url::Position::AfterQuery]),
    ));
    results.extend(attempt_results(request.attempts, &candidate));
    results.sort_by_key(|result| result.passed);
    Explanation {
        would_play: results.iter().all(|result| result.passed),
        resumes: candidate.active_run().is_some(),
        checks: results,
    }
}

fn page_results(tour: &CurrentRelease, offered: &[BootTour], address: &str) -> [EligibilityResult; 3] {
    let pattern = tour.start.page.as_deref();
    let first = page::first_to_start(offered, address);
    let offer = offered.iter().find(|offer| offer.tour_id == tour.tour_id);
    // An active run resumes regardless of the trigger.
    let resumes = offer.is_some_and(|offer| offer.resume.is_some());
    [
        if page::is_on_page(pattern, address) {
            passed(EligibilityCheck::Page)
        } else {
            EligibilityResult {
                expected: pattern.map(str::to_owned),
                found: Some(page::as_in_pattern(address, pattern).to_owned()),
                ..failed(EligibilityCheck::Page, IneligibleReason::OtherPage)
            }
        },
        match tour.start.trigger {
            _ if resumes => passed(EligibilityCheck::Trigger),
            Trigger::Auto => passed(EligibilityCheck::Trigger),
            Trigger::Manual => failed(EligibilityCheck::Trigger, IneligibleReason::Manual),
            Trigger::Event => EligibilityResult {
                expected: tour.start.event.clone(),
                ..failed(EligibilityCheck::Trigger, IneligibleReason::WaitsForEvent)
            },
        },
        match first.filter(|first| first.tour_id != tour.tour_id) {
            None => passed(EligibilityCheck::OtherTour),
            Some(first) => EligibilityResult {
                found: Some(first.title.clone()),
                ..failed(EligibilityCheck::OtherTour, IneligibleReason::OtherTourFirst)
            },
        },
    ]
}

/// An attempt counts until the tour is shown, and a failure of the player until it is loaded.
fn attempt_results(attempts: &[LastAttempt], candidate: &Candidate<'_>) -> [EligibilityResult; 2] {
    let of = |problem| attempts.iter().find(|attempt| attempt.problem == problem);
    let shown = candidate.last_shown();
    let missing = of(AttemptProblem::ElementMissing).filter(|attempt| Some(attempt.at) > shown);
    let loaded = shown.max(missing.map(|attempt| attempt.at));
    let unloaded = of(AttemptProblem::PlayerFailed).filter(|attempt| Some(attempt.at) > loaded);
    [
        match unloaded {
            None => passed(EligibilityCheck::Player),
            Some(attempt) => EligibilityResult {
                at: Some(attempt.at),
                ..failed(EligibilityCheck::Player, IneligibleReason::PlayerFailed)
            },
        },
        match missing {
            None => passed(EligibilityCheck::Element),
            Some(attempt) => EligibilityResult {
                at: Some(attempt.at),
                expected: attempt.step.clone(),
                ..failed(EligibilityCheck::Element, IneligibleReason::ElementMissing)
            },
        },
    ]
}

fn schema_check(check: ServerCheck) -> EligibilityCheck {
    match check {
        ServerCheck::Release => EligibilityCheck::Release,
        ServerCheck::Schedule => EligibilityCheck::Schedule,
        ServerCheck::Holdout => EligibilityCheck::Holdout,
        ServerCheck::Rollout => EligibilityCheck::Rollout,
        ServerCheck::Audience => EligibilityCheck::Audience,
        ServerCheck::Frequency => EligibilityCheck::Frequency,
        ServerCheck::Cooldown => EligibilityCheck::Cooldown,
    }
}

fn failure(check: EligibilityCheck, reason: Ineligible, candidate: &Candidate<'_>) -> EligibilityResult {
    match reason {
        Ineligible::Paused => failed(check, IneligibleReason::Paused),
        Ineligible::NotStarted(at) => EligibilityResult {
            at: Some(at),
            ..failed(check, IneligibleReason::NotYet)
        },
        Ineligible::Ended(at) => EligibilityResult {
            at: Some(at),
            ..failed(check, IneligibleReason::Over)
        },
        Ineligible::InHoldout => failed(check, IneligibleReason::InHoldout),
        Ineligible::BeyondRollout => EligibilityResult {
            expected: Some(smallest_rollout(candidate.bucket()).to_string()),
            ..failed(check, IneligibleReason::BeyondRollout)
        },
        Ineligible::AlreadySeen(frequency) => EligibilityResult {
            expected: Some(frequency.as_graphql().to_owned()),
            ..failed(check, IneligibleReason::Seen)
        },
        Ineligible::SeenRecently(at) => EligibilityResult {
            at: Some(at),
            ..failed(check, IneligibleReason::SeenRecently)
        },
        Ineligible::ConditionFails => failed(check, IneligibleReason::ConditionFails),
        Ineligible::Cooldown(at) => EligibilityResult {
            at: Some(at),
            ..failed(check, IneligibleReason::Cooldown)
        },
    }
}

fn passed(check: EligibilityCheck) -> EligibilityResult {
    EligibilityResult {
        check,
        passed: true,
        reason: None,
        at: None,
        expected: None,
        found: None,
    }
}

fn failed(check: EligibilityCheck, reason: IneligibleReason) -> EligibilityResult {
    EligibilityResult {
        passed: false,
        reason: Some(reason),
        ..passed(check)
    }
}
