//! This crate is small, because it is recompiled after every change to a resolver.

mod application;

use std::process::ExitCode;

fn main() -> ExitCode {
    waypost_cli::run(application::open)
}
