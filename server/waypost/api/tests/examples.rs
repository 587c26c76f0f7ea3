//! Runs the generated constraint checks on all examples of the table. `client/src/shared/api/examples.spec.ts` does the same with the
//! generated TypeScript.
#![allow(clippy::unwrap_used)]

#[path = "../../../traitql/golden-tests/tests/support/examples.rs"]
mod examples;

use std::sync::Arc;

use traitql::RateLimits;
use waypost_api::{Resolvers, Role, engine, mock::Mock};

#[tokio::test]
async fn the_checks_accept_and_reject_the_examples_as_expected() {
    let resolvers = Resolvers::new(Arc::new(Mock::default().role(Role::Admin)));
    examples::run(
        include_str!("examples.json"),
        engine(&resolvers, Arc::new(RateLimits::default())),
    )
    .await;
}
