pub mod attempts;
pub mod boot;
pub mod boot_cache;
pub mod bundle;
pub mod capacity;
mod conditions;
pub mod eligibility;
pub mod explain;
pub(crate) mod export;

pub mod identity;
pub mod ingest;
mod kept_events;
pub(crate) mod offer;
pub mod page;
pub mod presence;
mod progress;
pub mod record;
pub(crate) mod retention;
pub mod store;
pub(crate) mod times;
mod varint;
pub mod visitors;

pub(crate) use progress::{ABANDONED_AFTER_MS, Position, StepProgress, state_at};
pub use progress::{RunProgress, ValidatedEvent};
