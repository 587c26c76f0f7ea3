//! Change notifications for subscriptions.
//!
//! One broadcast channel per process carries the ids of changed objects, never their contents, so a receiver that lags
//! loses nothing but ids. Processes that share a PostgreSQL database notify each other (`store/notifications.rs`).

use std::time::Duration;

use futures_util::{Stream, StreamExt, future, stream};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::broadcast::{self, error::RecvError},
    time::Instant,
};
use traitql::{Events, Id, Internal, Throws};

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Changed {
    Tour(Id),
    Site(Id),
    /// The last visit of a site, or the events that its pages send. Also notifies the subscribers of the site.
    SiteActivity(Id),
    /// The tours that are live on any site: a release, or the title, the theme or a segment of a released tour.
    Live,
    Visitor(Id),
    Logouts,
    /// The waiting reviews of a workspace.
    Reviews(Id),
    /// A member has a tour open: a report for the other processes, not for subscriptions.
    Opened {
        tour: Id,
        account: Id,
    },
    /// The members of a workspace, of which one was removed.
    Members(Id),
    /// Any object: too many were changed, or notifications may have been missed.
    Unknown,
}

impl Changed {
    fn concerns(&self, what: &Self) -> bool {
        match (self, what) {
            (Self::Unknown, _) => true,
            (Self::SiteActivity(id), Self::Site(site)) => id == site,
            _ => self == what,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Changes(broadcast::Sender<Changed>);

impl Default for Changes {
    fn default() -> Self {
        Self(broadcast::channel(1024).0)
    }
}

impl Changes {
    /// Must be called after the commit.
    pub(crate) fn announce(&self, changes: Vec<Changed>) {
        for change in changes {
            // An error only means that there are no subscribers.
            let _ = self.0.send(change);
        }
    }

    pub(crate) fn receiver(&self) -> broadcast::Receiver<Changed> {
        self.0.subscribe()
    }

    /// Returns a stream with one item immediately, so that no change before the subscription is missed, and one for
    /// each change of one of `what`. Changes within `min_interval` are merged into one item.
    pub fn subscribe<const N: usize>(
        &self,
        what: [Changed; N],
        min_interval: Duration,
    ) -> impl Stream<Item = ()> + Send + 'static + use<N> {
        let receiver = self.0.subscribe();
        let changes = stream::unfold(
            (receiver, what, None::<Instant>),
            move |(mut receiver, what, last)| async move {
                next_change(&mut receiver, &what).await?;
                if let Some(last) = last {
                    tokio::time::sleep_until(last + min_interval).await;
                    drain(&mut receiver);
                }
                Some(((), (receiver, what, Some(Instant::now()))))
            },
        );
        stream::once(future::ready(())).chain(changes)
    }
}

/// Converts states into the events of a subscription, until the object is deleted or the caller leaves the workspace
/// (`None`).
pub fn while_visible<T: Send + 'static, F: 'static>(
    states: impl Stream<Item = Result<Option<T>, Internal>> + Send + 'static,
) -> Events<T, F> {
    states
        .map(Result::transpose)
        .take_while(|state| future::ready(state.is_some()))
        .filter_map(|state| future::ready(state.map(|state| state.map_err(Throws::from))))
        .boxed()
}

async fn next_change(receiver: &mut broadcast::Receiver<Changed>, what: &[Changed]) -> Option<()> {
    loop {
        match receiver.recv().await {
            Ok(change) if what.iter().any(|object| change.concerns(object)) => return Some(()),
            Ok(_) => {}
            // The lost notifications may include one for `what`.
            Err(RecvError::Lagged(_)) => return Some(()),
            Err(RecvError::Closed) => return None,
        }
    }
}

fn drain(receiver: &mut broadcast::Receiver<Changed>) {
    *receiver = receiver.resubscribe();
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn changes_in_quick_succession_are_merged() {
        let changes = Changes::default();
        let what = Changed::Site("s1".into());
        let mut items = Box::pin(changes.subscribe([what.clone()], Duration::from_secs(1)));
        assert_eq!(items.next().now_or_never(), Some(Some(())), "the initial item");
        assert!(items.next().now_or_never().is_none());
        changes.announce(vec![what.clone(), Changed::Site("s2".into())]);
        assert_eq!(items.next().await, Some(()));
        let start = Instant::now();
        changes.announce(vec![what.clone(), what.clone(), what]);
        assert_eq!(items.next().await, Some(()));
        assert_eq!(start.elapsed(), Duration::from_secs(1));
        assert!(items.next().now_or_never().is_none(), "the three changes are merged");
    }

    #[tokio::test]
    async fn a_lagging_receiver_gets_an_item() {
        let changes = Changes::default();
        let mut items = Box::pin(changes.subscribe([Changed::Tour("t".into())], Duration::ZERO));
        assert_eq!(items.next().await, Some(()));
        changes.announce(vec![Changed::Tour("other".into()); 3000]);
        assert_eq!(items.next().await, Some(()));
    }
}
