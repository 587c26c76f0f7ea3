#![allow(clippy::unwrap_used)]

mod issuer;

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    time::{Duration, Instant},
};

use issuer::{Issuer, header, jwk, sign};
use serde_json::json;
use waypost_auth::{Clock, Config, ProviderConfig, Reject, Timing, Verifier};

const COOL_DOWN: Duration = Duration::from_secs(10);

fn verifier(issuer: &Issuer, clock: &Clock) -> Verifier {
    let providers = vec![ProviderConfig::new(&issuer.url, issuer::AUDIENCE)];
    let timing = Timing {
        timeout: Duration::from_millis(500),
        leeway: 3 * 24 * 60 * 60,
        ..Timing::default()
    };
    Verifier::with_clock(Config { providers, timing }, clock.clone()).unwrap()
}

#[tokio::test]
async fn keys_are_fetched_once_and_used_for_ten_minutes() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let clock = Clock::manual();
    let verifier = verifier(&issuer, &clock);
    assert_eq!(issuer.key_fetches(), 0, "nothing is fetched before a token arrives");
    for (minutes, fetches) in [(0, 1), (5, 1), (4, 1), (2, 2), (9, 2)] {
        clock.advance(Duration::from_secs(60 * minutes));
        verifier
            .verify(&sign(0, &header("k1"), &issuer.claims()))
            .await
            .unwrap();
        assert_eq!(issuer.key_fetches(), fetches, "after {minutes} more minutes");
    }
}

#[tokio::test]
async fn a_new_key_is_fetched_for_its_first_token() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let clock = Clock::manual();
    let verifier = verifier(&issuer, &clock);
    verifier
        .verify(&sign(0, &header("k1"), &issuer.claims()))
        .await
        .unwrap();
    issuer.publish(json!([jwk(1, "k2"), jwk(0, "k1")]));
    clock.advance(COOL_DOWN);
    verifier
        .verify(&sign(1, &header("k2"), &issuer.claims()))
        .await
        .unwrap();
    assert_eq!(issuer.key_fetches(), 2);
}

#[tokio::test]
async fn removing_a_key_invalidates_cached_tokens() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let clock = Clock::manual();
    let verifier = verifier(&issuer, &clock);
    let old = sign(0, &header("k1"), &issuer.claims());
    verifier.verify(&old).await.unwrap();
    issuer.publish(json!([jwk(1, "k2")]));
    clock.advance(COOL_DOWN);
    verifier
        .verify(&sign(1, &header("k2"), &issuer.claims()))
        .await
        .unwrap();
    clock.advance(COOL_DOWN);
    assert_eq!(verifier.verify(&old).await, Err(Reject::UnknownKey));
}

#[tokio::test]
async fn a_token_with_a_new_key_waits_for_the_keys_after_a_recent_fetch() {
    for kid in [Some("k2"), None] {
        let keyless = |index| match kid {
            Some(kid) => jwk(index, kid),
            None => issuer::with(jwk(index, ""), "kid", json!(null)),
        };
        let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
        let providers = vec![ProviderConfig::new(&issuer.url, issuer::AUDIENCE)];
        let timing = Timing {
            unknown_key_cool_down: Duration::from_millis(200),
            ..Timing::default()
        };
        let verifier = Verifier::new(Config { providers, timing }).unwrap();
        verifier
            .verify(&sign(0, &header("k1"), &issuer.claims()))
            .await
            .unwrap();
        issuer.publish(json!([keyless(1)]));
        let header = jsonwebtoken::Header {
            kid: kid.map(str::to_owned),
            ..header("")
        };
        verifier.verify(&sign(1, &header, &issuer.claims())).await.unwrap();
        assert_eq!(issuer.key_fetches(), 2, "{kid:?}");
    }
}

#[tokio::test]
async fn a_token_with_an_unknown_key_does_not_wait_for_a_provider_that_hangs() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let providers = vec![ProviderConfig::new(&issuer.url, issuer::AUDIENCE)];
    let verifier = Verifier::new(Config {
        providers,
        timing: Timing::default(),
    })
    .unwrap();
    verifier
        .verify(&sign(0, &header("k1"), &issuer.claims()))
        .await
        .unwrap();
    issuer.state.delay_ms.store(60_000, SeqCst);
    let unknown = sign(1, &header("k2"), &issuer.claims());
    let reject = tokio::time::timeout(Duration::from_secs(4), verifier.verify(&unknown)).await;
    assert!(reject.unwrap().unwrap_err().is_unavailable());
}

#[tokio::test]
async fn a_flood_of_unknown_keys_neither_waits_nor_fetches_without_limit() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let clock = Clock::manual();
    let verifier = Arc::new(verifier(&issuer, &clock));
    let valid = sign(0, &header("k1"), &issuer.claims());
    verifier.verify(&valid).await.unwrap();
    let (results, mut completed) = tokio::sync::mpsc::unbounded_channel();
    for number in 0..200 {
        let token = sign(2, &header(&format!("x{number}")), &issuer.claims());
        let (verifier, results) = (Arc::clone(&verifier), results.clone());
        tokio::spawn(async move { results.send(verifier.verify(&token).await.unwrap_err()).unwrap() });
    }
    for _ in 64..200 {
        let reject = completed.recv().await.unwrap();
        assert!(reject.is_unavailable(), "more than 64 tokens wait: {reject:?}");
    }
    verifier.verify(&valid).await.unwrap();
    assert_eq!(issuer.key_fetches(), 1, "the others wait for the cool-down");
    clock.advance(COOL_DOWN);
    for _ in 0..64 {
        assert_eq!(completed.recv().await.unwrap(), Reject::UnknownKey);
    }
    assert_eq!(issuer.key_fetches(), 2);
}

#[tokio::test]
async fn many_tokens_with_unknown_keys_cause_one_fetch() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let clock = Clock::manual();
    let verifier = Arc::new(verifier(&issuer, &clock));
    verifier
        .verify(&sign(0, &header("k1"), &issuer.claims()))
        .await
        .unwrap();
    clock.advance(COOL_DOWN);
    let forged: Vec<_> = (0..200)
        .map(|number| {
            let (verifier, token) = (
                Arc::clone(&verifier),
                sign(2, &header(&format!("x{number}")), &issuer.claims()),
            );
            tokio::spawn(async move { verifier.verify(&token).await })
        })
        .collect();
    for result in forged {
        assert_eq!(result.await.unwrap(), Err(Reject::UnknownKey));
    }
    assert_eq!(issuer.key_fetches(), 2);
}

#[tokio::test]
async fn cached_keys_are_used_for_a_day_during_an_outage() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let clock = Clock::manual();
    let verifier = verifier(&issuer, &clock);
    let token = sign(0, &header("k1"), &issuer.claims());
    verifier.verify(&token).await.unwrap();
    issuer.state.down.store(true, SeqCst);
    clock.advance(Duration::from_secs(23 * 60 * 60));
    verifier.verify(&token).await.unwrap();
    let new = sign(2, &header("k2"), &issuer.claims());
    assert!(verifier.verify(&new).await.unwrap_err().is_unavailable());
    let status = verifier.ready().await.remove(0);
    assert!(status.is_ready() && status.last_error.is_some(), "{status:?}");

    clock.advance(Duration::from_secs(2 * 60 * 60));
    assert!(verifier.verify(&token).await.unwrap_err().is_unavailable());
    assert!(!verifier.ready().await.remove(0).is_ready());

    issuer.state.down.store(false, SeqCst);
    clock.advance(COOL_DOWN);
    verifier.verify(&token).await.unwrap();
    clock.advance(COOL_DOWN);
    assert_eq!(verifier.verify(&new).await, Err(Reject::UnknownKey));
}

#[tokio::test]
async fn a_provider_that_starts_late_becomes_ready() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    issuer.state.down.store(true, SeqCst);
    let clock = Clock::manual();
    let verifier = verifier(&issuer, &clock);
    let token = sign(0, &header("k1"), &issuer.claims());
    assert!(verifier.verify(&token).await.unwrap_err().is_unavailable());
    let status = verifier.ready().await.remove(0);
    assert!(!status.is_ready() && status.last_error.unwrap().contains("502"));
    issuer.state.down.store(false, SeqCst);
    clock.advance(Duration::from_secs(1));
    assert!(verifier.ready().await.remove(0).is_ready());
    verifier.verify(&token).await.unwrap();
}

#[tokio::test]
async fn a_cached_token_expires_with_its_exp() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let clock = Clock::manual();
    let providers = vec![ProviderConfig::new(&issuer.url, issuer::AUDIENCE)];
    let verifier = Verifier::with_clock(
        Config {
            providers,
            ..Config::default()
        },
        clock.clone(),
    )
    .unwrap();
    let token = sign(
        0,
        &header("k1"),
        &issuer::with(issuer.claims(), "exp", json!(clock.unix() + 20)),
    );
    verifier.verify(&token).await.unwrap();
    clock.advance(Duration::from_secs(30));
    verifier.verify(&token).await.unwrap();
    clock.advance(Duration::from_secs(29 + 60));
    assert_eq!(verifier.verify(&token).await, Err(Reject::Expired));
}

#[tokio::test]
async fn a_provider_that_hangs_redirects_or_names_another_issuer_is_unavailable() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let token = sign(0, &header("k1"), &issuer.claims());
    let reject = async || verifier(&issuer, &Clock::manual()).verify(&token).await.unwrap_err();

    issuer.state.delay_ms.store(60_000, SeqCst);
    let started = Instant::now();
    assert!(reject().await.is_unavailable());
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "a provider that does not respond must not block requests"
    );
    issuer.state.delay_ms.store(0, SeqCst);

    issuer.state.redirecting.store(true, SeqCst);
    assert_eq!(
        reject().await,
        Reject::Unavailable(format!("{}/jwks returned 302 Found", issuer.url))
    );
    issuer.state.redirecting.store(false, SeqCst);

    issuer.publish(json!([]));
    assert!(reject().await.is_unavailable());
    issuer.publish(json!([jwk(0, "k1")]));

    *issuer.state.issuer.lock().unwrap() = "https://evil.test".into();
    assert!(reject().await.is_unavailable());
}

#[tokio::test]
async fn the_ids_of_published_keys_are_read_at_most_every_five_seconds() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let clock = Clock::manual();
    let verifier = verifier(&issuer, &clock);
    verifier
        .verify(&sign(0, &header("k1"), &issuer.claims()))
        .await
        .unwrap();
    let old = Some(vec!["k1".to_owned()]);
    assert_eq!(verifier.key_ids("oidc").await, old);
    issuer.publish(json!([jwk(1, "k2")]));
    clock.advance(Duration::from_secs(4));
    assert_eq!(verifier.key_ids("oidc").await, old);
    clock.advance(Duration::from_secs(1));
    assert_eq!(verifier.key_ids("oidc").await, Some(vec!["k2".to_owned()]));
    assert_eq!(issuer.key_fetches(), 3);
    assert_eq!(verifier.key_ids("other").await, None);
}
