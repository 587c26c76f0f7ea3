//! The `waypost` binary: configuration, wiring, signals and the client's files; and a command line that speaks to a server.
//!
//! Nothing of the product is decided here. [`serve`] connects what the other crates make: the application, the GraphQL
//! endpoint, the check of access tokens and the pages. [`commands`] ask a server by the typed client of `waypost-client`.

mod assets;
pub mod cli;
pub mod commands;
pub mod config;
pub mod doctor;
mod health;
mod identity;
pub mod logging;
mod pages;
mod relay;
pub mod serve;
mod signals;
