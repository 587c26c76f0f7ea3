//! `bench-serve serve CONTESTANT`: serves one contestant on a free port and prints its address. `bench-serve data` prints the
//! store as JSON. `bench-serve run` answers without a socket, for tools that count instructions.
#![allow(clippy::print_stdout)]

use std::{error::Error, fs, net::Ipv4Addr, path::PathBuf, sync::Arc};

use axum::serve::ListenerExt;
use clap::{Parser, Subcommand};
use contestants::{Contestant, ENDPOINTS, Store, ask};
use tokio::net::TcpListener;
use traitql::http::{ServeOptions, Shutdown, serve};

#[derive(Parser)]
#[command(about = "A server of the benchmarks")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prints the data that everybody answers with, as JSON.
    Data,
    /// Serves one contestant on loopback until the process is ended.
    Serve {
        #[arg(value_enum)]
        contestant: Contestant,
        /// 0 is any free port.
        #[arg(long, default_value_t = 0)]
        port: u16,
    },
    /// Answers a request so many times.
    Run {
        #[arg(value_enum)]
        contestant: Contestant,
        /// File with the body of the request.
        body: PathBuf,
        times: usize,
    },
}

// Every server has one core, so there is one thread.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    match Cli::parse().command {
        Command::Data => println!("{}", serde_json::to_string(&Store::default())?),
        Command::Serve { contestant, port } => listen(contestant, port).await?,
        Command::Run {
            contestant,
            body,
            times,
        } => {
            // No more rows than the workloads ask for: what counts instructions makes them slow.
            let router = contestant.router(Arc::new(Store::with(100)));
            ask(&router, &fs::read(body)?.into(), times).await?;
        }
    }
    Ok(())
}

async fn listen(contestant: Contestant, port: u16) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    println!("http://{}/graphql", listener.local_addr()?);
    let routes = contestant.router(Arc::new(Store::default()));
    if ENDPOINTS.contains(&contestant) {
        serve(listener, routes, ServeOptions::default(), Shutdown::default()).await;
    } else {
        let listener = listener.tap_io(|stream| {
            // Without it, answers wait for acknowledgements.
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, routes).await?;
    }
    Ok(())
}
