#![allow(clippy::print_stdout)]

mod hostile;

use std::{error::Error, fs, path::PathBuf, sync::Arc};

use axum::body::Bytes;
use clap::{Parser, Subcommand};
use serde_json::json;
use subjects::{Store, Subject, send};

const WARM_UP_REQUESTS: usize = 50;

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
        subject: Subject,
        /// File with the request body.
        body: PathBuf,
    },
    /// Prints the cost of hostile documents as JSON.
    Hostile,
}

fn main() -> Result<(), Box<dyn Error>> {
    match Cli::parse().command {
        Command::Allocations { subject, body } => allocations(subject, &Bytes::from(fs::read(body)?)),
        Command::Hostile => hostile::measure(),
    }
}

fn allocations(subject: Subject, body: &Bytes) -> Result<(), Box<dyn Error>> {
    const TIMES: usize = 200;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let router = runtime.block_on(async { subject.router(Arc::new(Store::with(100))) });
    runtime.block_on(send(&router, body, WARM_UP_REQUESTS))?;
    let mut length = Ok(0);
    let counted = allocation_counter::measure(|| length = runtime.block_on(send(&router, body, TIMES)));
    let per_request = |all: u64| all as f64 / TIMES as f64;
    let report = json!({
        "allocations": per_request(counted.count_total),
        "bytes": per_request(counted.bytes_total),
        "answer": length?,
    });
    println!("{report}");
    Ok(())
}
