pub mod attempts;
pub(crate) mod export;

pub mod ingest;
mod kept_events;
mod progress;
pub mod record;
pub(crate) mod retention;
pub mod store;
pub(crate) mod times;
mod varint;

pub(crate) use progress::{ABANDONED_AFTER_MS, Position, StepProgress, state_at};
pub use progress::{RunProgress, ValidatedEvent};
