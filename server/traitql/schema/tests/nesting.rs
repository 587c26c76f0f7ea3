//! Deep and multiplying inputs never exhaust the stack or the time: they are accepted or rejected with `S005`.
#![allow(clippy::unwrap_used)]

mod support;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use traitql_schema::{Options, load};

const SCHEMA: &str = "type Query { shop: Shop @public any(value: Any, filter: FilterInput): Int @public }
type Shop { id: ID! parent: Shop }
input FilterInput { and: [FilterInput!] n: Int }
scalar Any
";

/// Writes an input with `n` levels or parts.
type Generator = fn(usize) -> String;

const GENERATORS: [(&str, Generator); 16] = [
    ("list types", |n| {
        format!("type Query {{ a: {} @public }}", list("Int", n))
    }),
    ("list types of arguments", |n| {
        format!("type Query {{ a(b: {}): Int @public }}", list("Int!", n))
    }),
    ("list types of directives", |n| {
        format!(
            "directive @d(a: {}) on FIELD type Query {{ a: Int @public }}",
            list("Int", n)
        )
    }),
    ("list types of variables", |n| {
        document(&format!("query A($a: {}) {{ any(value: $a) }}", list("Any", n)))
    }),
    ("list values", |n| {
        document(&format!("query A {{ any(value: {}) }}", list("1", n)))
    }),
    ("object values", |n| {
        document(&format!("query A {{ any(value: {}) }}", nested("{ a: ", "1", " }", n)))
    }),
    ("input values", |n| {
        document(&format!(
            "query A {{ any(filter: {}) }}",
            nested("{ and: ", "{ n: 1 }", " }", n)
        ))
    }),
    ("default values", |n| {
        format!("scalar Any type Query {{ a(b: Any = {}): Int @public }}", list("1", n))
    }),
    ("defaults in defaults", |n| {
        let inputs = (0..n).map(|i| format!("input I{i}Input {{ a: I{}Input = {{}} }}\n", i + 1));
        let inputs: String = inputs.collect();
        format!("type Query {{ a(b: I0Input = {{}}): Int @public }}\n{inputs}input I{n}Input {{ a: Int }}")
    }),
    ("defaults that multiply", |n| {
        let inputs = (0..n).map(|i| {
            format!(
                "input I{i}Input {{ a: I{0}Input! = {{}} b: I{0}Input! = {{}} }}\n",
                i + 1
            )
        });
        let inputs: String = inputs.collect();
        format!("type Query {{ a(b: I0Input! = {{}}): Int @public }}\n{inputs}input I{n}Input {{ a: Int }}")
    }),
    ("fields", |n| {
        document(&format!(
            "query A {{ shop {} }}",
            nested("{ parent ", "{ id }", " }", n)
        ))
    }),
    ("inline fragments", |n| {
        document(&format!("query A {{ shop {} }}", nested("{ ... ", "{ id }", " }", n)))
    }),
    ("fragments in each other", |n| {
        fragments(n, |next| format!("...F{next}"))
    }),
    ("fragments that multiply", |n| {
        fragments(n, |next| {
            format!("a{next}: parent {{ ...F{next} }} b{next}: parent {{ ...F{next} }}")
        })
    }),
    ("fragments that multiply without aliases", |n| {
        fragments(n, |next| {
            format!("parent {{ ...F{next} }} parent {{ ...F{next} ... {{ ...F{next} }} }}")
        })
    }),
    ("fragments in a circle that multiply", |n| {
        fragments(n, |next| {
            format!("a{next}: parent {{ ...F{next} }} b{next}: parent {{ ...F{next} }}")
        })
        .replace("{ id }", "{ id parent { ...F0 } }")
    }),
];

/// Codes that an invalid input also has.
fn others(name: &str) -> &[&str] {
    match name {
        "list types of variables" => &["D012"],
        "fragments in a circle that multiply" => &["D006"],
        _ => &[],
    }
}

fn nested(open: &str, inner: &str, close: &str, n: usize) -> String {
    open.repeat(n) + inner + &close.repeat(n)
}

fn list(of: &str, n: usize) -> String {
    nested("[", of, "]", n)
}

fn document(text: &str) -> String {
    format!("{SCHEMA}#--- operations/A.graphql\n{text}\n")
}

fn fragments(n: usize, body: fn(usize) -> String) -> String {
    let mut text = "query A { shop { ...F0 } }\n".to_owned();
    for i in 0..n {
        writeln!(text, "fragment F{i} on Shop {{ {} }}", body(i + 1)).unwrap();
    }
    document(&format!("{text}fragment F{n} on Shop {{ id }}"))
}

/// The stack of a test's thread has two megabytes, a quarter of that of the command.
#[test]
fn deep_inputs_are_accepted_or_rejected() {
    const SIZES: [usize; 12] = [0, 1, 2, 5, 12, 16, 17, 40, 64, 101, 480, 3_000];
    let start = Instant::now();
    let mut accepted = Vec::new();
    for (name, generate) in GENERATORS {
        for n in SIZES {
            let text = generate(n);
            let (schema, documents) = support::split(&text);
            match load(&schema, &documents, &Options::lenient()) {
                Ok(_) => accepted.push((name, n)),
                Err(report) => {
                    let mut codes = report.diagnostics().iter().map(|found| found.code.id);
                    let expected = |code: &str| code == "S005" || others(name).contains(&code);
                    assert!(codes.all(expected), "{name} with {n} levels:\n{report}");
                }
            }
        }
    }
    for (name, _) in GENERATORS.iter().filter(|(name, _)| others(name).is_empty()) {
        assert!(accepted.contains(&(name, 5)), "{name} with 5 levels must be accepted");
        assert!(
            !accepted.contains(&(name, 480)),
            "{name} with 480 levels must be rejected"
        );
    }
    // Without the limits, one input takes longer than the age of the universe.
    assert!(start.elapsed() < Duration::from_secs(300));
}
