//! The `waypost` binary: the server of `waypost-server` with the application of `waypost-resolvers`, and the commands of
//! `waypost-cli`.
//!
//! Small, because it is recompiled after every change to a resolver.

mod application;

use std::process::ExitCode;

fn main() -> ExitCode {
    waypost_cli::run(application::open)
}
