//! Differences that were found once, each as a file: what it is about, then schema, document, variables, and the answers of the
//! resolvers by coordinate (`world.rs` says in which form). A difference that is shown with a seed has the number of the seed
//! and the names of faults in the place of the answers; that serves until somebody has written them down.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use crate::{bench::Bench, faults::Faults, minimise::Case, quietly, world::World};

#[test]
fn what_was_different_once_is_answered_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/fixtures");
    let mut count = 0;
    quietly(|| {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let (sdl, case) = read(&fs::read_to_string(&path).unwrap());
            let mut bench = Bench::new(sdl);
            bench
                .admit(&case.text)
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
            .unwrap_or_else(|| panic!("there is no section {name}"))
            + start.len();
        let end = text[at..].find("\n--- ").map_or(text.len(), |end| at + end);
        text[at..end].trim().to_owned()
    };
    let variables: Value = serde_json::from_str(&section("variables")).unwrap();
    let world = section("world");
    let world = match serde_json::from_str::<BTreeMap<String, Value>>(&world) {
        Ok(said) => World {
            said,
            ..World::default()
        },
        Err(_) => {
            let (seed, faults) = world.split_once(' ').unwrap_or((&world, ""));
            World {
                seed: seed.parse().expect("a seed, or answers as JSON"),
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
