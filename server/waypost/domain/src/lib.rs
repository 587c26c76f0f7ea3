//! The decisions and the storage of Waypost's entities.
//!
//! Each entity has a folder with at least two files: `mod.rs` contains the decisions as pure functions over values, and
//! `store.rs` contains the SQL. The resolvers are in `waypost-resolvers`, so that a change of a resolver does not recompile
//! this crate. This crate sees no requests and checks no permissions.

pub mod account;
pub mod audit;
pub mod change;
pub mod clock;
pub mod condition;
pub mod identity;
pub mod insights;
pub mod invitation;
pub mod lift;
pub mod logout;
pub mod release;
pub mod review;
pub mod run;
pub mod sample;
pub mod segment;
pub mod site;
pub mod store;
pub mod theme;
pub mod tour;
pub mod visitor;
pub mod workspace;

#[cfg(test)]
mod testing;
