//! The command line of `waypost`: starts the server of `waypost-server`, or calls one through the typed client in
//! `waypost-api-client`. Does not depend on the resolvers, so that a change to a resolver does not recompile this crate.

mod arguments;
mod commands;
mod program;

pub use program::run;
