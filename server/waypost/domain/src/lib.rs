//! Decisions and storage of Waypost's entities.
//!
//! Each entity has a folder: `mod.rs` has the decisions as pure functions, `store.rs` the SQL. Its functions `by_ids`
//! skip missing ids and return rows in any order. This crate sees no requests and checks no permissions.

pub mod access_token;
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
pub mod offer;
pub mod release;
pub mod retention;
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
