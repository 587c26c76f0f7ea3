//! The log: readable on a terminal, one JSON object per line everywhere else.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// Begins to log to standard error.
pub fn begin(filter: EnvFilter) {
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    // A second subscriber in one process can only come from a test; the first one then serves both.
    let _ = if io::stderr().is_terminal() {
        builder.with_target(false).try_init()
    } else {
        builder
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .with_span_list(false)
            .try_init()
    };
}
