use std::{error::Error, time::Instant};

use serde_json::json;
use traitql::{AdHoc, Limits};

const RUNS: usize = 20;

pub(crate) fn measure() -> Result<(), Box<dyn Error>> {
    for (name, text) in documents() {
        let mut slowest = 0.0_f64;
        let mut most = 0;
        let mut verdict = String::new();
        for _ in 0..RUNS {
            // Accepted documents are cached, so each run uses a new instance.
            let documents = AdHoc::new(bench_api::SDL, Limits::default())?;
            let counted = allocation_counter::measure(|| {
                let started = Instant::now();
                let checked = documents.check(&text, None);
                slowest = slowest.max(started.elapsed().as_secs_f64() * 1_000.0);
                verdict = match checked {
                    Ok(_) => "accepted".to_owned(),
                    Err(rejection) => message(&rejection),
                };
            });
            most = most.max(counted.bytes_max);
        }
        let row = json!({ "name": name, "length": text.len(), "ms": slowest, "bytes": most, "verdict": verdict });
        println!("{row}");
    }
    Ok(())
}

fn message(rejection: &traitql::Rejection) -> String {
    match rejection {
        traitql::Rejection::Invalid(findings) => findings
            .first()
            .map_or_else(String::new, |finding| finding.problem.clone()),
        traitql::Rejection::TooLarge(problem) => problem.clone(),
        traitql::Rejection::TooCostly { cost, limit } => format!("it costs {cost}, the limit is {limit}."),
    }
}

fn many(times: usize, part: impl Fn(usize) -> String) -> String {
    (0..times).map(part).collect()
}

fn nested(levels: usize) -> String {
    let (open, close) = ("{ within ".repeat(levels), "}".repeat(levels));
    format!("{{ places {open} {{ id }} {close} }}")
}

fn doubling(fragments: usize) -> String {
    let spread = |at: usize| {
        let next = at + 1;
        format!("fragment F{at} on Place {{ a: within {{ ...F{next} }} b: within {{ ...F{next} }} }} ")
    };
    let all = many(fragments, spread);
    format!("{{ places {{ ...F0 }} }} {all} fragment F{fragments} on Place {{ id }}")
}

fn merging(fragments: usize) -> String {
    let spreads = many(fragments, |at| format!("...F{at} "));
    let all = many(fragments, |at| {
        format!("fragment F{at} on Place {{ within {{ within {{ name a{at}: id }} }} }} ")
    });
    format!("{{ places {{ {spreads} }} }} {all}")
}

fn documents() -> Vec<(&'static str, String)> {
    let cycle = "{ places { ...A } } fragment A on Place { within { ...B } } fragment B on Place { within { ...A } }";
    let (lists, ends) = ("[".repeat(10_000), "]".repeat(10_000));
    let (fields, braces) = ("fields { type { ".repeat(6), "} } ".repeat(6));
    let variables = |times| many(times, |at| format!("$v{at}: Int "));
    vec![
        ("nested 30 levels", nested(30)),
        ("nested 2,000 levels", nested(2_000)),
        (
            "lists in lists, 10,000 levels",
            format!("{{ products(first: {lists}1{ends}) {{ id }} }}"),
        ),
        ("fragments that double 12 times", doubling(12)),
        ("fragments that double 50 times", doubling(50)),
        ("fragments that double 200 times", doubling(200)),
        ("fragments in a cycle", cycle.to_owned()),
        ("fields to compare, 25 fragments", merging(25)),
        ("fields to compare, 55 fragments", merging(55)),
        ("fields to compare, 300 fragments", merging(300)),
        (
            "450 aliases",
            format!("{{ {} }}", many(450, |at| format!("a{at}: ping "))),
        ),
        (
            "2,000 aliases",
            format!("{{ {} }}", many(2_000, |at| format!("a{at}: ping "))),
        ),
        ("one field 900 times", format!("{{ {} }}", "ping ".repeat(900))),
        ("one field 10,000 times", format!("{{ {} }}", "ping ".repeat(10_000))),
        (
            "180 directives",
            format!("{{ ping {} }}", "@skip(if: false) ".repeat(180)),
        ),
        (
            "5,000 directives",
            format!("{{ ping {} }}", "@skip(if: false) ".repeat(5_000)),
        ),
        (
            "300 unused variables",
            format!("query Q({}) {{ ping }}", variables(300)),
        ),
        (
            "3,000 unused variables",
            format!("query Q({}) {{ ping }}", variables(3_000)),
        ),
        (
            "900 unknown fields",
            format!("{{ {} }}", many(900, |at| format!("no{at} "))),
        ),
        (
            "2,500 unknown fields",
            format!("{{ {} }}", many(2_500, |at| format!("no{at} "))),
        ),
        (
            "a text of 30 kB",
            format!("{{ ping(text: \"{}\") }}", "a".repeat(30_000)),
        ),
        (
            "a text of a megabyte",
            format!("{{ ping(text: \"{}\") }}", "a".repeat(1 << 20)),
        ),
        (
            "a comment of 30 kB",
            format!("# {}\n{{ ping }} {{ ping }}", "a".repeat(30_000)),
        ),
        ("31,900 commas", format!("{{ ping {} }}", ",".repeat(31_900))),
        (
            "lists in lists of introspection",
            format!("{{ __schema {{ types {{ {fields} name {braces} }} }} }}"),
        ),
    ]
}
