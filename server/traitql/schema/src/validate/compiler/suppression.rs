//! Suppresses findings that disappear once another one is fixed.

use apollo_compiler::parser::SourceSpan;

use super::{Finding, quoted};
use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::parse::source::Sources;

pub(super) type Placed = (Finding, Option<SourceSpan>);

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
    // Lists of all candidates are not suggestions.
    let names = |other: &Placed, name: &str| {
        let mut guesses = other.0.help.iter().filter(|help| !help.starts_with("available "));
        guesses.any(|help| quoted(help).contains(&name))
    };
    match finding.code {
        // A misspelled or null argument is also reported as missing.
        code::MISSING_ARGUMENT | code::MISSING_INPUT_FIELD => all.iter().any(|other| {
            let is_unknown = [code::UNKNOWN_ARGUMENT, code::UNKNOWN_INPUT_FIELD].contains(&other.0.code);
            let null = other.0.code == code::WRONG_VALUE && other.0.about == "null";
            within(other) && (null || is_unknown && names(other, &finding.about))
        }),
        // Arguments that belong in the same input object are reported once.
        code::UNKNOWN_ARGUMENT => earlier.iter().any(|other| {
            other.0.code == code::UNKNOWN_ARGUMENT
                && finding.help == other.0.help
                && finding.help.iter().any(|help| help.contains("input"))
                && same_file(*at, other.1)
        }),
        // `on Tour { … }` without its dots is parsed as two fields.
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

fn follows(sources: &Sources, first: Option<SourceSpan>, second: Option<SourceSpan>) -> bool {
    let (Some(first), Some(second)) = (first, second) else {
        return false;
    };
    let file = sources.files().get(&first.file_id());
    let between = file.and_then(|file| file.source_text().get(first.end_offset()..second.offset()));
    first.file_id() == second.file_id() && between.is_some_and(|between| between.trim().is_empty())
}
