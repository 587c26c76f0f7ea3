//! Runs: what pages are told to play, and what they report.

pub mod boot;
pub mod explain;
mod facts;
pub(crate) mod gates;
pub mod ingest;
pub(crate) mod offer;
pub mod page;
mod participant;
pub mod record;
mod rules;
pub mod store;
pub(crate) mod times;
pub mod visitors;

pub(crate) use facts::{Bits, IDLE_MS, Whereabouts, state_at};
pub use facts::{Facts, Happening};
