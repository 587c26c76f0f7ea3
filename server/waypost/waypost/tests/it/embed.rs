use std::fs;

use reqwest::{Client, Response, StatusCode, header};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, provider, run_operation, token};

const SHOP: &str = "https://shop.example";

fn header_of(response: &Response, name: &str) -> String {
    response
        .headers()
        .get(name)
        .map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
}

async fn post(server: &Server, path: &str, origin: &str, body: &Value) -> Response {
    Client::new()
        .post(format!("{}{path}", server.url))
        .header(header::CONTENT_TYPE, "text/plain;charset=UTF-8")
        .header(header::ORIGIN, origin)
        .header("sec-fetch-site", "cross-site")
        .body(body.to_string())
        .send()
        .await
        .unwrap()
}

#[tokio::test]
async fn a_page_of_another_site_boots_loads_a_bundle_and_reports() {
    let issuer = provider().await;
    let server = Server::with(&issuer, &[("WAYPOST_SAMPLE", "tours")]).await;
    let admin = server.client(Some(token(&issuer, "ada")));
    let input = json!({"input": {"name": "Acme", "slug": "acme-shop"}});
    let workspace = run_operation(&admin, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();
    let input = json!({"input": {"workspaceId": workspace, "name": "Shop", "origins": [SHOP]}});
    let site = run_operation(&admin, "SiteCreate", input).await["siteCreate"].clone();
    let input = json!({"input": {"workspaceId": workspace, "title": "Hello", "slug": "hello"}});
    let tour = run_operation(&admin, "TourCreate", input).await["tourCreate"]["id"].clone();
    let steps = json!([{"key": "hello", "kind": "MODAL", "title": "Hello"}]);
    let save = json!({"input": {"id": tour, "expectedVersion": 1, "steps": steps}});
    let version = run_operation(&admin, "TourSave", save).await["tourSave"]["version"].clone();
    let release = json!({"input": {"tourId": tour, "expectedVersion": version, "siteIds": [site["id"]]}});
    run_operation(&admin, "TourRelease", release).await;

    let visitor = json!({"anonymousId": "browser-1"});
    let boot = |key: &Value| json!({"siteKey": key, "visitor": visitor, "url": format!("{SHOP}/cart")});
    let answer = post(&server, "/e/boot", SHOP, &boot(&site["key"])).await;
    assert_eq!(
        (answer.status(), header_of(&answer, "access-control-allow-origin")),
        (StatusCode::OK, SHOP.to_owned())
    );
    assert_eq!(header_of(&answer, "access-control-allow-credentials"), "");
    assert_eq!(header_of(&answer, "cache-control"), "no-store");
    assert!(!answer.headers().contains_key(header::SET_COOKIE));
    let booted: Value = answer.json().await.unwrap();
    let offered = &booted["tours"][0];
    assert_eq!(
        (
            &offered["slug"],
            &offered["start"]["when"],
            &offered["branches"],
            &offered["resume"]
        ),
        (&json!("hello"), &Value::Null, &json!([]), &Value::Null)
    );

    let path = format!("{}{}", server.url, offered["bundle"].as_str().unwrap());
    let bundle = reqwest::get(&path).await.unwrap();
    assert_eq!(header_of(&bundle, "access-control-allow-origin"), "*");
    assert_eq!(
        header_of(&bundle, "cache-control"),
        "public, max-age=31536000, immutable"
    );
    let tag = header_of(&bundle, "etag");
    assert_eq!(bundle.json::<Value>().await.unwrap()["steps"][0]["title"], "Hello");
    let again = Client::new()
        .get(&path)
        .header(header::IF_NONE_MATCH, tag)
        .send()
        .await
        .unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    let missing = reqwest::get(format!("{}/t/{}.json", server.url, "0".repeat(64)))
        .await
        .unwrap();
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    assert_eq!(header_of(&missing, "cache-control"), "no-store");

    let event = json!({
        "runId": uuid::Uuid::now_v7().to_string(), "releaseId": offered["releaseId"], "seq": 0, "kind": "RUN_STARTED",
        "stepKey": "hello", "at": booted["serverTime"],
    });
    let report = json!({"siteKey": site["key"], "visitor": visitor, "events": [event]});
    let ack: Value = post(&server, "/e/record", SHOP, &report).await.json().await.unwrap();
    assert_eq!(ack["accepted"], 1);
    let goal = json!({"event": "order_placed", "at": booted["serverTime"]});
    let goals = json!({"siteKey": site["key"], "visitor": visitor, "goals": [goal]});
    let stored: Value = post(&server, "/e/goals", SHOP, &goals).await.json().await.unwrap();
    assert_eq!(stored, json!(0));

    for (origin, body, status, code, readable) in [
        (SHOP, boot(&json!("unknown")), 404, "UNKNOWN_SITE", true),
        (SHOP, json!({"siteKey": site["key"]}), 400, "INVALID_INPUT", true),
        (
            SHOP,
            json!({"siteKey": site["key"], "visitor": {"anonymousId": "b"}, "url": SHOP}),
            400,
            "INVALID_INPUT",
            true,
        ),
        (
            "https://evil.example",
            boot(&site["key"]),
            403,
            "ORIGIN_NOT_ALLOWED",
            false,
        ),
    ] {
        let answer = post(&server, "/e/boot", origin, &body).await;
        let allowed = header_of(&answer, "access-control-allow-origin");
        assert_eq!(answer.status().as_u16(), status, "{body}");
        assert_eq!(allowed, if readable { origin } else { "" }, "{body}");
        let error: Value = answer.json().await.unwrap();
        assert_eq!(error["error"]["code"], code, "{error}");
    }
}

fn client(version: &str) -> TempDir {
    let dist = tempfile::tempdir().unwrap();
    fs::create_dir_all(dist.path().join("embed")).unwrap();
    let [loader, player] = ["loader", "player"].map(|name| format!("{name}-{version}.js"));
    let manifest = json!({
        "loader": {"file": loader, "integrity": "sha384-abc"},
        "player": {"file": player, "integrity": "sha384-def"},
    });
    for (name, content) in [
        ("index.html".to_owned(), "<!doctype html>".to_owned()),
        (format!("embed/{loader}"), format!("loader {version}")),
        (format!("embed/{player}"), format!("player {version}")),
        ("embed/manifest.json".to_owned(), manifest.to_string()),
    ] {
        fs::write(dist.path().join(name), content).unwrap();
    }
    dist
}

#[tokio::test]
async fn a_pinned_loader_is_served_after_an_update() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    for version in ["1a2b", "3c4d"] {
        let dist = client(version);
        let settings = [("WAYPOST_CLIENT", dist.path().to_str().unwrap())];
        let mut server = Server::on(&issuer, data.path(), &settings).await;
        let get = async |path: &str| reqwest::get(format!("{}/embed/{path}", server.url)).await.unwrap();
        let pinned = get("loader-1a2b.js").await;
        for (name, expected) in [
            ("cache-control", "public, max-age=31536000, immutable"),
            ("access-control-allow-origin", "*"),
            ("cross-origin-resource-policy", "cross-origin"),
            ("content-type", "text/javascript; charset=utf-8"),
        ] {
            assert_eq!(header_of(&pinned, name), expected, "{name} at version {version}");
        }
        assert_eq!(pinned.text().await.unwrap(), "loader 1a2b");
        assert_eq!(get("v1.js").await.text().await.unwrap(), format!("loader {version}"));
        let player = get("player-1a2b.js").await;
        assert_eq!(player.text().await.unwrap(), format!("player {version}"));
        server.signal("TERM");
        assert!(server.exited().await.success());
    }
}

#[tokio::test]
async fn the_script_can_be_loaded_by_any_page() {
    let dist = client("1a2b");
    let issuer = provider().await;
    let settings = [
        ("WAYPOST_CLIENT", dist.path().to_str().unwrap()),
        ("WAYPOST_PUBLIC_URL", "https://tours.example"),
        ("WAYPOST_TRUST_PROXY", "1"),
    ];
    let server = Server::with(&issuer, &settings).await;
    let get = async |path: &str| reqwest::get(format!("{}{path}", server.url)).await.unwrap();
    for (path, cache) in [
        ("/embed/v1.js", "public, max-age=300"),
        ("/embed/loader-1a2b.js", "public, max-age=31536000, immutable"),
    ] {
        let script = get(path).await;
        for (name, expected) in [
            ("cache-control", cache),
            ("access-control-allow-origin", "*"),
            ("cross-origin-resource-policy", "cross-origin"),
            ("x-content-type-options", "nosniff"),
            ("content-type", "text/javascript; charset=utf-8"),
            ("set-cookie", ""),
        ] {
            assert_eq!(header_of(&script, name), expected, "{path} {name}");
        }
        let tag = header_of(&script, "etag");
        assert_eq!(script.text().await.unwrap(), "loader 1a2b");
        let again = Client::new()
            .get(format!("{}{path}", server.url))
            .header(header::IF_NONE_MATCH, tag);
        let again = again.send().await.unwrap();
        assert_eq!(
            (again.status(), header_of(&again, "cross-origin-resource-policy")),
            (StatusCode::NOT_MODIFIED, "cross-origin".to_owned())
        );
    }
    assert_eq!(get("/embed/loader-0000.js").await.status(), StatusCode::NOT_FOUND);
    // The loader of an earlier version.
    let player = get("/embed/player-0000.js").await;
    assert_eq!(header_of(&player, "cache-control"), "public, max-age=300");
    assert_eq!(header_of(&player, "access-control-allow-origin"), "*");
    assert_eq!(player.text().await.unwrap(), "player 1a2b");
    let instance = run_operation(&server.client(None), "Instance", json!({})).await;
    assert_eq!(
        instance["instance"]["embed"],
        json!({
            "src": "https://tours.example/embed/v1.js",
            "pinnedSrc": "https://tours.example/embed/loader-1a2b.js",
            "integrity": "sha384-abc",
            "__typename": "EmbedScript",
        })
    );
}
