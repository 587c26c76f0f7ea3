//! The engines against each other and against a judge: schemas, documents, data and faults made by chance, and the documents
//! of clients, must give the same bytes, the same status and the same calls of resolvers.
//!
//! `TRAITQL_DIFFERENTIAL=200000` compares more; a difference is shown with the seed, the smallest document and the fewest faults that
//! still show it, ready to become a file of `fixtures/`.
#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stdout, reason = "how much was compared is worth reading")]

mod bench;
mod document;
mod documents;
mod facts;
mod faults;
mod fixtures;
mod judge;
mod minimise;
mod plans;
mod schema;
mod values;
mod wiring;
mod world;

#[path = "../../../traitql-schema/tests/support/chance.rs"]
mod chance;

use std::{
    panic,
    sync::{Arc, Mutex},
    thread,
};

use apollo_compiler::ast::{self, Type};
use serde_json::{Map, Value};

use crate::{
    bench::{Bench, Seen},
    chance::Chance,
    faults::Faults,
    minimise::{Case, minimised},
    world::World,
};

/// How many combinations are compared when nobody asks for more.
const COMBINATIONS: u64 = 12_000;

/// Documents of a schema, and combinations of variables, data and faults for each.
const DOCUMENTS: u64 = 12;
const WORLDS: u64 = 10;

/// Seed of a combination: which schema, which document of it, which world.
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
    fn count(&mut self, seen: Seen) {
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
fn combinations_made_by_chance_are_answered_alike() {
    let wanted = std::env::var("TRAITQL_DIFFERENTIAL").ok();
    let wanted = wanted.map_or(COMBINATIONS, |wanted| {
        wanted.parse().expect("TRAITQL_DIFFERENTIAL is a number")
    });
    let (tally, next, differences) = (Mutex::new(Tally::default()), Mutex::new(0), Mutex::new(Vec::new()));
    quietly(|| {
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
    // The comparison says something only when there was much to compare.
    let share = |count: u64| count * 100 / combinations;
    assert!((20..=90).contains(&share(tally.with_errors)), "{tally:?}");
    assert!((3..=40).contains(&share(tally.without_data)), "{tally:?}");
    assert!((1..=20).contains(&share(tally.refused)), "{tally:?}");
    assert!(tally.longest > 10_000, "{tally:?}");
}

fn compare_schema(schema: u64, tally: &Mutex<Tally>) -> Result<(), String> {
    let mut bench = Bench::new(schema::schema(schema));
    let made = (0..DOCUMENTS).map(|number| (number, document::document(&bench.facts, schema * 1_000 + number)));
    let made: Vec<_> = made
        .filter_map(|(number, text)| Some((number, bench.admit(&text).ok()?)))
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
                    return Err(format!("{seed:?}\n{}", shown(&mut bench, case)));
                }
            }
        }
    }
    Ok(())
}

/// A case that shows a difference, as small as it gets.
fn shown(bench: &mut Bench, case: Case) -> String {
    let (Case { text, variables, world }, difference) = minimised(bench, case);
    let (sdl, faults, variables) = (&bench.facts.sdl, world.faults.names(), Value::Object(variables));
    format!(
        "{difference}\n--- schema\n{sdl}--- document\n{text}--- variables\n{variables}\n--- world\n{} {faults}\n",
        world.seed
    )
}

/// Variables and world of a combination. The first world of each document is a sound one.
fn circumstances(bench: &Bench, definitions: &[(String, Type, bool)], seed: Seed) -> (Map<String, Value>, World) {
    let mut chance = Chance((seed.schema << 32) ^ (seed.document << 16) ^ seed.world);
    let variables = values::variables(&bench.facts, definitions, &mut chance);
    let faults = match seed.world {
        0 => Faults::NONE,
        1 => Faults::ALL,
        _ => Faults(chance.next().to_le_bytes()[0]),
    };
    let world = World {
        seed: chance.next(),
        faults,
        ..World::default()
    };
    (variables, world)
}

/// Name and type of an operation's variables, and whether they have a default.
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

/// Resolvers panic here by the thousand: what they say would hide what the test says.
fn quietly(work: impl FnOnce()) {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let said = info.payload().downcast_ref::<&str>().copied();
        if !["a resolver panics", "a scalar panics", "data panics"]
            .iter()
            .any(|known| said == Some(*known))
        {
            hook(info);
        }
    }));
    work();
}
