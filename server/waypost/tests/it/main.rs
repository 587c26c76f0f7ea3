//! The binary from outside: a real process on a free port, with a data folder and an identity provider of its own.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod access;
mod bad_input;
mod commands;
mod content;
mod doctor;
mod documents;
mod health;
mod kill;
mod pages;
mod relay;
mod settings;
mod shutdown;
mod support;
mod tokens;
