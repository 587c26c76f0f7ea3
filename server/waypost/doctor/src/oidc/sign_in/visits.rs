//! Hands the browser's requests to the sequential code of the sign-in.

use std::{net::SocketAddr, time::Duration};

use axum::{
    Router,
    extract::State,
    http::{StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};
use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::timeout,
};
use url::{Url, form_urlencoded};

/// Time to send the last response.
const GRACE_PERIOD: Duration = Duration::from_secs(1);

pub(super) struct Visit {
    uri: Uri,
    reply: oneshot::Sender<Response>,
}

impl Visit {
    pub(super) fn path(&self) -> &str {
        self.uri.path()
    }

    pub(super) fn get(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.uri.query().unwrap_or_default().as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    }

    pub(super) fn redirect(self, url: &Url) {
        self.respond((StatusCode::FOUND, [(header::LOCATION, url.to_string())]).into_response());
    }

    /// `body` is HTML, so it must not contain texts of the provider.
    pub(super) fn page(self, body: &str) {
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\">\
             <title>Waypost doctor</title>{body}</html>"
        );
        self.respond(Html(page).into_response());
    }

    fn respond(self, mut response: Response) {
        for (name, value) in [
            (header::CACHE_CONTROL, "no-store"),
            (header::REFERRER_POLICY, "no-referrer"),
        ] {
            response
                .headers_mut()
                .insert(name, header::HeaderValue::from_static(value));
        }
        let _ = self.reply.send(response);
    }
}

pub(super) struct Visits {
    received: mpsc::Receiver<Visit>,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Visits {
    pub(super) async fn listen(address: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let (sender, received) = mpsc::channel(16);
        let (stop, stopped) = oneshot::channel::<()>();
        let router = Router::new().fallback(receive).with_state(sender);
        let server = tokio::spawn(async move {
            let server = axum::serve(listener, router).with_graceful_shutdown(async {
                let _ = stopped.await;
            });
            let _ = server.await;
        });
        Ok(Self { received, stop, server })
    }

    /// Redirects `/` to `start`, because users reload pages.
    pub(super) async fn next(&mut self, paths: &[&str], start: &Url, limit: Duration) -> Option<Visit> {
        let visit = async {
            loop {
                let visit = self.received.recv().await?;
                match visit.path() {
                    path if paths.contains(&path) => return Some(visit),
                    "/" => visit.redirect(start),
                    _ => visit.respond(StatusCode::NOT_FOUND.into_response()),
                }
            }
        };
        timeout(limit, visit).await.ok().flatten()
    }

    pub(super) async fn close(self) {
        drop(self.received);
        let _ = self.stop.send(());
        let _ = timeout(GRACE_PERIOD, self.server).await;
    }
}

async fn receive(State(sender): State<mpsc::Sender<Visit>>, uri: Uri) -> Response {
    let (reply, response) = oneshot::channel();
    let sent = sender.send(Visit { uri, reply }).await;
    let response = match sent {
        Ok(()) => response.await.ok(),
        Err(_closed) => None,
    };
    response.unwrap_or_else(|| StatusCode::GONE.into_response())
}
