//! News of committed changes, for subscriptions.
//!
//! One channel in the process carries names, never contents: a receiver reads the current state itself. A receiver that
//! lags behind therefore loses nothing but names, and reads again. Processes that share a PostgreSQL database tell each other
//! (`store/news.rs`).

use std::time::Duration;

use futures_util::{Stream, StreamExt, future, stream};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::broadcast::{self, error::RecvError},
    time::Instant,
};
use traitql::{Events, Id, Internal, Throws};

/// What a transaction changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Changed {
    /// A tour, its draft or its releases.
    Tour(Id),
    /// A site, or one of its pages was heard of.
    Site(Id),
    /// A participant: their runs, or who tests as them.
    Participant(Id),
    /// Something that another process changed while this one could not hear it.
    Unknown,
}

/// Where changes are announced and heard.
#[derive(Debug, Clone)]
pub struct Changes(broadcast::Sender<Changed>);

impl Default for Changes {
    fn default() -> Self {
        Self(broadcast::channel(1024).0)
    }
}

impl Changes {
    /// Tells everybody who listens. Called after the commit.
    pub(crate) fn announce(&self, changes: Vec<Changed>) {
        for change in changes {
            // An error only says that nobody listens.
            let _ = self.0.send(change);
        }
    }

    /// An item at once, for the state as it is: what changed after the listener has read it and before it listened is in there.
    /// Then one for each change of `what`, at most one in `pause`: changes that follow each other faster become one.
    pub fn of(&self, what: Changed, pause: Duration) -> impl Stream<Item = ()> + Send + 'static {
        let receiver = self.0.subscribe();
        let changes = stream::unfold(
            (receiver, what, None::<Instant>),
            move |(mut receiver, what, last)| async move {
                heard(&mut receiver, &what).await?;
                if let Some(last) = last {
                    tokio::time::sleep_until(last + pause).await;
                    drain(&mut receiver);
                }
                Some(((), (receiver, what, Some(Instant::now()))))
            },
        );
        stream::once(future::ready(())).chain(changes)
    }
}

/// The events of a subscription: ends when the subject is gone or no longer to be seen, because a member was removed.
pub fn while_visible<T: Send + 'static, F: 'static>(
    states: impl Stream<Item = Result<Option<T>, Internal>> + Send + 'static,
) -> Events<T, F> {
    states
        .map(Result::transpose)
        .take_while(|state| future::ready(state.is_some()))
        .filter_map(|state| future::ready(state.map(|state| state.map_err(Throws::from))))
        .boxed()
}

/// Waits for a change of `what`; `None` when there will be none any more.
async fn heard(receiver: &mut broadcast::Receiver<Changed>, what: &Changed) -> Option<()> {
    loop {
        match receiver.recv().await {
            Ok(change) if change == *what || change == Changed::Unknown => return Some(()),
            Ok(_) => {}
            // The name of `what` may be among those that were lost.
            Err(RecvError::Lagged(_)) => return Some(()),
            Err(RecvError::Closed) => return None,
        }
    }
}

/// Forgets what was announced during the pause: the reader is about to see all of it.
fn drain(receiver: &mut broadcast::Receiver<Changed>) {
    *receiver = receiver.resubscribe();
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn changes_in_quick_succession_become_one() {
        let changes = Changes::default();
        let what = Changed::Site("s1".into());
        let mut news = Box::pin(changes.of(what.clone(), Duration::from_secs(1)));
        assert_eq!(news.next().now_or_never(), Some(Some(())), "as it is");
        assert!(news.next().now_or_never().is_none());
        changes.announce(vec![what.clone(), Changed::Site("s2".into())]);
        assert_eq!(news.next().await, Some(()));
        let begin = Instant::now();
        changes.announce(vec![what.clone(), what.clone(), what]);
        assert_eq!(news.next().await, Some(()));
        assert_eq!(begin.elapsed(), Duration::from_secs(1));
        assert!(news.next().now_or_never().is_none(), "all three became one");
    }

    #[tokio::test]
    async fn a_receiver_that_lags_reads_again() {
        let changes = Changes::default();
        let mut news = Box::pin(changes.of(Changed::Tour("t".into()), Duration::ZERO));
        assert_eq!(news.next().await, Some(()));
        changes.announce(vec![Changed::Tour("other".into()); 3000]);
        assert_eq!(news.next().await, Some(()));
    }
}
