//! The manifest contains documents of earlier releases, which are executed unchanged.

mod common;

use common::{Server, page};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Fewer fields than `operations/instance/Instance.graphql`, in another order.
const FORMER: &str = "query Instance {\n  instance {\n    ownSiteKey\n    version\n    __typename\n  }\n}";

fn manifest_with_a_release() -> String {
    let mut manifest: Value = serde_json::from_str(waypost_api::MANIFEST).expect("the manifest of this build");
    let id = hex::encode(Sha256::digest(FORMER));
    manifest["released"] =
        json!([{ "id": id, "name": "Instance", "type": "query", "cost": 1, "depth": 2, "body": FORMER }]);
    manifest["releases"] = json!([{ "name": "2026-05", "documents": { "Instance": id }, "types": {} }]);
    manifest.to_string()
}

#[tokio::test]
async fn documents_of_an_earlier_release_are_executed() {
    let server = Server::serving(&manifest_with_a_release()).await;
    let response = server
        .execute_text(&page(), FORMER, json!({}))
        .await
        .expect("a released document");
    assert_eq!(
        String::from_utf8_lossy(&response),
        r#"{"data":{"instance":{"ownSiteKey":null,"version":"0.0.0","__typename":"Instance"}}}"#
    );
    // Same name, other document.
    let today = server.query(&page(), "Instance", json!({})).await;
    assert_eq!(today["instance"]["providers"], json!([]));
}

#[tokio::test]
async fn documents_of_no_release_are_rejected() {
    let server = Server::start().await;
    assert_eq!(server.execute_text(&page(), FORMER, json!({})).await, None);
}
