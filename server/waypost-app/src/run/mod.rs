//! Runs: what pages are told to play, and what they report.

mod boot;
mod facts;
mod fields;
mod offer;
mod participant;
mod record;
mod store;
mod visitors;

pub(crate) use facts::{Facts, Happening, IDLE_MS, state_at};
