//! Limits the bytes of a request body and the time to receive it.
//!
//! [`serve`](super::serve) limits every body before a route sees it, so that no route can forget to. A route with other
//! limits, such as [`Endpoint`](super::Endpoint), sets them before it reads.

use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, HttpBody},
    http::{Extensions, HeaderMap, HeaderValue, Response, StatusCode, header},
};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use tokio::{
    task::coop::{Unconstrained, unconstrained},
    time::{Instant, Sleep, sleep_until},
};

/// Limits the bytes that are discarded if a body is too large, because a client that is still writing when the
/// connection closes never reads the response.
const MAX_DISCARDED_BYTES: u64 = 4 * 1024 * 1024;
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) bytes: usize,
    /// Measured from the end of the head.
    pub(super) timeout: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    Late,
    /// The limit in bytes.
    TooLarge(usize),
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late => f.write_str("the body was not received in time"),
            Self::TooLarge(limit) => write!(f, "the body is larger than {limit} bytes"),
        }
    }
}

impl std::error::Error for Cut {}

impl Cut {
    /// Sets the status, which most routes cannot know, because an extractor fails in the same way for other reasons.
    pub(super) fn mark(self, response: &mut Response<Body>) {
        *response.status_mut() = match self {
            Self::Late => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
        };
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
}

/// The limits of one body, which its route and its connection share.
#[derive(Debug, Clone)]
pub(super) struct BodyLimits(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    limits: Limits,
    cut: Option<Cut>,
}

impl BodyLimits {
    pub(super) fn new(limits: Limits) -> Self {
        Self(Arc::new(Mutex::new(State { limits, cut: None })))
    }

    /// Limits a body, with the limits of its connection replaced.
    pub(super) fn replace(extensions: &Extensions, headers: &HeaderMap, body: Body, limits: Limits) -> (Self, Body) {
        if let Some(shared) = extensions.get::<Self>() {
            shared.lock().limits = limits;
            return (shared.clone(), body);
        }
        let shared = Self::new(limits);
        let body = Body::new(shared.limit(headers, body));
        (shared, body)
    }

    pub(super) fn limit<B: HttpBody>(&self, headers: &HeaderMap, body: B) -> LimitedBody<B> {
        LimitedBody {
            declared: body.size_hint().lower(),
            waits_for_permission: headers.contains_key(header::EXPECT),
            body,
            limits: self.clone(),
            received: 0,
            began: Instant::now(),
            timer: None,
            discards: false,
        }
    }

    pub(super) fn cut(&self) -> Option<Cut> {
        self.lock().cut
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) struct LimitedBody<B> {
    body: B,
    limits: BodyLimits,
    declared: u64,
    /// True with `Expect: 100-continue`: the client does not send the body before the server reads it.
    waits_for_permission: bool,
    received: u64,
    began: Instant,
    /// Created when the body is first incomplete, as few are. It is unconstrained, because a body that uses up the
    /// task's budget must not keep it from being polled.
    timer: Option<Unconstrained<Pin<Box<Sleep>>>>,
    discards: bool,
}

impl<B: HttpBody<Data = Bytes> + Unpin> LimitedBody<B> {
    fn poll_late(&mut self, cx: &mut Context<'_>, timeout: Duration) -> Poll<()> {
        let deadline = self.began + timeout;
        let timer = self
            .timer
            .get_or_insert_with(|| unconstrained(Box::pin(sleep_until(deadline))));
        Pin::new(timer).poll(cx)
    }

    /// Discards the rest of a body that is too large.
    fn poll_discard(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if !self.discards {
            self.discards = true;
            self.began = Instant::now();
            self.timer = None;
            if self.waits_for_permission && self.received == 0 {
                return Poll::Ready(());
            }
        }
        while self.received <= MAX_DISCARDED_BYTES {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => self.count(&frame),
                Poll::Ready(_) => break,
                Poll::Pending => return self.poll_late(cx, DISCARD_TIMEOUT),
            }
        }
        Poll::Ready(())
    }

    fn count(&mut self, frame: &Frame<Bytes>) {
        self.received += frame.data_ref().map_or(0, |data| data.len() as u64);
    }

    fn cut(&self, cut: Cut) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        self.limits.lock().cut = Some(cut);
        Poll::Ready(Some(Err(cut.into())))
    }
}

impl<B> HttpBody for LimitedBody<B>
where
    B: HttpBody<Data = Bytes, Error: Into<axum::BoxError>> + Unpin,
{
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let Limits { bytes, timeout } = self.limits.lock().limits;
        let limit = bytes as u64;
        if self.declared <= limit && !self.discards {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    self.count(&frame);
                    if self.received <= limit {
                        return Poll::Ready(Some(Ok(frame)));
                    }
                }
                Poll::Ready(end) => return Poll::Ready(end.map(|result| result.map_err(Into::into))),
                Poll::Pending => {
                    ready!(self.poll_late(cx, timeout));
                    return self.cut(Cut::Late);
                }
            }
        }
        ready!(self.poll_discard(cx));
        self.cut(Cut::TooLarge(bytes))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
