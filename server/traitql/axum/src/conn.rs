//! Timeouts of a connection.
//!
//! A started head must finish soon, because it occupies a slot, whereas an idle connection may stay open longer. A
//! client that does not read its response is disconnected. hyper's timeout does not distinguish these, and creates a
//! timer for each request.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::HttpBody;
use hyper::body::{Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

#[derive(Debug, Clone, Default)]
pub(super) struct Phase(Arc<AtomicU8>);

const HEAD: u8 = 0;
const REQUEST: u8 = 1;
const IDLE: u8 = 2;
const UPGRADED: u8 = 3;

impl Phase {
    pub(super) fn request(&self) {
        self.0.store(REQUEST, Ordering::Relaxed);
    }

    pub(super) fn upgraded(&self) {
        self.0.store(UPGRADED, Ordering::Relaxed);
    }

    fn idle(&self) {
        let _ = self
            .0
            .compare_exchange(REQUEST, IDLE, Ordering::Relaxed, Ordering::Relaxed);
    }

    fn get(&self) -> u8 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Fails if the client is too slow.
#[derive(Debug)]
pub(super) struct Guarded<I> {
    io: I,
    phase: Phase,
    head: Timeout,
    idle: Timeout,
    write: Timeout,
}

impl<I> Guarded<I> {
    pub(super) fn new(io: I, phase: Phase, head: Duration, idle: Duration, write: Duration) -> Self {
        Self {
            io,
            phase,
            head: Timeout::new(head),
            idle: Timeout::new(idle),
            write: Timeout::new(write),
        }
    }
}

#[derive(Debug)]
struct Timeout {
    after: Duration,
    timer: Option<Pin<Box<Sleep>>>,
    running: bool,
}

impl Timeout {
    fn new(after: Duration) -> Self {
        Self {
            after,
            timer: None,
            running: false,
        }
    }

    fn stop(&mut self) {
        self.running = false;
    }

    /// Turns `Pending` into an error after the timeout.
    fn check<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        let after = self.after;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(after)));
        if !self.running {
            self.running = true;
            timer.as_mut().reset(Instant::now() + after);
        }
        match timer.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Guarded<I> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buf.filled().len();
        match this.phase.get() {
            HEAD => match Pin::new(&mut this.io).poll_read(cx, buf) {
                // The timer keeps running, because single bytes are no progress.
                Poll::Ready(result) => Poll::Ready(result),
                Poll::Pending => this.head.check(cx),
            },
            IDLE => match Pin::new(&mut this.io).poll_read(cx, buf) {
                Poll::Pending => this.idle.check(cx),
                ready => {
                    if buf.filled().len() > before {
                        this.head.stop();
                        this.idle.stop();
                        let _ = this
                            .phase
                            .0
                            .compare_exchange(IDLE, HEAD, Ordering::Relaxed, Ordering::Relaxed);
                    }
                    ready
                }
            },
            UPGRADED => {
                // A timer keeps the waker, and thus the memory, of the task that has served the handshake.
                this.head.timer = None;
                this.idle.timer = None;
                Pin::new(&mut this.io).poll_read(cx, buf)
            }
            _ => {
                this.head.stop();
                this.idle.stop();
                Pin::new(&mut this.io).poll_read(cx, buf)
            }
        }
    }
}

impl<I: AsyncWrite + Unpin> Guarded<I> {
    fn check_write<T>(&mut self, result: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        match result {
            Poll::Pending => self.write.check(cx),
            ready => {
                self.write.stop();
                ready
            }
        }
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Guarded<I> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.io).poll_write(cx, buf);
        self.check_write(result, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.io).poll_write_vectored(cx, bufs);
        self.check_write(result, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

/// Marks the connection as idle when it is dropped.
#[derive(Debug)]
pub(super) struct Tracked<B> {
    body: B,
    phase: Phase,
}

impl<B> Tracked<B> {
    pub(super) fn new(body: B, phase: Phase) -> Self {
        Self { body, phase }
    }
}

impl<B: HttpBody + Unpin> HttpBody for Tracked<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for Tracked<B> {
    fn drop(&mut self) {
        self.phase.idle();
    }
}
