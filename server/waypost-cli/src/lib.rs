//! Waypost's command line: the settings of the server, and the commands that speak to one by the typed client of
//! `waypost-client`. It knows nothing of the product's resolvers, so that a change of one need not compile it again.

pub mod arguments;
pub mod commands;
pub mod config;
pub mod doctor;
pub mod logging;
