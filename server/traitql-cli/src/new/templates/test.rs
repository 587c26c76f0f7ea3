//! The API as clients see it: documents in, JSON out.

use serde_json::Value;
use traitql::testing::Client;

use {{lib}}::{App, engine};

#[tokio::test]
async fn the_first_look_is_answered() {
    let client = Client::new(engine(App::default()), api::SDL).signed_in("ada");
    let first = include_str!("../operations/FirstLook.graphql");
    let answer = client.ask(first, Value::Null).await;
    assert_eq!(answer["errors"], Value::Null, "{answer:#}");
    assert!(answer["data"].is_object(), "{answer:#}");
}
