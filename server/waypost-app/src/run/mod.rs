//! Runs: what pages are told to play, and what they report.

mod boot;
mod facts;
mod fields;
mod gates;
pub(crate) mod offer;
mod participant;
mod record;
mod store;
mod visitors;

pub(crate) use facts::{Bits, Facts, Happening, IDLE_MS, state_at};
