//! `bench-count`: what one request costs in allocations, and what hostile documents cost until they are refused; both in this
//! process, without a socket.
#![allow(clippy::print_stdout)]

mod hostile;

use std::{error::Error, fs, path::PathBuf, sync::Arc};

use axum::body::Bytes;
use clap::{Parser, Subcommand};
use contestants::{Contestant, Store, ask};
use serde_json::json;

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
    /// Prints what hostile documents cost as JSON.
    Hostile,
}

fn main() -> Result<(), Box<dyn Error>> {
    match Cli::parse().command {
        Command::Allocations { contestant, body } => allocations(contestant, &Bytes::from(fs::read(body)?)),
        Command::Hostile => hostile::measure(),
    }
}

fn allocations(contestant: Contestant, body: &Bytes) -> Result<(), Box<dyn Error>> {
    const TIMES: usize = 200;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let router = runtime.block_on(async { contestant.router(Arc::new(Store::with(100))) });
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
