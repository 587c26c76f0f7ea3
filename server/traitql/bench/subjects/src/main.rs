//! `bench-serve serve SUBJECT` serves a subject and prints its address. `bench-serve data` prints the store as JSON.
//! `bench-serve run` executes requests without a socket, for tools that count instructions.
#![allow(clippy::print_stdout)]

use std::{error::Error, fs, net::Ipv4Addr, path::PathBuf, sync::Arc};

use axum::serve::ListenerExt;
use clap::{Parser, Subcommand};
use subjects::{ENDPOINTS, Store, Subject, send};
use tokio::net::TcpListener;
use traitql_axum::{ServeOptions, Shutdown, serve};

#[derive(Parser)]
#[command(about = "A benchmark server")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prints the data of all servers as JSON.
    Data,
    /// Serves a subject on loopback until the process ends.
    Serve {
        #[arg(value_enum)]
        subject: Subject,
        /// Port; 0 selects a free one.
        #[arg(long, default_value_t = 0)]
        port: u16,
    },
    /// Executes a request several times.
    Run {
        #[arg(value_enum)]
        subject: Subject,
        /// File with the request body.
        body: PathBuf,
        times: usize,
    },
}

// Every server has one core.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    match Cli::parse().command {
        Command::Data => println!("{}", serde_json::to_string(&Store::default())?),
        Command::Serve { subject, port } => listen(subject, port).await?,
        Command::Run { subject, body, times } => {
            // Counting instructions slows it down.
            let router = subject.router(Arc::new(Store::with(100)));
            send(&router, &fs::read(body)?.into(), times).await?;
        }
    }
    Ok(())
}

async fn listen(subject: Subject, port: u16) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    println!("http://{}/graphql", listener.local_addr()?);
    let routes = subject.router(Arc::new(Store::default()));
    if ENDPOINTS.contains(&subject) {
        serve(listener, routes, ServeOptions::default(), Shutdown::default()).await;
    } else {
        let listener = listener.tap_io(|stream| {
            // Without Nagle's algorithm, which waits for acknowledgements.
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, routes).await?;
    }
    Ok(())
}
