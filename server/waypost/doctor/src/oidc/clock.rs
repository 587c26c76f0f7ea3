//! Tokens contain their issue and expiry times.

use jiff::{Timestamp, fmt::rfc2822};

use crate::{http::Response, report::Findings};

const NEGLIGIBLE_SKEW: i64 = 10;

/// Seconds above which tokens are rejected (`Timing::leeway`).
const MAX_SKEW: i64 = 60;

pub(super) fn compare(response: &Response, now: Timestamp, findings: &mut Findings) {
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
    let direction = if difference > 0 { "behind" } else { "ahead of" };
    let message = format!(
        "This machine's clock is {} s {direction} the provider's.",
        difference.abs()
    );
    let fix = Some("Synchronize this machine's clock with NTP.".to_owned());
    match difference.abs() {
        0..=NEGLIGIBLE_SKEW => findings.ok("clock", "This machine's clock agrees with the provider's."),
        11..=MAX_SKEW => findings.warning(
            "clock",
            format!("{message} Above {MAX_SKEW} s, tokens are rejected."),
            fix,
        ),
        _ => findings.problem("clock", format!("{message} Tokens are rejected."), fix),
    }
}
