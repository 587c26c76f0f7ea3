//! What the check of a token costs, on one core: `cargo bench -p waypost-auth`. Prints a table, which `npm run bench:sign-in`
//! reads, and judges nothing. The last row is the least that a request can cost beside it: a round trip over loopback to a
//! server that answers "ok".

#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/issuer/mod.rs"]
mod issuer;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use issuer::{Issuer, header, jwk, sign, with};
use serde_json::json;
use waypost_auth::{Config, ProviderConfig, Timing, Verifier};

/// Each row is measured for so long.
const PATIENCE: Duration = Duration::from_secs(3);

/// Tokens in one round, which takes less than the system's time slice.
const ROUND: usize = 20;

/// Tokens of different people in the table of checked tokens.
const PEOPLE: usize = 1000;

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
    // The quickest of many short rounds: whatever else the machine does makes a round longer, never shorter.
    let mut best = Duration::MAX;
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
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
    let tokens: Vec<_> = (0..PEOPLE)
        .map(|person| {
            sign(
                0,
                &header("k1"),
                &with(issuer.claims(), "sub", json!(format!("u{person}"))),
            )
        })
        .collect();
    println!(
        "A token of {} bytes, RS256 with 2048 bits, one core:\n",
        tokens[0].len()
    );
    println!("| token | µs each | per second |\n|---|--:|--:|");
    row(
        "the check of a token, for the first time",
        &verifier(&issuer, 0),
        &tokens,
    )
    .await;
    row(
        "the check of a token that was checked before",
        &verifier(&issuer, PEOPLE * 2),
        &tokens[..1],
    )
    .await;
    row("… of 1000 people in turn", &verifier(&issuer, PEOPLE * 2), &tokens).await;
    round_trip(&issuer).await;
}

async fn round_trip(issuer: &Issuer) {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut best = Duration::MAX;
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let round = Instant::now();
        let answer = http.get(format!("{}/userinfo", issuer.url)).send().await.unwrap();
        black_box(answer.bytes().await.unwrap());
        best = best.min(round.elapsed());
    }
    let each = best.as_nanos() as f64;
    println!(
        "| for comparison: an empty round trip over loopback | {:.2} | {:.0} |",
        each / 1000.0,
        1e9 / each
    );
}
