//! Serves the API at http://localhost:4000, or on the port in `PORT`.

use std::{env, error::Error, process::ExitCode, sync::Arc};

use tokio::net::TcpListener;
use traitql_axum::{{{any_token_import}}Endpoint, ServeOptions, Shutdown, explorer, router, serve};
use traitql::{AdHoc, Documents, Limits};

use {{lib}}::{App, engine};

#[tokio::main]
async fn main() -> ExitCode {
    // Logs requests and internal errors. A response contains only the reference of an internal error, and the log its cause. `RUST_LOG`
    // sets the level: `RUST_LOG=debug`.
    tracing_subscriber::fmt::init();
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let port = env::var("PORT").unwrap_or_else(|_| "4000".to_owned());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await;
    let listener = listener.map_err(|error| format!("cannot listen on port {port}: {error}; set `PORT` to use another port"))?;
    println!("http://{}", listener.local_addr()?);

    let shutdown = Shutdown::default();
    let documents = Documents::from_manifest(api::MANIFEST)?;
    let endpoint = Endpoint::new(Arc::new(engine(App::default())), documents).shutdown(shutdown.clone());
    // A release build executes only the operations in `operations/`. A development build executes any operation within limits, and
    // serves GraphiQL.
    let routes = if cfg!(debug_assertions) {
        let endpoint = endpoint.ad_hoc(AdHoc::new(api::SDL, Limits::default())?){{any_token}};
        let first = include_str!("../operations/FirstLook.graphql");
        router(endpoint).route("/", explorer("/graphql", first))
    } else {
        router(endpoint)
    };

    let stop = shutdown.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.trigger();
        }
    });
    serve(listener, routes, ServeOptions::default(), shutdown).await;
    Ok(())
}
