//! Measures token verification on one core: `cargo bench -p waypost-auth`. Prints a table that `npm run bench:sign-in`
//! reads; there are no thresholds. The last row is the baseline: a loopback round trip.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/issuer/mod.rs"]
mod issuer;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use issuer::{Issuer, header, jwk, sign, with};
use serde_json::json;
use waypost_auth::{
    Clock, Config, ProviderConfig, Timing, Verifier,
    dpop::{ProofKey, Proofs},
};

const ROW_DURATION: Duration = Duration::from_secs(3);

/// Few enough that a round is shorter than the scheduler's time slice.
const ROUND: usize = 20;

const ACCOUNTS: usize = 1000;

fn verifier(issuer: &Issuer, remembered: usize) -> Verifier {
    Verifier::new(Config {
        providers: vec![ProviderConfig::new(&issuer.url, issuer::AUDIENCE)],
        timing: Timing {
            remembered,
            ..Timing::default()
        },
    })
    .unwrap()
}

async fn row(name: &str, verifier: &Verifier, tokens: &[String]) {
    for token in tokens {
        verifier.verify(token).await.unwrap();
    }
    // Takes the fastest of many short rounds, because other load on the machine only makes rounds longer.
    let mut best = Duration::MAX;
    let started = Instant::now();
    while started.elapsed() < ROW_DURATION {
        let round = Instant::now();
        for token in tokens.iter().cycle().take(ROUND) {
            black_box(verifier.verify(black_box(token)).await.unwrap());
        }
        best = best.min(round.elapsed());
    }
    let each = best.as_nanos() as f64 / ROUND as f64;
    println!("| {name} | {:.2} | {:.0} |", each / 1000.0, 1e9 / each);
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let issuer = Issuer::start(json!([jwk(0, "k1")])).await;
    let tokens: Vec<_> = (0..ACCOUNTS)
        .map(|account| {
            sign(
                0,
                &header("k1"),
                &with(issuer.claims(), "sub", json!(format!("u{account}"))),
            )
        })
        .collect();
    println!(
        "A token of {} bytes, RS256 with 2048 bits, one core:\n",
        tokens[0].len()
    );
    println!("| token | µs each | per second |\n|---|--:|--:|");
    row("first verification of a token", &verifier(&issuer, 0), &tokens).await;
    row(
        "verification of a cached token",
        &verifier(&issuer, ACCOUNTS * 2),
        &tokens[..1],
    )
    .await;
    row("… of 1000 accounts in turn", &verifier(&issuer, ACCOUNTS * 2), &tokens).await;
    bound(&issuer).await;
    round_trip(&issuer).await;
}

/// A cached token with a new proof for each request, as browsers sign it (ES256).
async fn bound(issuer: &Issuer) {
    const URL: &str = "https://tours.example/graphql";
    let (clock, verifier) = (Clock::system(), verifier(issuer, ACCOUNTS));
    let key = ProofKey::generate().unwrap();
    let confirmation = json!({ "jkt": key.thumbprint() });
    let token = sign(0, &header("k1"), &with(issuer.claims(), "cnf", confirmation));
    let mut best = Duration::MAX;
    let started = Instant::now();
    while started.elapsed() < ROW_DURATION {
        let proofs = Proofs::new(URL.parse().unwrap(), b"nonce key", clock.clone());
        let nonce = proofs.nonce();
        let sign = |_| {
            let claims = ProofKey::claims("POST", URL, Some(&token), Some(&nonce), clock.unix()).unwrap();
            key.sign(&claims).unwrap()
        };
        let signed: Vec<_> = (0..ROUND).map(sign).collect();
        let round = Instant::now();
        for proof in &signed {
            black_box(verifier.verify_bound(&token, &proofs, proof, "POST").await.unwrap());
        }
        best = best.min(round.elapsed());
    }
    let each = best.as_nanos() as f64 / ROUND as f64;
    println!(
        "| … bound, with a proof (ES256) | {:.2} | {:.0} |",
        each / 1000.0,
        1e9 / each
    );
}

async fn round_trip(issuer: &Issuer) {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut best = Duration::MAX;
    let started = Instant::now();
    while started.elapsed() < ROW_DURATION {
        let round = Instant::now();
        let response = http.get(format!("{}/userinfo", issuer.url)).send().await.unwrap();
        black_box(response.bytes().await.unwrap());
        best = best.min(round.elapsed());
    }
    let each = best.as_nanos() as f64;
    println!(
        "| baseline: an empty round trip over loopback | {:.2} | {:.0} |",
        each / 1000.0,
        1e9 / each
    );
}
