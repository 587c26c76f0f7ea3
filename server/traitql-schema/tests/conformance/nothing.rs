//! Cargo wants a target in every package.
