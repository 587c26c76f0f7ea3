//! This crate is small, because it is recompiled after every change to a resolver.

mod application;

use std::process::ExitCode;

/// Returns the memory of many closed connections to the operating system, which glibc's allocator keeps. The options are
/// in `.cargo/config.toml`.
#[cfg(all(feature = "jemalloc", not(target_env = "msvc")))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    waypost_cli::run(application::open, waypost_resolvers::migrations())
}
