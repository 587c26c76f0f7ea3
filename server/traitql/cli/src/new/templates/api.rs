// The generator formats its output itself, so that it does not depend on the installed version of rustfmt.
#[rustfmt::skip] mod generated;

pub use generated::*;
