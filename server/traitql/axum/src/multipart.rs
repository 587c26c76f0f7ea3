//! Subscriptions over one HTTP response: Apollo's multipart protocol (`multipart/mixed; subscriptionSpec=1.0`).
//!
//! Apollo Client processes a part when it receives the boundary *after* it, so every part is sent together with the
//! next boundary. If the token expires, the session ends or the engine panics, a part with `"payload":null` and an
//! error follows, Apollo's protocol error.

use std::{any::Any, convert::Infallible, panic::AssertUnwindSafe};

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use bytes::Bytes;
use futures_util::{
    FutureExt, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use serde_json::json;
use tokio::time::{Interval, MissedTickBehavior};

use super::{
    Endpoint,
    access_log::AccessLogEntry,
    auth::{End, stream_ended},
    execute::panicked,
    id::RequestId,
    problem::Problem,
    shutdown::Guard,
    streams::Permit,
};
use traitql::engine;

pub(super) struct Stream {
    phase: Phase,
    request_id: RequestId,
    events: BoxStream<'static, Result<engine::Response, Box<dyn Any + Send>>>,
    ended: BoxFuture<'static, End>,
    shutdown: BoxFuture<'static, ()>,
    heartbeat: Interval,
    log_entry: Option<AccessLogEntry>,
    _permit: Permit,
    _guard: Guard,
}

#[derive(Clone, Copy)]
enum Phase {
    Preamble,
    Open,
    Closed,
}

enum Event {
    Next(engine::Response),
    Heartbeat,
    Complete,
    Fatal(Problem),
}

impl Stream {
    pub(super) fn new(
        endpoint: &Endpoint,
        request_id: RequestId,
        events: BoxStream<'static, engine::Response>,
        ended: BoxFuture<'static, End>,
        permit: Permit,
        log_entry: Option<AccessLogEntry>,
    ) -> Self {
        let mut heartbeat = tokio::time::interval(endpoint.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        let shutdown = endpoint.shutdown.clone();
        Self {
            phase: Phase::Preamble,
            request_id,
            events: AssertUnwindSafe(events).catch_unwind().boxed(),
            ended,
            shutdown: async move { shutdown.triggered().await }.boxed(),
            heartbeat,
            log_entry,
            _permit: permit,
            _guard: endpoint.shutdown.guard(),
        }
    }

    pub(super) fn into_response(self) -> Response {
        let chunks = stream::unfold(self, |mut this| async move {
            let chunk = this.chunk().await?;
            if let Some(log_entry) = &mut this.log_entry {
                log_entry.sent(chunk.len());
            }
            Some((Ok::<_, Infallible>(chunk), this))
        });
        let mut response = Response::new(Body::from_stream(chunks));
        *response.status_mut() = StatusCode::OK;
        let content_type = HeaderValue::from_static("multipart/mixed;boundary=graphql;subscriptionSpec=1.0");
        response.headers_mut().insert(header::CONTENT_TYPE, content_type);
        // No buffering in nginx.
        response
            .headers_mut()
            .insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }

    async fn chunk(&mut self) -> Option<Bytes> {
        match self.phase {
            Phase::Preamble => {
                self.phase = Phase::Open;
                Some(Bytes::from_static(b"\r\n--graphql"))
            }
            Phase::Open => Some(match self.event().await {
                Event::Next(response) => {
                    self.heartbeat.reset();
                    part(&[b"{\"payload\":", &response.body, b"}"])
                }
                Event::Heartbeat => part(&[b"{}"]),
                Event::Complete => self.close(200, "OK", &[]),
                Event::Fatal(problem) => {
                    let error = json!({ "payload": null, "errors": problem.to_errors(&self.request_id) }).to_string();
                    self.close(200, problem.code(), &part(&[error.as_bytes()]))
                }
            }),
            Phase::Closed => None,
        }
    }

    fn close(&mut self, status: u16, outcome: &'static str, last: &[u8]) -> Bytes {
        self.phase = Phase::Closed;
        if let Some(log_entry) = &mut self.log_entry {
            log_entry.outcome(status, outcome);
        }
        // The engine need not wait until the client reads the end.
        self.events = stream::empty().boxed();
        [last, b"--\r\n"].concat().into()
    }

    async fn event(&mut self) -> Event {
        tokio::select! {
            biased;
            () = &mut self.shutdown => Event::Complete,
            end = &mut self.ended => Event::Fatal(stream_ended(end)),
            event = self.events.next() => match event {
                Some(Ok(response)) => Event::Next(response),
                Some(Err(_)) => Event::Fatal(panicked(&self.request_id)),
                None => Event::Complete,
            },
            _ = self.heartbeat.tick() => Event::Heartbeat,
        }
    }
}

fn part(json: &[&[u8]]) -> Bytes {
    const HEAD: &[u8] = b"\r\ncontent-type: application/json\r\n\r\n";
    const TAIL: &[u8] = b"\r\n--graphql";
    [&[HEAD], json, &[TAIL]].concat().concat().into()
}
