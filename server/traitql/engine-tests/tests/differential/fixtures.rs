//! Former differences: a description, then schema, document, variables, and values by coordinate (see `world.rs`). A
//! new one can have its seed and faults instead.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use crate::{bench::Bench, faults::Faults, minimize::Case, without_panic_messages, world::World};

#[test]
fn former_differences_have_equal_responses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/fixtures");
    let mut count = 0;
    without_panic_messages(|| {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let (sdl, case) = read(&fs::read_to_string(&path).unwrap());
            let mut bench = Bench::new(sdl);
            bench
                .check(&case.text)
                .unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
            if let Some(difference) = case.difference(&mut bench) {
                panic!("{}: {difference}", path.display());
            }
            count += 1;
        }
    });
    assert!(count > 0);
}

fn read(text: &str) -> (String, Case) {
    let section = |name: &str| {
        let start = format!("\n--- {name}\n");
        let at = text
            .find(&start)
            .unwrap_or_else(|| panic!("the section {name} is missing"))
            + start.len();
        let end = text[at..].find("\n--- ").map_or(text.len(), |end| at + end);
        text[at..end].trim().to_owned()
    };
    let variables: Value = serde_json::from_str(&section("variables")).unwrap();
    let world = section("world");
    let world = match serde_json::from_str::<BTreeMap<String, Value>>(&world) {
        Ok(fixed) => World {
            fixed,
            ..World::default()
        },
        Err(_) => {
            let (seed, faults) = world.split_once(' ').unwrap_or((&world, ""));
            World {
                seed: seed.parse().expect("the section must be a seed, or values as JSON"),
                faults: Faults::named(faults),
                ..World::default()
            }
        }
    };
    let variables = variables.as_object().cloned().unwrap_or_default();
    (
        section("schema"),
        Case {
            text: section("document"),
            variables,
            world,
        },
    )
}
