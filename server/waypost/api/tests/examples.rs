#![allow(clippy::unwrap_used)]

#[path = "../../../traitql/golden-tests/tests/support/examples.rs"]
mod examples;
#[path = "../../../traitql/codegen/tests/support/table/mod.rs"]
mod table;

use std::{path::Path, sync::Arc};

use traitql::RateLimits;
use waypost_api::{Resolvers, Role, engine, mock::Mock};

#[tokio::test]
async fn the_checks_accept_and_reject_the_examples_as_expected() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
    let resolvers = Resolvers::new(Arc::new(Mock::default().role(Role::Admin)));
    examples::run(
        &table::table(&table::model(&schema)),
        engine(&resolvers, Arc::new(RateLimits::default())),
    )
    .await;
}
