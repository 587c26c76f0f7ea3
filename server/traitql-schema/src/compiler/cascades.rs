//! One message for one mistake. The library tells everything that is wrong with a document; some of it would vanish once
//! another finding is mended, and is left out.

use apollo_compiler::parser::SourceSpan;

use super::{Finding, quoted};
use crate::code;
use crate::diagnostic::Collector;
use crate::source::Sources;

/// A finding and its place.
pub(super) type Placed = (Finding, Option<SourceSpan>);

/// Findings that are nobody's consequence.
pub(super) fn without_consequences(findings: Vec<Placed>, out: &Collector) -> Vec<Placed> {
    let consequences: Vec<bool> = findings
        .iter()
        .enumerate()
        .map(|(index, placed)| is_consequence(placed, &findings[..index], &findings, out))
        .collect();
    let paired = findings.into_iter().zip(consequences);
    paired
        .filter_map(|(placed, consequence)| (!consequence).then_some(placed))
        .collect()
}

fn is_consequence((finding, at): &Placed, earlier: &[Placed], all: &[Placed], out: &Collector) -> bool {
    let sources = out.sources();
    let within = |other: &Placed| contains(*at, other.1);
    // A list of everything that exists is no guess.
    let names = |other: &Placed, name: &str| {
        let mut guesses = other.0.help.iter().filter(|help| !help.starts_with("it has"));
        guesses.any(|help| quoted(help).contains(&name))
    };
    match finding.code {
        // A misspelt argument is also a missing one, and so is one that is given as null.
        code::MISSING_ARGUMENT => {
            let argument = quoted(&finding.message).get(1).copied().unwrap_or_default();
            all.iter().any(|other| {
                let misspelt = other.0.code == code::UNKNOWN_ARGUMENT && names(other, argument);
                let null = other.0.code == code::WRONG_VALUE && other.0.message.ends_with("found null");
                within(other) && (misspelt || null)
            })
        }
        code::MISSING_INPUT_FIELD => {
            let field = quoted(&finding.message).first().copied().unwrap_or_default();
            all.iter().any(|other| {
                let misspelt = other.0.code == code::UNKNOWN_INPUT_FIELD && names(other, field);
                let null = other.0.code == code::WRONG_VALUE && other.0.message.ends_with("found null");
                within(other) && (misspelt || null)
            })
        }
        // Arguments that belong into an input are told once.
        code::UNKNOWN_ARGUMENT => earlier.iter().any(|other| {
            other.0.code == code::UNKNOWN_ARGUMENT
                && finding.help == other.0.help
                && finding.help.iter().any(|help| help.contains("input"))
                && same_file(*at, other.1)
        }),
        // `on Tour { … }` without its dots reads like two fields.
        code::UNKNOWN_FIELD => all
            .iter()
            .any(|other| other.0.code == code::UNKNOWN_FIELD && other.0.mark == "on" && follows(sources, other.1, *at)),
        _ => false,
    }
}

fn same_file(a: Option<SourceSpan>, b: Option<SourceSpan>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a.file_id() == b.file_id())
}

fn contains(outer: Option<SourceSpan>, inner: Option<SourceSpan>) -> bool {
    outer.zip(inner).is_some_and(|(outer, inner)| {
        outer.file_id() == inner.file_id()
            && outer.offset() <= inner.offset()
            && inner.end_offset() <= outer.end_offset()
    })
}

/// Whether only blanks stand between a place and the next.
fn follows(sources: &Sources, first: Option<SourceSpan>, second: Option<SourceSpan>) -> bool {
    let (Some(first), Some(second)) = (first, second) else {
        return false;
    };
    let file = sources.files().get(&first.file_id());
    let between = file.and_then(|file| file.source_text().get(first.end_offset()..second.offset()));
    first.file_id() == second.file_id() && between.is_some_and(|between| between.trim().is_empty())
}
