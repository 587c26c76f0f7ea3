//! Both engines and an independent judge must produce the same bytes, status and resolver calls, for random schemas,
//! documents, data and faults.
//!
//! `TRAITQL_DIFFERENTIAL=200000` runs more combinations. A difference is printed as a minimal case for `fixtures/`.
#![allow(clippy::unwrap_used)]
#![allow(
    clippy::print_stdout,
    reason = "the number of comparisons is part of the test's output"
)]

mod bench;
mod document;
mod documents;
mod dynamic_schema;
mod facts;
mod faults;
mod fixtures;
mod judge;
mod minimize;
mod plans;
mod schema;
mod values;
mod world;

#[path = "../../../schema/tests/support/fuzz_input.rs"]
mod fuzz_input;

use std::{
    panic,
    sync::{Arc, Mutex},
    thread,
};

use apollo_compiler::ast::{self, Type};
use serde_json::{Map, Value};

use crate::{
    bench::{Bench, Properties},
    faults::Faults,
    fuzz_input::Rng,
    minimize::{Case, minimized},
    world::World,
};

const COMBINATIONS: u64 = 12_000;

/// Documents per schema, and combinations of variables, data and faults per document.
const DOCUMENTS: u64 = 12;
const WORLDS: u64 = 10;

#[derive(Clone, Copy, Debug)]
struct Seed {
    schema: u64,
    document: u64,
    world: u64,
}

#[derive(Default, Debug)]
struct Tally {
    combinations: u64,
    invalid: u64,
    with_errors: u64,
    without_data: u64,
    refused: u64,
    calls: usize,
    bytes: usize,
    longest: usize,
}

impl Tally {
    fn count(&mut self, seen: Properties) {
        self.combinations += 1;
        self.with_errors += u64::from(seen.errors > 0);
        self.without_data += u64::from(seen.without_data);
        self.refused += u64::from(seen.refused);
        self.calls += seen.calls;
        self.bytes += seen.bytes;
        self.longest = self.longest.max(seen.bytes);
    }
}

#[test]
fn random_combinations_have_equal_responses() {
    let wanted = std::env::var("TRAITQL_DIFFERENTIAL").ok();
    let wanted = wanted.map_or(COMBINATIONS, |wanted| {
        wanted.parse().expect("`TRAITQL_DIFFERENTIAL` must be a number")
    });
    let (tally, next, differences) = (Mutex::new(Tally::default()), Mutex::new(0), Mutex::new(Vec::new()));
    without_panic_messages(|| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while tally.lock().unwrap().combinations < wanted && differences.lock().unwrap().is_empty() {
                        let schema = {
                            let mut next = next.lock().unwrap();
                            *next += 1;
                            *next - 1
                        };
                        if let Err(difference) = compare_schema(schema, &tally) {
                            differences.lock().unwrap().push(difference);
                        }
                    }
                });
            }
        });
    });
    let differences = differences.into_inner().unwrap();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    let tally = tally.into_inner().unwrap();
    println!("{tally:?}");
    let Tally { combinations, .. } = tally;
    assert!(combinations >= wanted, "{tally:?}");
    // Enough of both kinds.
    let share = |count: u64| count * 100 / combinations;
    assert!((20..=90).contains(&share(tally.with_errors)), "{tally:?}");
    assert!((3..=40).contains(&share(tally.without_data)), "{tally:?}");
    assert!((1..=20).contains(&share(tally.refused)), "{tally:?}");
    // A short search may have no long response.
    assert!(wanted < COMBINATIONS || tally.longest > 10_000, "{tally:?}");
}

fn compare_schema(schema: u64, tally: &Mutex<Tally>) -> Result<(), String> {
    let mut bench = Bench::new(schema::schema(schema));
    let made = (0..DOCUMENTS).map(|number| (number, document::document(&bench.facts, schema * 1_000 + number)));
    let made: Vec<_> = made
        .filter_map(|(number, text)| Some((number, bench.check(&text).ok()?)))
        .collect();
    tally.lock().unwrap().invalid += DOCUMENTS - made.len() as u64;
    let documents: Vec<_> = made.iter().map(|(_, document)| Arc::clone(document)).collect();
    bench.plan(&documents);
    for (number, document) in made {
        let definitions = definitions(&document.text);
        for world in 0..WORLDS {
            let seed = Seed {
                schema,
                document: number,
                world,
            };
            let (variables, world) = circumstances(&bench, &definitions, seed);
            match bench.compare(&document, &variables, &world) {
                Ok(seen) => tally.lock().unwrap().count(seen),
                Err(_) => {
                    let case = Case {
                        text: document.text.clone(),
                        variables,
                        world,
                    };
                    return Err(format!("{seed:?}\n{}", report(&mut bench, case)));
                }
            }
        }
    }
    Ok(())
}

fn report(bench: &mut Bench, case: Case) -> String {
    let (Case { text, variables, world }, difference) = minimized(bench, case);
    let (sdl, faults, variables) = (&bench.facts.sdl, world.faults.names(), Value::Object(variables));
    format!(
        "{difference}\n--- schema\n{sdl}--- document\n{text}--- variables\n{variables}\n--- world\n{} {faults}\n",
        world.seed
    )
}

/// The first world of each document has no faults.
fn circumstances(bench: &Bench, definitions: &[(String, Type, bool)], seed: Seed) -> (Map<String, Value>, World) {
    let mut rng = Rng::with_seed((seed.schema << 32) ^ (seed.document << 16) ^ seed.world);
    let variables = values::variables(&bench.facts, definitions, &mut rng);
    let faults = match seed.world {
        0 => Faults::NONE,
        1 => Faults::ALL,
        _ => Faults(rng.u8(..)),
    };
    let world = World {
        seed: rng.u64(..),
        faults,
        ..World::default()
    };
    (variables, world)
}

fn definitions(text: &str) -> Vec<(String, Type, bool)> {
    let document = ast::Document::parse(text, "document").expect("the document is valid");
    let operation = document
        .definitions
        .iter()
        .find_map(ast::Definition::as_operation_definition);
    let variables = operation.expect("the document is valid").variables.iter();
    variables
        .map(|it| (it.name.to_string(), (*it.ty).clone(), it.default_value.is_some()))
        .collect()
}

/// Thousands of intended panics would hide the test's own output.
fn without_panic_messages(work: impl FnOnce()) {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = info.payload().downcast_ref::<&str>().copied();
        if !["a resolver panics", "a scalar panics", "data panics"]
            .iter()
            .any(|known| message == Some(*known))
        {
            hook(info);
        }
    }));
    work();
}
