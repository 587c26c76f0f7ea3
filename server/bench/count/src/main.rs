//! `bench-count`: what one request costs in allocations; the same request again and again, for a tool that counts
//! instructions; and what hostile documents cost until they are refused. All of it in this process, without a socket.
#![allow(clippy::print_stdout)]

mod hostile;

use std::{error::Error, fs, path::PathBuf, sync::Arc};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    http::{Request, header},
};
use clap::{Parser, Subcommand};
use contestants::{Contestant, Store};
use serde_json::json;
use tower::ServiceExt;

/// Enough for caches and pools to be filled.
const WARM: usize = 50;

#[derive(Parser)]
#[command(about = "Counts what requests cost in this process")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prints allocations and allocated bytes of one request as JSON.
    Allocations {
        #[arg(value_enum)]
        contestant: Contestant,
        /// File with the body of the request.
        body: PathBuf,
    },
    /// Answers a request so many times.
    Run {
        #[arg(value_enum)]
        contestant: Contestant,
        /// File with the body of the request.
        body: PathBuf,
        times: usize,
    },
    /// Prints what hostile documents cost as JSON.
    Hostile,
}

fn main() -> Result<(), Box<dyn Error>> {
    match Cli::parse().command {
        Command::Allocations { contestant, body } => allocations(contestant, &Bytes::from(fs::read(body)?)),
        Command::Run {
            contestant,
            body,
            times,
        } => run(contestant, &Bytes::from(fs::read(body)?), times),
        Command::Hostile => hostile::measure(),
    }
}

/// As much as the workloads ask for: what makes instructions countable also makes them slow.
fn store() -> Arc<Store> {
    Arc::new(Store::with(100))
}

fn allocations(contestant: Contestant, body: &Bytes) -> Result<(), Box<dyn Error>> {
    const TIMES: usize = 200;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let router = runtime.block_on(async { contestant.router(store()) });
    runtime.block_on(ask(&router, body, WARM))?;
    let mut answered = Ok(0);
    let counted = allocation_counter::measure(|| answered = runtime.block_on(ask(&router, body, TIMES)));
    let per_request = |all: u64| all as f64 / TIMES as f64;
    let report = json!({
        "allocations": per_request(counted.count_total),
        "bytes": per_request(counted.bytes_total),
        "answer": answered?,
    });
    println!("{report}");
    Ok(())
}

fn run(contestant: Contestant, body: &Bytes, times: usize) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let router = contestant.router(store());
        ask(&router, body, WARM + times).await?;
        Ok(())
    })
}

/// Asks so often, and answers with the length of the last answer.
async fn ask(router: &Router, body: &Bytes, times: usize) -> Result<usize, Box<dyn Error>> {
    let mut length = 0;
    for _ in 0..times {
        let request = Request::post("/graphql")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .body(Body::from(body.clone()))?;
        let response = router.clone().oneshot(request).await?;
        let status = response.status();
        length = to_bytes(response.into_body(), usize::MAX).await?.len();
        if !status.is_success() {
            return Err(format!("the answer is {status}").into());
        }
    }
    Ok(length)
}
