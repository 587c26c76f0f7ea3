//! Rebuilds the library when a migration is added, because `sqlx::migrate!` embeds the folders without cargo's
//! knowledge.

#![allow(
    clippy::print_stdout,
    reason = "build scripts communicate with cargo through standard output"
)]

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    println!("cargo::rerun-if-changed=migrations-postgres");
}
