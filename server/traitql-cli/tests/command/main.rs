//! The command on a small project of its own: what it writes, what it leaves alone, and what it says.
#![allow(clippy::unwrap_used)]

mod config;
mod generate;
mod patterns;
mod project;
mod watch;
