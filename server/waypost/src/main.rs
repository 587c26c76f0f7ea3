//! The `waypost` binary: the server of `waypost-serve` over the application of `waypost-app`, and the commands of `waypost-cli`.
//!
//! Nothing is decided here, and little is compiled: what is here is built again after each line in a resolver.

mod application;

use std::process::ExitCode;

fn main() -> ExitCode {
    waypost_serve::run(application::open)
}
