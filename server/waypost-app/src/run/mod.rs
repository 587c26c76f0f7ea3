//! Runs: what pages are told to play, and what they report.

mod boot;
mod explain;
mod facts;
mod fields;
pub(crate) mod gates;
mod ingest;
pub(crate) mod offer;
mod page;
mod participant;
mod record;
mod rules;
pub(crate) mod store;
pub(crate) mod times;
pub(crate) mod visitors;

pub(crate) use facts::{Bits, Facts, Happening, IDLE_MS, Whereabouts, state_at};
pub(crate) use ingest::Ingest;
#[cfg(test)]
pub(crate) use page::first as first_on_page;
pub(crate) use record::AGE_MS as EVENT_AGE_MS;
