//! Settings of the server, and the commands of `waypost` that call a server through the typed client in
//! `waypost-client`. Does not depend on the resolvers, so that a change to a resolver does not recompile this crate.

pub mod arguments;
pub mod commands;
pub mod config;
pub mod doctor;
pub mod logging;
