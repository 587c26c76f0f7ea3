//! Migrations are embedded into the library; cargo does not know that a new file in their folders changes it.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    println!("cargo::rerun-if-changed=migrations-postgres");
}
