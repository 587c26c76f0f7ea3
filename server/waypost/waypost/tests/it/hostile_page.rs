//! A hostile page of a site's origin, which knows the site key and sends any request.

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::{Client, Response, StatusCode, header};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Server, issuer::now, provider, request_body, run_operation, token};

const SHOP: &str = "https://shop.example";
const SECRET_PLAN: &str = "enterprise-7";

struct Shop {
    server: Server,
    key: Value,
    other_key: Value,
    secret: String,
}

impl Shop {
    async fn start() -> Self {
        let issuer = provider().await;
        let server = Server::with(&issuer, &[("WAYPOST_SAMPLE", "tours")]).await;
        let admin = server.client(Some(token(&issuer, "ada")));
        let run = async |operation: &str, field: &str, variables: Value| {
            run_operation(&admin, operation, variables).await[field].clone()
        };
        let input = json!({"input": {"name": "Acme", "slug": "acme-shop"}});
        let workspace = run("WorkspaceCreate", "workspaceCreate", input).await["id"].clone();
        let mut sites = Vec::new();
        for name in ["Shop", "Other shop"] {
            let input = json!({"input": {"workspaceId": workspace, "name": name, "origins": [SHOP]}});
            let site = run("SiteCreate", "siteCreate", input).await;
            let created = run("IdentityKeyCreate", "identityKeyCreate", json!({"siteId": site["id"]})).await;
            let input = json!({
                "input": {"id": site["id"], "expectedVersion": site["version"], "identityMode": "REQUIRED"},
            });
            run("SiteUpdate", "siteUpdate", input).await;
            sites.push((site, created["secret"].as_str().unwrap().to_owned()));
        }
        let plan = json!({"trait": {"key": "plan", "value": SECRET_PLAN}});
        for (slug, condition) in [("for-all", Value::Null), ("for-few", plan)] {
            let input = json!({"input": {"workspaceId": workspace, "title": slug, "slug": slug}});
            let tour = run("TourCreate", "tourCreate", input).await["id"].clone();
            let steps = ["one", "two"].map(|key| json!({"key": key, "kind": "MODAL", "title": key}));
            let start = json!({"when": condition});
            let input = json!({"input": {"id": tour, "expectedVersion": 1, "steps": steps, "start": start}});
            let version = run("TourSave", "tourSave", input).await["version"].clone();
            let site_ids: Vec<_> = sites.iter().map(|(site, _)| &site["id"]).collect();
            let input = json!({"input": {"tourId": tour, "expectedVersion": version, "siteIds": site_ids}});
            run("TourRelease", "tourRelease", input).await;
        }
        let [(site, secret), (other, _)] = sites.try_into().unwrap();
        Self {
            server,
            key: site["key"].clone(),
            other_key: other["key"].clone(),
            secret,
        }
    }

    async fn post(&self, path: &str, origin: &str, body: &Value) -> Response {
        Client::new()
            .post(format!("{}{path}", self.server.url))
            .header(header::CONTENT_TYPE, "text/plain;charset=UTF-8")
            .header(header::ORIGIN, origin)
            .body(body.to_string())
            .send()
            .await
            .unwrap()
    }

    async fn boot(&self, visitor: &Value) -> Value {
        let body = json!({"siteKey": self.key, "visitor": visitor, "url": SHOP});
        self.post("/e/boot", SHOP, &body).await.json().await.unwrap()
    }

    async fn record(&self, visitor: &Value, event: &Value) -> (StatusCode, Value) {
        let body = json!({"siteKey": self.key, "visitor": visitor, "events": [event]});
        let response = self.post("/e/record", SHOP, &body).await;
        (response.status(), response.json().await.unwrap())
    }

    fn token(&self, change: &Value) -> String {
        let mut claims = json!({"sub": "ada", "aud": self.key, "iat": now(), "exp": now() + 300});
        let changes = change.as_object().unwrap().clone();
        claims.as_object_mut().unwrap().extend(changes);
        let key = EncodingKey::from_secret(self.secret.as_bytes());
        encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap()
    }

    fn ada(&self) -> Value {
        json!({"anonymousId": "browser-of-ada", "externalId": "ada", "token": self.token(&json!({}))})
    }

    async fn start_run(&self) -> Value {
        let booted = self.boot(&self.ada()).await;
        let mut event = json!({
            "runId": Uuid::now_v7().to_string(), "releaseId": booted["tours"][0]["releaseId"], "seq": 0,
            "kind": "RUN_STARTED", "stepKey": "one", "at": booted["serverTime"],
        });
        let (status, ack) = self.record(&self.ada(), &event).await;
        assert_eq!((status, &ack["accepted"]), (StatusCode::OK, &json!(1)), "{ack}");
        (event["seq"], event["kind"]) = (json!(1), json!("STEP_DONE"));
        event
    }

    async fn progress(&self) -> Value {
        self.boot(&self.ada()).await["tours"][0]["resume"].clone()
    }
}

#[tokio::test]
async fn a_page_cannot_record_for_another_visitor() {
    let shop = Shop::start().await;
    let event = shop.start_run().await;
    let before = shop.progress().await;
    assert_eq!(before["runId"], event["runId"]);
    let visitor_id = shop.boot(&shop.ada()).await["visitorId"].clone();
    for visitor in [
        json!({"anonymousId": "browser-of-mallory"}),
        json!({"anonymousId": "browser-of-mallory", "externalId": "ada"}),
        json!({"anonymousId": visitor_id}),
        json!({"anonymousId": "browser-of-mallory", "externalId": visitor_id}),
    ] {
        let booted = shop.boot(&visitor).await;
        assert_ne!(booted["visitorId"], visitor_id, "{visitor}");
        assert_eq!(booted["tours"][0]["resume"], Value::Null, "{visitor}");
        let (_, ack) = shop.record(&visitor, &event).await;
        assert_eq!(ack["accepted"], 0, "{visitor}: {ack}");
    }
    assert_eq!(shop.progress().await, before);
    for (path, name, report) in [
        ("/e/record", "events", event.clone()),
        ("/e/goals", "goals", json!({"event": "bought", "at": event["at"]})),
        (
            "/e/attempts",
            "attempts",
            json!({"releaseId": event["releaseId"], "problem": "PLAYER_FAILED", "at": event["at"]}),
        ),
    ] {
        let body = json!({"siteKey": shop.key, "visitor": shop.ada(), name: [report]});
        let response = shop.post(path, "https://evil.example", &body).await;
        assert!(!response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(shop.progress().await, before);
    let (_, ack) = shop.record(&shop.ada(), &event).await;
    assert_eq!(ack["accepted"], 1, "the visitor can still continue: {ack}");
}

#[tokio::test]
async fn forged_and_replayed_tokens_give_no_access() {
    let shop = Shop::start().await;
    let event = shop.start_run().await;
    let visitor_id = shop.boot(&shop.ada()).await["visitorId"].clone();
    let valid = shop.token(&json!({}));
    let payload = valid.split('.').nth(1).unwrap();
    let mut foreign = Header::new(Algorithm::HS256);
    foreign.kid = Some("../../etc/passwd".to_owned());
    let claims = json!({"sub": "ada", "aud": shop.key, "exp": now() + 300});
    let by_site_key = EncodingKey::from_secret(shop.key.as_str().unwrap().as_bytes());
    let forged = encode(&foreign, &claims, &by_site_key).unwrap();
    for (case, token, problem) in [
        ("unsigned", format!("eyJhbGciOiJub25lIn0.{payload}."), "MALFORMED"),
        ("signed with the site key", forged, "SIGNATURE"),
        (
            "without a signature",
            format!("{}.", &valid[..valid.rfind('.').unwrap()]),
            "SIGNATURE",
        ),
        ("of another visitor", shop.token(&json!({"sub": "bob"})), "SUBJECT"),
        (
            "of another site",
            shop.token(&json!({"aud": shop.other_key})),
            "AUDIENCE",
        ),
        (
            "expired",
            shop.token(&json!({"iat": now() - 7200, "exp": now() - 3600})),
            "EXPIRED",
        ),
        (
            "of the future",
            shop.token(&json!({"iat": now() + 3600, "exp": now() + 7200})),
            "NOT_YET_VALID",
        ),
        ("not a token", "ada".to_owned(), "MALFORMED"),
    ] {
        let visitor = json!({"anonymousId": "browser-of-mallory", "externalId": "ada", "token": token});
        let booted = shop.boot(&visitor).await;
        assert_eq!(booted["tokenProblem"], problem, "{case}: {booted}");
        assert_ne!(booted["visitorId"], visitor_id, "{case}");
        let (status, body) = shop.record(&visitor, &event).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{case}: {body}");
        let goal = json!({"event": "bought", "at": event["at"]});
        let goals = json!({"siteKey": shop.key, "visitor": visitor, "goals": [goal]});
        let status = shop.post("/e/goals", SHOP, &goals).await.status();
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{case}");
    }
    let replayed = json!({"siteKey": shop.other_key, "visitor": shop.ada(), "url": SHOP});
    let booted: Value = shop.post("/e/boot", SHOP, &replayed).await.json().await.unwrap();
    assert_ne!(booted["tokenProblem"], Value::Null, "a token of another site");
    assert_eq!(shop.progress().await["stepKey"], "one");
}

#[tokio::test]
async fn a_page_cannot_learn_the_conditions_of_tours() {
    let shop = Shop::start().await;
    let slugs = |booted: &Value| -> Vec<String> {
        let tours = booted["tours"].as_array().unwrap();
        tours
            .iter()
            .map(|tour| tour["slug"].as_str().unwrap().to_owned())
            .collect()
    };
    let anonymous = json!({"anonymousId": "browser-1"});
    assert_eq!(slugs(&shop.boot(&anonymous).await), ["for-all"]);
    let member = json!({"anonymousId": "browser-2", "traits": [{"key": "plan", "value": SECRET_PLAN}]});
    let booted = shop.boot(&member).await;
    assert!(slugs(&booted).contains(&"for-few".to_owned()), "{booted}");
    let mut seen = booted.to_string();
    for tour in booted["tours"].as_array().unwrap() {
        let path = format!("{}{}", shop.server.url, tour["bundle"].as_str().unwrap());
        seen += &reqwest::get(path).await.unwrap().text().await.unwrap();
    }
    // The operation of Waypost's own pages, which a page of another site can send but not read.
    let variables = json!({"siteKey": shop.key, "visitor": member, "url": SHOP});
    let response = Client::new()
        .post(format!("{}/graphql", shop.server.url))
        .header(header::ORIGIN, SHOP)
        .header(header::ACCEPT, "application/graphql-response+json")
        .json(&request_body("Boot", &variables))
        .send()
        .await
        .unwrap();
    assert!(!response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
    seen += &response.text().await.unwrap();
    assert!(!seen.contains(SECRET_PLAN) && !seen.contains("\"plan\""), "{seen}");

    let client = Client::new();
    let bundle = async |name: &str| {
        let url = format!("{}/t/{name}", shop.server.url);
        client.get(url).send().await.unwrap().status()
    };
    for name in [
        "..%2F..%2Fwaypost.db",
        "%00.json",
        "*.json",
        "index.json",
        "1' OR '1'='1.json",
    ] {
        assert_eq!(bundle(name).await, StatusCode::NOT_FOUND, "{name}");
    }
    // The limit of 100 a minute is refilled continuously.
    let mut missing = 0;
    while bundle(&format!("{missing:064x}.json")).await == StatusCode::NOT_FOUND {
        missing += 1;
        assert!(missing < 1000, "unlimited");
    }
    assert!(missing >= 100, "{missing}");
}
