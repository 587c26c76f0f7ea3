//! Clients that were built with an past_runs release: a page that stayed open over an update, an embed script from a cache. Their
//! documents stand in the manifest's section of releases and are answered as they always were.

mod common;

use common::{Server, page};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// As a former release may have asked: fewer fields than `operations/instance/Instance.graphql`, in another order.
const FORMER: &str = "query Instance {\n  instance {\n    ownSiteKey\n    version\n    __typename\n  }\n}";

fn manifest_with_a_release() -> String {
    let mut manifest: Value = serde_json::from_str(waypost_api::MANIFEST).expect("the manifest of this build");
    let id: String = Sha256::digest(FORMER)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    manifest["released"] =
        json!([{ "id": id, "name": "Instance", "type": "query", "cost": 1, "depth": 2, "body": FORMER }]);
    manifest["releases"] = json!([{ "name": "2026-05", "documents": { "Instance": id }, "types": {} }]);
    manifest.to_string()
}

#[tokio::test]
async fn a_page_that_stayed_open_is_answered_as_before() {
    let server = Server::serving(&manifest_with_a_release()).await;
    let answer = server
        .answer_to(&page(), FORMER, json!({}))
        .await
        .expect("a document that was released");
    assert_eq!(
        String::from_utf8_lossy(&answer),
        r#"{"data":{"instance":{"ownSiteKey":null,"version":"0.0.0","__typename":"Instance"}}}"#
    );
    // The operation of today has the same name and is another document.
    let today = server.ask(&page(), "Instance", json!({})).await;
    assert_eq!(today["instance"]["providers"], json!([]));
}

#[tokio::test]
async fn what_no_release_holds_is_not_answered() {
    let server = Server::start().await;
    assert_eq!(server.answer_to(&page(), FORMER, json!({})).await, None);
}
