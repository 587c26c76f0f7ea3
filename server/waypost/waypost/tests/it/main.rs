//! Integration tests of the binary. Each starts a process on a free port with its own data folder and provider.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod access;
mod backup;
mod bad_input;
mod bodies;
mod commands;
mod content;
#[cfg(unix)]
mod data_folder;
mod demo;
mod doctor;
mod embed;
#[cfg(target_os = "linux")]
mod endurance;
mod health;
mod hostile_page;
mod kill;
mod pages;
mod relay;
#[cfg(target_os = "linux")]
mod service_manager;
mod settings;
mod shutdown;
mod sign_out;
mod support;
mod tokens;
