//! Fuzz targets for everything that strangers can send: GraphQL requests, reports of pages, tokens, and files of tours.
//! Each runs the real code up to the database, and fails by a panic.
//!
//! `npm run fuzz` lets LLVM's fuzzer search for inputs that reach new code. The tests run the seeds, and the inputs that
//! once failed, which are in `seeds/` too.

mod installation;
mod pages;
mod requests;
mod tokens;
mod tour_files;

/// A target with its name, which is also the folder of its seeds.
pub type Target = (&'static str, fn(&[u8]));

pub const TARGETS: [Target; 5] = [
    ("requests", requests::run),
    ("pages", pages::run),
    ("identity-tokens", tokens::identity),
    ("access-tokens", tokens::access),
    ("tour-files", tour_files::run),
];

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn seeds_and_earlier_failures_pass() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
        for (name, run) in TARGETS {
            let seeds = fs::read_dir(folder.join(name)).expect("each target has seeds");
            let mut count = 0;
            for seed in seeds.map(|seed| seed.expect("a seed").path()) {
                run(&fs::read(&seed).expect("the seed can be read"));
                count += 1;
            }
            assert!(count > 0, "{name} has no seeds");
        }
    }
}
