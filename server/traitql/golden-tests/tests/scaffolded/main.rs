//! The scaffold of all resolvers must compile. `traitql-codegen` checks that `appended.rs` is up to date.
#![deny(warnings)]
#![allow(clippy::todo, reason = "the stubs are not implemented")]

// Keep the output of the command unformatted.
#[rustfmt::skip]
mod appended;

use std::sync::Arc;

use traitql::{Ctx, FieldError, Id, Internal};
use traitql_golden::{Access, Artist, Grant, Resolvers, Subject, load};

struct App;

impl Access for App {
    async fn account(&self, _: &Ctx) -> Result<Id, FieldError> {
        Ok(Id::from("ada"))
    }

    async fn grant(&self, _: &Ctx, _: &Id, _: Subject<'_>) -> Result<Option<Grant>, FieldError> {
        Ok(None)
    }
}

impl load::Artist for App {
    async fn load(&self, _: &Ctx, _: &[Id]) -> Result<Vec<Artist>, Internal> {
        Ok(Vec::new())
    }
}

#[test]
fn all_resolvers_are_implemented() {
    let resolvers = Resolvers::new(Arc::new(App));
    drop(resolvers.clone());
}
