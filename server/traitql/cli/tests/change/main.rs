//! The commands about change on a small project under git: `diff`, `scaffold`, `cost`, `freeze` and `unfreeze`, and the formats
//! of all commands for tools.
#![allow(clippy::unwrap_used)]

mod cost;
mod diff;
mod formats;
mod project;
mod releases;
mod scaffold;
mod shape;
