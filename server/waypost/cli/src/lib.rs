//! The command line of `waypost`: starts the server of `waypost-server`, or calls one through the typed client in
//! `waypost-api-client`. Without the resolvers, so that their changes do not recompile this crate.

mod arguments;
mod commands;
mod program;

pub use program::run;
