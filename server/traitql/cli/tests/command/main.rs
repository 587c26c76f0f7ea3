//! Tests of the command in a small project: written files, preserved files and messages.
#![allow(clippy::unwrap_used)]

mod config;
mod generate;
mod patterns;
mod project;
mod watch;
