// The generator formats its output independently of the installed rustfmt.
#[rustfmt::skip]
pub mod generated;

/// The same with shared (`Arc`) values.
#[rustfmt::skip]
pub mod shared;

pub use generated::*;
