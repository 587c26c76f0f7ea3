//! Deadlines without a timer for futures that are ready at the first poll, as most are.

use std::{pin::Pin, task::Poll, time::Duration};

use tokio::{
    task::coop::{Unconstrained, unconstrained},
    time::{Sleep, sleep},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Late;

/// Returns [`Late`] after `limit`, measured from the first poll that returns `Pending`.
pub(super) async fn with_deadline<F: Future>(limit: Duration, mut future: Pin<&mut F>) -> Result<F::Output, Late> {
    // Unconstrained, because a future that uses up the task's budget must not keep the timer from being polled.
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
    async fn late_futures_are_cancelled_and_others_return_their_output() {
        assert_eq!(
            with_deadline(LIMIT, pin!(std::future::pending::<()>())).await,
            Err(Late)
        );
        assert_eq!(with_deadline(LIMIT, pin!(sleep(LIMIT / 2))).await, Ok(()));
        assert_eq!(with_deadline(LIMIT, pin!(sleep(LIMIT * 2))).await, Err(Late));
    }

    #[test]
    fn a_ready_future_needs_no_timer() {
        // A timer would panic without a runtime.
        let ready = pin!(std::future::ready(1));
        let mut future = pin!(with_deadline(LIMIT, ready));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert_eq!(future.as_mut().poll(&mut cx), Poll::Ready(Ok(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_future_that_exhausts_the_task_budget_times_out() {
        let busy = async {
            loop {
                tokio::task::consume_budget().await;
                tokio::time::advance(Duration::from_millis(1)).await;
            }
        };
        assert_eq!(with_deadline(LIMIT, pin!(busy)).await, Err::<(), _>(Late));
    }
}
