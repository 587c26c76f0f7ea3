//! Compares this machine's clock with those of the providers, because tokens contain their issue and expiry times, and
//! with the one of PostgreSQL.

use jiff::{Timestamp, fmt::rfc2822};
use url::Url;
use waypost_server::config::Storage;

use crate::{
    Part,
    http::{HttpClient, Response},
    report::{Findings, Report},
};

const NEGLIGIBLE_SKEW: i64 = 10;

/// Seconds above which tokens are rejected (`Timing::leeway`).
const MAX_SKEW: i64 = 60;

pub(crate) async fn check(storage: &Storage, issuers: &[String]) -> Report {
    let mut findings = Findings::default();
    if issuers.is_empty() {
        findings.note(
            "clock",
            "WAYPOST_OIDC_ISSUER is not set, so the clock was not compared with a provider's.",
            None,
        );
    }
    for issuer in issuers {
        match date_of(issuer).await {
            Ok(response) => compare_with_provider(&response, Timestamp::now(), &mut findings),
            Err(problem) => findings.problem(
                "clock",
                format!("{issuer} cannot be reached from this machine: {problem}."),
                Some("Check WAYPOST_OIDC_ISSUER, DNS and the firewall.".to_owned()),
            ),
        }
    }
    if let Some(postgres) = &storage.postgres {
        match postgres.inspect().await {
            Ok(facts) => compare_with_database(facts.clock_difference_ms / 1000, &mut findings),
            Err(problem) => findings.problem(
                "clock",
                format!("The database {postgres} could not be read: {problem}."),
                None,
            ),
        }
    }
    Report::new(Part::Clock, "this machine", findings)
}

async fn date_of(issuer: &str) -> Result<Response, String> {
    let address = waypost_auth::discovery_address(issuer);
    let url = Url::parse(&address).map_err(|error| format!("{address} is not a URL: {error}"))?;
    HttpClient::new()?.get(&url).await
}

pub(crate) fn compare_with_provider(response: &Response, now: Timestamp, findings: &mut Findings) {
    let date = response
        .header("date")
        .and_then(|date| rfc2822::parse(&date.replace("GMT", "+0000")).ok());
    let Some(theirs) = date else {
        findings.note(
            "clock",
            "The provider's response has no valid `Date` header, so the clocks cannot be compared.",
            None,
        );
        return;
    };
    let difference = theirs.timestamp().as_second() - now.as_second();
    match difference.abs() {
        0..=NEGLIGIBLE_SKEW => findings.ok("clock", "This machine's clock agrees with the provider's."),
        11..=MAX_SKEW => findings.warning(
            "clock",
            format!(
                "{} Above {MAX_SKEW} s, tokens are rejected.",
                skew(difference, "the provider's")
            ),
            synchronize(),
        ),
        _ => findings.problem(
            "clock",
            format!("{} Tokens are rejected.", skew(difference, "the provider's")),
            synchronize(),
        ),
    }
}

/// Waypost does not use the database's clock, but a difference is a sign that one of both clocks is wrong.
fn compare_with_database(difference: i64, findings: &mut Findings) {
    if difference.abs() <= NEGLIGIBLE_SKEW {
        findings.ok("clock", "This machine's clock agrees with the database's.");
    } else {
        findings.warning(
            "clock",
            format!(
                "{} Processes on machines with different clocks start and end releases at different times.",
                skew(difference, "the database's")
            ),
            synchronize(),
        );
    }
}

/// `difference` is their clock minus this one, in seconds.
fn skew(difference: i64, theirs: &str) -> String {
    let direction = if difference > 0 { "behind" } else { "ahead of" };
    format!("This machine's clock is {} s {direction} {theirs}.", difference.abs())
}

fn synchronize() -> Option<String> {
    Some("Synchronize this machine's clock with NTP.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_of_the_database_that_differs_is_a_warning() {
        for (difference, expected) in [
            (-10, "ok clock: This machine's clock agrees"),
            (11, "warning clock: This machine's clock is 11 s behind the database's."),
            (
                -600,
                "warning clock: This machine's clock is 600 s ahead of the database's.",
            ),
        ] {
            let mut findings = Findings::default();
            compare_with_database(difference, &mut findings);
            let lines = findings.lines();
            assert!(lines[0].starts_with(expected), "{lines:?}");
        }
    }
}
