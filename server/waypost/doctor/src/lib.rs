//! `waypost doctor`: checks what the server depends on, and reports problems with their fixes. Does not change anything.

mod http;
mod oidc;
mod report;
mod storage;

pub use crate::{
    oidc::{Options, SettingsFile, oidc},
    storage::storage,
};

#[derive(Debug)]
pub struct Outcome {
    pub text: String,
    pub is_ok: bool,
}
