#![allow(clippy::unwrap_used)]

mod config;
mod generate;
mod patterns;
mod project;
mod watch;
