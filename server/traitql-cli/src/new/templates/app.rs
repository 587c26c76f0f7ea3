//! Resolvers, written by hand. A field without one is listed in `mocked.rs`.

/// What resolvers share: a pool of connections, a configuration.
#[derive(Debug, Default)]
pub struct App {}
