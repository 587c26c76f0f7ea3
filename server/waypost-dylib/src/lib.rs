//! Everything below Waypost's application in one shared library.
//!
//! A development build of the binary links the application only: `cargo build --features dynamic`, as `npm run dev` does.

pub use traitql;
pub use waypost_api;
pub use waypost_cli;
pub use waypost_serve;
pub use waypost_store;
