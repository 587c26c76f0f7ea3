//! The commands about change on a small project under git: `diff`, `scaffold`, `report`, `release` and `retire`, and the formats
//! of all commands for tools.
#![allow(clippy::unwrap_used)]

mod diff;
mod formats;
mod project;
mod releases;
mod report;
mod scaffold;
mod shape;
