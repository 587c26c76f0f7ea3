//! Change notifications for subscriptions.
//!
//! A change contains the id of an object, never its contents, so a receiver that lags loses nothing but ids. Processes
//! that share a PostgreSQL database notify each other (`store/notifications.rs`).

use std::{
    collections::{HashMap, hash_map::Entry},
    num::NonZeroU64,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::{Stream, StreamExt, future, stream};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{Notify, broadcast},
    time::Instant,
};
use traitql::{Events, Id, Internal, Throws};

/// The tasks of these subscribers run before others are woken. Thousands at once would delay all requests.
const WOKEN_AT_ONCE: usize = 32;

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

/// Changes of this process and, with PostgreSQL, of others.
#[derive(Debug, Clone)]
pub struct Changes {
    all: broadcast::Sender<Changed>,
    subscribers: Arc<Subscribers>,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            all: broadcast::channel(1024).0,
            subscribers: Arc::default(),
        }
    }
}

impl Changes {
    /// Must be called after the commit, in a tokio runtime.
    pub(crate) fn announce(&self, changes: Vec<Changed>) {
        for change in changes {
            let number = self.subscribers.changes.fetch_add(1, Ordering::Relaxed) + 1;
            wake(self.subscribers.concerned(&change), number);
            // An error only means that there are no receivers.
            let _ = self.all.send(change);
        }
    }

    /// Receives all changes.
    pub(crate) fn receiver(&self) -> broadcast::Receiver<Changed> {
        self.all.subscribe()
    }

    /// Returns a stream with one item immediately, so that no change before the subscription is missed, and one for
    /// each change of one of `what`. Changes within `min_interval` are merged into one item. An item is the number of
    /// the last change, or `None` for the first item. All subscribers have the same number for a change.
    pub fn subscribe<const N: usize>(
        &self,
        what: [Changed; N],
        min_interval: Duration,
    ) -> impl Stream<Item = Option<NonZeroU64>> + Send + 'static + use<N> {
        let subscription = self.subscribers.insert(what);
        let changes = stream::unfold((subscription, None, None), move |(subscription, at, last)| async move {
            let signal = &subscription.signal;
            let mut number = last;
            // The number of one change can be read when an earlier one is notified.
            while number == last {
                signal.changed.notified().await;
                if let Some(at) = at {
                    tokio::time::sleep_until(at + min_interval).await;
                }
                number = NonZeroU64::new(signal.number.load(Ordering::Acquire));
            }
            Some((number, (subscription, Some(Instant::now()), number)))
        });
        stream::once(future::ready(None)).chain(changes)
    }
}

#[derive(Debug, Default)]
struct Subscribers {
    changes: AtomicU64,
    inserted: AtomicU64,
    /// The signals by the subscribed object and the number of the subscriber.
    signals: Mutex<HashMap<Changed, HashMap<u64, Arc<Signal>>>>,
}

#[derive(Debug, Default)]
struct Signal {
    changed: Notify,
    /// The number of the last change.
    number: AtomicU64,
}

impl Subscribers {
    fn insert<const N: usize>(self: &Arc<Self>, what: [Changed; N]) -> Subscription<N> {
        let id = self.inserted.fetch_add(1, Ordering::Relaxed);
        let signal = Arc::<Signal>::default();
        let mut signals = self.lock();
        for object in &what {
            signals
                .entry(object.clone())
                .or_default()
                .insert(id, Arc::clone(&signal));
        }
        drop(signals);
        Subscription {
            subscribers: Arc::clone(self),
            what,
            id,
            signal,
        }
    }

    fn concerned(&self, change: &Changed) -> Vec<Arc<Signal>> {
        let signals = self.lock();
        let of = |what: &Changed| signals.get(what).into_iter().flat_map(HashMap::values).cloned();
        match change {
            Changed::Unknown => signals.values().flat_map(HashMap::values).cloned().collect(),
            Changed::SiteActivity(id) => of(&Changed::Site(id.clone())).collect(),
            _ => of(change).collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Changed, HashMap<u64, Arc<Signal>>>> {
        self.signals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Subscription<const N: usize> {
    subscribers: Arc<Subscribers>,
    what: [Changed; N],
    id: u64,
    signal: Arc<Signal>,
}

impl<const N: usize> Drop for Subscription<N> {
    fn drop(&mut self) {
        let mut signals = self.subscribers.lock();
        for object in &self.what {
            if let Entry::Occupied(mut subscribed) = signals.entry(object.clone()) {
                subscribed.get_mut().remove(&self.id);
                if subscribed.get().is_empty() {
                    subscribed.remove();
                }
            }
        }
    }
}

/// Notifies the subscribers of the change with this number. Returns before all of many are notified.
fn wake(signals: Vec<Arc<Signal>>, number: u64) {
    for signal in &signals {
        signal.number.fetch_max(number, Ordering::Release);
    }
    if signals.len() <= WOKEN_AT_ONCE {
        signals.iter().for_each(|signal| signal.changed.notify_one());
        return;
    }
    tokio::spawn(async move {
        for signals in signals.chunks(WOKEN_AT_ONCE) {
            signals.iter().for_each(|signal| signal.changed.notify_one());
            tokio::task::yield_now().await;
        }
    });
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

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn changes_in_quick_succession_are_merged() {
        let changes = Changes::default();
        let what = Changed::Site("s1".into());
        let mut items = Box::pin(changes.subscribe([what.clone()], Duration::from_secs(1)));
        assert_eq!(items.next().now_or_never(), Some(Some(None)), "the initial item");
        assert!(items.next().now_or_never().is_none());
        changes.announce(vec![what.clone(), Changed::Site("s2".into())]);
        assert_eq!(items.next().await, Some(NonZeroU64::new(1)));
        let start = Instant::now();
        changes.announce(vec![what.clone(), Changed::SiteActivity("s1".into()), Changed::Unknown]);
        assert_eq!(items.next().await, Some(NonZeroU64::new(5)));
        assert_eq!(start.elapsed(), Duration::from_secs(1));
        assert!(items.next().now_or_never().is_none(), "the three changes are merged");
        changes.announce(vec![what.clone()]);
        changes.announce(vec![what]);
        assert_eq!(items.next().await, Some(NonZeroU64::new(7)));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(items.next().now_or_never().is_none(), "no item is repeated");
        drop(items);
        assert!(changes.subscribers.lock().is_empty());
    }

    /// Counts how many subscribers run between two turns of another task.
    #[tokio::test]
    async fn few_of_many_subscribers_are_woken_at_once() {
        let (changes, what) = (Changes::default(), Changed::Tour("t".into()));
        let notified = Arc::new(Mutex::new(0));
        for _ in 0..1000 {
            let subscription = changes.subscribers.insert([what.clone()]);
            let notified = Arc::clone(&notified);
            tokio::spawn(async move {
                subscription.signal.changed.notified().await;
                *notified.lock().expect("no panic") += 1;
            });
        }
        tokio::task::yield_now().await;
        changes.announce(vec![what]);
        let (mut most, mut before) = (0, 0);
        while before < 1000 {
            tokio::task::yield_now().await;
            let now = *notified.lock().expect("no panic");
            most = most.max(now - before);
            before = now;
        }
        assert!(
            most <= WOKEN_AT_ONCE,
            "{most} subscribers ran between two turns of another task"
        );
    }
}
