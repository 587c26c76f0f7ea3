//! Everything below Waypost's domain in one shared library.
//!
//! A development build of the binary links the domain and the resolvers only: `cargo build --features dynamic`, as `npm run dev`
//! does. The domain is not in here, because this library takes seconds to be linked.

pub use traitql;
pub use waypost_api;
pub use waypost_cli;
pub use waypost_serve;
pub use waypost_store;
