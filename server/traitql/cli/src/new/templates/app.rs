//! Handwritten resolvers. Fields without a resolver are listed in `mocked.rs`.

/// State that all resolvers share, such as a connection pool or a configuration.
#[derive(Debug, Default)]
pub struct App {}
