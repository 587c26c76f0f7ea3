//! Whether the provider's clock agrees with ours: tokens say when they begin and end.

use jiff::{Timestamp, fmt::rfc2822};

use super::{http::Answer, report::Findings};

/// Differences in seconds: above the first they are worth a word, above the second tokens are refused.
const NOTICED: i64 = 10;
const REFUSED: i64 = 60;

pub(super) fn compare(answer: &Answer, now: Timestamp, findings: &mut Findings) {
    let date = answer
        .header("date")
        .and_then(|date| rfc2822::parse(&date.replace("GMT", "+0000")).ok());
    let Some(theirs) = date else {
        findings.note("clock", "The provider does not say what time it is.", None);
        return;
    };
    let ahead = theirs.timestamp().as_second() - now.as_second();
    let whose = if ahead > 0 { "behind" } else { "ahead of" };
    let says = format!("This machine's clock is {} s {whose} the provider's.", ahead.abs());
    let cure = Some("Have this machine's clock set by NTP.".to_owned());
    match ahead.abs() {
        0..=NOTICED => findings.ok("clock", "This machine's clock agrees with the provider's."),
        11..=REFUSED => findings.warning("clock", format!("{says} Above {REFUSED} s, tokens are refused."), cure),
        _ => findings.problem("clock", format!("{says} Tokens are refused."), cure),
    }
}
