//! What `cargo traitql scaffold` writes compiles as it is, for every resolver of the sample. The test of the sample in
//! `traitql-codegen` keeps `appended.rs` fresh.
#![allow(
    unused_variables,
    clippy::todo,
    reason = "what a scaffold leaves open is for people to write"
)]

// It stays as it is appended; whose project has a rustfmt runs it then.
#[rustfmt::skip]
mod appended;

use std::sync::Arc;

use traitql::{Ctx, FieldError, Id};
use traitql_sample::{Access, Grant, Resolvers, Subject};

struct App;

impl Access for App {
    async fn account(&self, cx: &Ctx) -> Result<Id, FieldError> {
        Ok(Id::from("ada"))
    }

    async fn grant(&self, cx: &Ctx, account: &Id, subject: Subject<'_>) -> Result<Option<Grant>, FieldError> {
        Ok(None)
    }
}

#[test]
fn nothing_is_missing() {
    let resolvers = Resolvers::new(Arc::new(App));
    drop(resolvers.clone());
}
