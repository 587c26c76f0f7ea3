//! Subscriptions over one HTTP answer: Apollo's multipart protocol (`multipart/mixed; subscriptionSpec=1.0`).
//!
//! Apollo Client hands a part on when it sees the boundary *after* it. So every part is sent at once together with the next
//! boundary; a writer that puts the boundary before each part delays every event until the following one.
//!
//! A stream ends for one of five reasons, and says which: the engine has no more events or the server stops (the closing
//! boundary alone, which is a completion), the token ends or the engine panics (a part with `"payload":null` and an error,
//! which Apollo calls a protocol error), or the client goes away (nothing to say).

use std::{any::Any, convert::Infallible, future, panic::AssertUnwindSafe, pin::Pin, time::Duration};

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
use jiff::Timestamp;
use serde_json::json;
use tokio::time::{Interval, MissedTickBehavior};

use super::{
    Endpoint, answer::panicked, id::RequestId, problem::Problem, record::Record, shutdown::Guard, streams::Permit,
};
use crate::engine;

/// One subscription on its way to one client.
pub(super) struct Stream {
    phase: Phase,
    request_id: RequestId,
    events: BoxStream<'static, Result<engine::Response, Box<dyn Any + Send>>>,
    expired: BoxFuture<'static, ()>,
    shutdown: BoxFuture<'static, ()>,
    heartbeat: Interval,
    record: Option<Record>,
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
        expires: Option<Timestamp>,
        permit: Permit,
        record: Option<Record>,
    ) -> Self {
        let mut heartbeat = tokio::time::interval(endpoint.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        let shutdown = endpoint.shutdown.clone();
        Self {
            phase: Phase::Preamble,
            request_id,
            events: AssertUnwindSafe(events).catch_unwind().boxed(),
            expired: expired(expires),
            shutdown: async move { shutdown.begun().await }.boxed(),
            heartbeat,
            record,
            _permit: permit,
            _guard: endpoint.shutdown.guard(),
        }
    }

    pub(super) fn into_response(self) -> Response {
        let chunks = stream::unfold(self, |mut this| async move {
            let chunk = this.chunk().await?;
            if let Some(record) = &mut this.record {
                record.sent(chunk.len());
            }
            Some((Ok::<_, Infallible>(chunk), this))
        });
        let mut response = Response::new(Body::from_stream(chunks));
        *response.status_mut() = StatusCode::OK;
        let content_type = HeaderValue::from_static("multipart/mixed;boundary=graphql;subscriptionSpec=1.0");
        response.headers_mut().insert(header::CONTENT_TYPE, content_type);
        // nginx holds answers back unless it is told not to.
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
        if let Some(record) = &mut self.record {
            record.outcome(status, outcome);
        }
        // The engine need not wait for the client to read the end.
        self.events = stream::empty().boxed();
        [last, b"--\r\n"].concat().into()
    }

    async fn event(&mut self) -> Event {
        tokio::select! {
            biased;
            () = &mut self.shutdown => Event::Complete,
            () = &mut self.expired => Event::Fatal(Problem::unauthenticated()),
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

/// Waits until a token ends; for ever without one.
pub(super) fn expired(at: Option<Timestamp>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    /// Timers have an upper limit, and nobody has a stream open for so long.
    const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);
    match at {
        Some(at) => {
            let left = Duration::try_from(at.duration_since(Timestamp::now()))
                .unwrap_or(Duration::ZERO)
                .min(LONGEST);
            tokio::time::sleep(left).boxed()
        }
        None => future::pending().boxed(),
    }
}
