//! Documents that want to be expensive, and what they cost until they are refused, as a server meets them that takes
//! documents which are not in its manifest.

use std::{error::Error, time::Instant};

use serde_json::json;
use traitql::{AdHoc, Limits};

const TIMES: usize = 20;

/// Prints a line of JSON for each document.
pub(crate) fn measure() -> Result<(), Box<dyn Error>> {
    for (name, text) in documents() {
        let mut slowest = 0.0_f64;
        let mut most = 0;
        let mut verdict = String::new();
        for _ in 0..TIMES {
            // What was refused is not remembered, and what was accepted is: each time is the first.
            let documents = AdHoc::new(bench_api::SDL, Limits::default())?;
            let counted = allocation_counter::measure(|| {
                let begun = Instant::now();
                let admitted = documents.admit(&text, None);
                slowest = slowest.max(begun.elapsed().as_secs_f64() * 1_000.0);
                verdict = match admitted {
                    Ok(_) => "accepted".to_owned(),
                    Err(refusal) => said(&refusal),
                };
            });
            most = most.max(counted.bytes_max);
        }
        let row = json!({ "name": name, "length": text.len(), "ms": slowest, "bytes": most, "verdict": verdict });
        println!("{row}");
    }
    Ok(())
}

fn said(refusal: &traitql::Refusal) -> String {
    match refusal {
        traitql::Refusal::Invalid(findings) => findings
            .first()
            .map_or_else(String::new, |finding| finding.problem.clone()),
        traitql::Refusal::TooCostly { cost, limit } => format!("it costs {cost}, and may cost {limit}."),
    }
}

fn documents() -> Vec<(&'static str, String)> {
    let nested = |depth: usize| {
        format!(
            "{{ places {}id{} }}",
            "{ within ".repeat(depth) + "{ ",
            "}".repeat(depth + 1)
        )
    };
    let doubling = |fragments: usize| {
        let spread = |at: usize| {
            format!(
                "fragment F{at} on Place {{ a: within {{ ...F{0} }} b: within {{ ...F{0} }} }} ",
                at + 1
            )
        };
        let all: String = (0..fragments).map(spread).collect();
        format!("{{ places {{ ...F0 }} }} {all} fragment F{fragments} on Place {{ id }}")
    };
    let merging = |fields: usize| {
        let all: String = (0..fields).map(|at| format!("...F{at} ")).collect();
        let fragments: String = (0..fields)
            .map(|at| format!("fragment F{at} on Place {{ within {{ within {{ name a{at}: id }} }} }} "))
            .collect();
        format!("{{ places {{ {all} }} }} {fragments}")
    };
    vec![
        ("nested 30 levels", nested(30)),
        ("nested 2,000 levels", nested(2_000)),
        (
            "nested lists of a value, 10,000 levels",
            format!(
                "{{ products(first: {}1{}) {{ id }} }}",
                "[".repeat(10_000),
                "]".repeat(10_000)
            ),
        ),
        ("fragments that double 12 times", doubling(12)),
        ("fragments that double 200 times", doubling(200)),
        (
            "fragments in a circle",
            "{ places { ...A } } fragment A on Place { within { ...B } } fragment B on Place { within { ...A } }"
                .to_owned(),
        ),
        (
            "one alias 2,000 times",
            format!(
                "{{ {} }}",
                (0..2_000).map(|at| format!("a{at}: ping ")).collect::<String>()
            ),
        ),
        ("one field 10,000 times", format!("{{ {} }}", "ping ".repeat(10_000))),
        ("fields that may not merge, 25 fragments", merging(25)),
        ("fields that may not merge, 300 fragments", merging(300)),
        (
            "one directive 5,000 times",
            format!("{{ ping {} }}", "@skip(if: false) ".repeat(5_000)),
        ),
        (
            "3,000 variables",
            format!(
                "query Q({}) {{ ping }}",
                (0..3_000).map(|at| format!("$v{at}: Int ")).collect::<String>()
            ),
        ),
        (
            "3,000 unknown fields",
            format!(
                "{{ {} }}",
                (0..3_000).map(|at| format!("nothing{at} ")).collect::<String>()
            ),
        ),
        (
            "a text of a megabyte",
            format!("{{ ping(text: \"{}\") }}", "a".repeat(1 << 20)),
        ),
        (
            "a comment of 30 kB",
            format!("# {}\n{{ ping }} {{ ping }}", "a".repeat(30_000)),
        ),
        ("commas, 32,000 of them", format!("{{ ping {} }}", ",".repeat(31_900))),
        ("introspection, lists within lists", {
            let inner = "fields { type { ".repeat(6);
            format!("{{ __schema {{ types {{ {inner} name {} }} }} }}", "} } ".repeat(6))
        }),
        ("the largest document in the bounds, and wrong", {
            let fields: String = (0..450).map(|_| "places { id name nothing } ").collect();
            format!("{{ {fields} }}")
        }),
    ]
}
