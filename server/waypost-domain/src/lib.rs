//! Waypost's nouns: what may be done with them, and where they are kept.
//!
//! One folder per noun, with at least two files: `mod.rs` decides (pure functions over values), `store.rs` holds the noun's SQL. The
//! fields of the schema are answered a crate above, by `waypost-app`, so that what is here is not compiled again after a line in
//! a resolver. This crate sees no request, and leaves it to others who may make one.

pub mod account;
pub mod audit;
pub mod change;
pub mod clock;
pub mod condition;
pub mod insights;
pub mod invitation;
pub mod lift;
pub mod participant;
pub mod release;
pub mod review;
pub mod run;
pub mod sample;
pub mod site;
pub mod store;
pub mod theme;
pub mod tour;
pub mod workspace;

#[cfg(test)]
mod testing;
