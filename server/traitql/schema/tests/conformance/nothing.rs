//! Empty: Cargo requires a target.
