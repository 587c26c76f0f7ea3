//! Deadlines that cost nothing to those who keep them.
//!
//! Most of what has a deadline here is there when it is first looked at: a body that came with its head, a token that was
//! checked before, an answer from memory. So the timer is set only when the future has to wait.

use std::{pin::Pin, task::Poll, time::Duration};

use tokio::{
    task::coop::{Unconstrained, unconstrained},
    time::{Sleep, sleep},
};

/// The time was up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Late;

/// What `future` gives, unless it lasts longer than `limit` from when it first has to wait.
pub(super) async fn within<F: Future>(limit: Duration, mut future: Pin<&mut F>) -> Result<F::Output, Late> {
    // Unconstrained: a future that uses up the task's budget each time must not keep the timer from being seen.
    let mut timer: Option<Unconstrained<Pin<Box<Sleep>>>> = None;
    std::future::poll_fn(|cx| {
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            return Poll::Ready(Ok(output));
        }
        let timer = timer.get_or_insert_with(|| unconstrained(Box::pin(sleep(limit))));
        Pin::new(timer).poll(cx).map(|()| Err(Late))
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    #[tokio::test(start_paused = true)]
    async fn what_is_late_is_given_up_and_what_is_not_is_handed_on() {
        assert_eq!(within(LIMIT, pin!(std::future::pending::<()>())).await, Err(Late));
        assert_eq!(within(LIMIT, pin!(sleep(LIMIT / 2))).await, Ok(()));
        assert_eq!(within(LIMIT, pin!(sleep(LIMIT * 2))).await, Err(Late));
    }

    #[test]
    fn what_is_there_already_needs_no_timer() {
        // A timer would need a runtime, and there is none here.
        let ready = pin!(std::future::ready(1));
        let mut future = pin!(within(LIMIT, ready));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert_eq!(future.as_mut().poll(&mut cx), Poll::Ready(Ok(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_future_that_keeps_the_task_busy_is_late_too() {
        let busy = async {
            loop {
                tokio::task::consume_budget().await;
                tokio::time::advance(Duration::from_millis(1)).await;
            }
        };
        assert_eq!(within(LIMIT, pin!(busy)).await, Err::<(), _>(Late));
    }
}
