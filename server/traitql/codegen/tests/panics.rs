//! The generator returns files or diagnostics, and never panics, for arbitrary bytes, and for fixtures with shuffled
//! or renamed tokens.
//!
//! Seeds are fixed. `TRAITQL_FUZZ=100000 cargo test -p traitql-codegen --test panics` runs more of them.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use fuzz_input::{Rng, bytes, mutated, renamed};
use traitql_codegen::{Config, generate};
use traitql_schema::{Options, SourceText, load};

#[path = "../../schema/tests/support/fuzz_input.rs"]
mod fuzz_input;

const DEFAULT_RUNS: u64 = 600;

fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for folder in [
        "../schema/tests/fixtures/valid",
        "../schema/tests/fixtures/invalid",
        "tests/fixtures",
        "../golden-tests/schema",
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut paths: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "graphql"));
        paths.sort();
        texts.extend(paths.iter().map(|path| fs::read_to_string(path).unwrap()));
    }
    texts
}

fn attempt(text: &str) -> bool {
    let mut files = vec![SourceText::new("schema/schema.graphql", "")];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("#--- ") {
            Some(path) => files.push(SourceText::new(path.trim(), "")),
            None => files.last_mut().unwrap().text.push_str(line),
        }
    }
    let directives = include_str!("../../schema/src/directives.graphql");
    let base =
        "enum Role { A B } enum ErrorCode { X @error(http: 409, message: \"No {thing}.\") } enum Format { SLUG }";
    files.push(SourceText::new("schema/traitql.graphql", directives));
    files.push(SourceText::new("schema/base.graphql", base));
    let (schema, documents): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.path.starts_with("schema/"));
    match load(&schema, &documents, &Options::lenient()) {
        Ok(model) => {
            let config = Config {
                samples: true,
                typescript: Some("web".to_owned()),
                ..Config::new("api", "manifest.json")
            };
            !generate(&model, &config).is_empty()
        }
        Err(report) => {
            assert!(!report.to_string().is_empty());
            false
        }
    }
}

#[test]
fn the_generator_does_not_panic_on_any_input() {
    let count = std::env::var("TRAITQL_FUZZ").map_or(DEFAULT_RUNS, |count| {
        count.parse().expect("TRAITQL_FUZZ must be a number")
    });
    let texts = texts();
    let valid: Vec<String> = texts.iter().filter(|text| attempt(text)).cloned().collect();
    let mut generated = 0;
    for seed in 0..count {
        let mut rng = Rng::with_seed(seed);
        let text = match seed % 10 {
            0 => bytes(&mut rng),
            1..4 => mutated(&texts, &mut rng),
            4..6 => mutated(&valid, &mut rng),
            _ => renamed(&valid, &mut rng),
        };
        match catch_unwind(AssertUnwindSafe(|| attempt(&text))) {
            Ok(is_valid) => generated += u64::from(is_valid),
            Err(_) => panic!("seed {seed} makes the generator panic:\n{text}"),
        }
    }
    // The generator needs valid inputs.
    assert!(generated * 20 > count, "only {generated} of {count} inputs were valid");
}

#[test]
fn a_schema_with_several_thousand_types_is_generated() {
    let count = 500;
    let mut schema = "type Query {\n".to_owned();
    for n in 0..count {
        schema += &format!("  f{n}(by: In{n}, color: Color{n} = RED): T{n}\n");
    }
    schema += "}\n";
    for n in 0..count {
        let next = (n + 1) % count;
        schema += &format!(
            "interface I{n} {{ id: ID! }}\ntype T{n} implements I{n} {{ id: ID! next: T{next} any: [U{n}!] color: Color{n} }}\n\
             union U{n} = T{n} | T{next}\nenum Color{n} {{ RED GREEN }}\n\
             input In{n} {{ id: ID next: In{next} colors: [Color{n}!] = [RED] }}\n"
        );
    }
    schema += &format!(
        "union All = {}\n",
        (0..count).map(|n| format!("T{n}")).collect::<Vec<_>>().join(" | ")
    );
    let sources = [SourceText::new("schema/schema.graphql", schema)];
    let model = load(&sources, &[], &Options::lenient()).unwrap_or_else(|report| panic!("{report}"));
    assert!(model.types.len() > 5 * count);
    let files = generate(&model, &Config::new("api", "manifest.json"));
    let types = files
        .iter()
        .find(|file| file.path.ends_with("types/schema.rs"))
        .unwrap();
    assert!(types.contents.contains(&format!("pub struct T{}", count - 1)));
}

/// The limits of the schema reader must fit into the stack of the generator, also in a debug build.
#[test]
fn the_deepest_accepted_schema_is_generated() {
    let lists = |of: &str| format!("{}{of}{}", "[".repeat(16), "]".repeat(16));
    let chain: String = (0..30)
        .map(|level| format!("input Chain{level}Input {{ next: Chain{}Input! = {{}} }}\n", level + 1))
        .collect();
    let growth: String = (0..7)
        .map(|level| {
            format!(
                "input Growth{level}Input {{ a: Growth{0}Input! = {{}} b: Growth{0}Input! = {{}} }}\n",
                level + 1
            )
        })
        .collect();
    let filter = format!("{}{{ n: 1 }}{}", "{ and: ".repeat(63), " }".repeat(63));
    let schema = format!(
        "type Query {{ a(list: {}, filter: FilterInput = {filter}, chain: Chain0Input! = {{}}, growth: Growth0Input! = {{}}): {} }}
        type Item {{ id: ID! }} input ItemInput {{ lists: {} }} {chain} {growth}
        input Chain30Input {{ id: ID! = 123456789012345678901234567890 }} input Growth7Input {{ n: Float = 12345678901234567890123 }}
        input FilterInput {{ and: [FilterInput!] n: Int }}",
        lists("ItemInput!"),
        lists("Item"),
        lists("Int!"),
    );
    let schema = SourceText::new("schema.graphql", schema);
    let model = load(&[schema], &[], &Options::lenient()).unwrap_or_else(|report| panic!("{report}"));
    let config = Config {
        samples: true,
        typescript: Some("web".to_owned()),
        ..Config::new("api", "manifest.json")
    };
    let files = generate(&model, &config);
    let text: String = files.iter().map(|file| file.contents.as_str()).collect();
    assert!(text.contains("\"123456789012345678901234567890\".into()"));
}
