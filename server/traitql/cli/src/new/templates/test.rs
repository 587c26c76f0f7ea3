//! Tests of the API from a client's perspective.

use serde_json::Value;
use traitql::testing::Client;

use {{lib}}::{App, engine};

#[tokio::test]
async fn the_first_operation_succeeds() {
    // A failed test prints the log, which contains the causes of internal errors.
    let _ = tracing_subscriber::fmt().with_test_writer().try_init();
    let client = Client::new(engine(App::default()), api::SDL).signed_in("ada");
    let first = include_str!("../operations/FirstLook.graphql");
    let response = client.execute(first, Value::Null).await;
    assert_eq!(response["errors"], Value::Null, "{response:#}");
    assert!(response["data"].is_object(), "{response:#}");
}
