//! The generated checks judge every example of the table as the table says; `client/src/shared/api/examples.spec.ts` asks
//! the same of the generated TypeScript.
#![allow(clippy::unwrap_used)]

#[path = "../../traitql-sample/tests/support/examples.rs"]
mod examples;

use std::sync::Arc;

use traitql::Rates;
use waypost_api::{Resolvers, Role, engine, mock::Mock};

#[tokio::test]
async fn the_examples_are_judged_as_the_table_says() {
    let resolvers = Resolvers::new(Arc::new(Mock::default().role(Role::Admin)));
    examples::run(
        include_str!("examples.json"),
        engine(&resolvers, Arc::new(Rates::default())),
    )
    .await;
}
