#![allow(clippy::unwrap_used)]

mod cost;
mod diff;
mod formats;
mod project;
mod releases;
mod scaffold;
mod shape;
