//! `bench-serve CONTESTANT`: serves one contestant on a free port and prints its address. `bench-serve data` prints the
//! store as JSON.
#![allow(clippy::print_stdout)]

use std::{error::Error, net::Ipv4Addr, sync::Arc};

use axum::serve::ListenerExt;
use clap::{Parser, Subcommand};
use contestants::{Contestant, ENDPOINTS, Store};
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
}

// Every server has one core, so there is one thread.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = Arc::new(Store::default());
    let (contestant, port) = match Cli::parse().command {
        Command::Data => {
            println!("{}", serde_json::to_string(&*store)?);
            return Ok(());
        }
        Command::Serve { contestant, port } => (contestant, port),
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    println!("http://{}/graphql", listener.local_addr()?);
    let routes = contestant.router(store);
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
