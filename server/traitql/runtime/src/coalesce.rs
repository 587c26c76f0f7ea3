use std::{
    collections::HashMap,
    fmt,
    hash::Hash,
    mem,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{FutureExt, future::BoxFuture};
use quick_cache::sync::Cache;
use tokio::sync::oneshot;

/// The tasks of these callers run before others are woken. Thousands at once would delay all other requests.
const REPLIES_AT_ONCE: usize = 32;

/// Merges concurrent executions with the same key.
///
/// A caller receives the value of an execution that starts after the call. Calls during an execution share the next
/// one.
pub struct Coalesce<K, V>(Arc<Mutex<HashMap<K, Vec<Waiting<V>>>>>);

struct Waiting<V> {
    execute: Box<dyn FnOnce() -> BoxFuture<'static, V> + Send>,
    reply: oneshot::Sender<V>,
}

impl<K, V> Clone for Coalesce<K, V> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K, V> Default for Coalesce<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K, V> fmt::Debug for Coalesce<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Coalesce")
    }
}

impl<K, V> Coalesce<K, V>
where
    K: Hash + Eq + Clone + Send + 'static,
    V: Clone + Send + 'static,
{
    /// Returns the value of an execution that starts after this call. Returns `None` if the execution panicked. Must be
    /// called in a tokio runtime, which runs the execution as a task.
    pub async fn run(&self, key: K, execute: impl FnOnce() -> BoxFuture<'static, V> + Send + 'static) -> Option<V> {
        let (reply, value) = oneshot::channel();
        let waiting = Waiting {
            execute: Box::new(execute),
            reply,
        };
        if self.wait(&key, waiting) {
            tokio::spawn(self.clone().execute(key));
        }
        value.await.ok()
    }

    fn wait(&self, key: &K, waiting: Waiting<V>) -> bool {
        let mut keys = self.lock();
        match keys.get_mut(key) {
            Some(next) => {
                next.push(waiting);
                false
            }
            None => keys.insert(key.clone(), vec![waiting]).is_none(),
        }
    }

    async fn execute(self, key: K) {
        while let Some(mut waiting) = self.next(&key) {
            let Some(last) = waiting.pop() else { break };
            let executed = AssertUnwindSafe(async { (last.execute)().await }).catch_unwind().await;
            // The panic hook has logged a panic.
            let Ok(value) = executed else { continue };
            for (index, caller) in waiting.into_iter().enumerate() {
                if index % REPLIES_AT_ONCE == REPLIES_AT_ONCE - 1 {
                    tokio::task::yield_now().await;
                }
                // An error only means that the caller stopped waiting.
                let _ = caller.reply.send(value.clone());
            }
            let _ = last.reply.send(value);
        }
    }

    fn next(&self, key: &K) -> Option<Vec<Waiting<V>>> {
        let mut keys = self.lock();
        let waiting = mem::take(keys.get_mut(key)?);
        if waiting.is_empty() {
            keys.remove(key);
            return None;
        }
        Some(waiting)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Vec<Waiting<V>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Executes once for each key, and keeps the values of the latest keys.
pub struct OncePerKey<K, V> {
    running: Coalesce<K, V>,
    kept: Arc<Cache<K, V>>,
}

/// Keys are versions: older ones are not needed once their callers have the value, which can be large.
const MAX_KEPT: usize = 32;

impl<K, V> Clone for OncePerKey<K, V> {
    fn clone(&self) -> Self {
        Self {
            running: self.running.clone(),
            kept: Arc::clone(&self.kept),
        }
    }
}

impl<K: Hash + Eq, V: Clone> Default for OncePerKey<K, V> {
    fn default() -> Self {
        Self {
            running: Coalesce::default(),
            kept: Arc::new(Cache::new(MAX_KEPT)),
        }
    }
}

impl<K, V> OncePerKey<K, V>
where
    K: Hash + Eq + Clone + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Returns the value of the execution with this key. Returns `None` if the execution panicked. Must be called in a
    /// tokio runtime, which runs the execution as a task.
    pub async fn run(&self, key: K, execute: impl FnOnce() -> BoxFuture<'static, V> + Send + 'static) -> Option<V> {
        if let Some(value) = self.kept.get(&key) {
            return Some(value);
        }
        let (kept, owned_key) = (Arc::clone(&self.kept), key.clone());
        let execute_once = move || {
            async move {
                if let Some(value) = kept.get(&owned_key) {
                    return value;
                }
                let value = execute().await;
                kept.insert(owned_key, value.clone());
                value
            }
            .boxed()
        };
        self.running.run(key, execute_once).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn callers_share_an_execution_that_starts_after_their_calls() {
        let shared = Coalesce::<&str, usize>::default();
        let executions = Arc::new(AtomicUsize::new(0));
        let call = || {
            let executions = Arc::clone(&executions);
            shared.run("tour", move || {
                async move {
                    let number = executions.fetch_add(1, SeqCst) + 1;
                    tokio::task::yield_now().await;
                    number
                }
                .boxed()
            })
        };
        let mut first = Box::pin(call());
        assert!((&mut first).now_or_never().is_none());
        while executions.load(SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        let later = join_all((0..10_000).map(|_| call())).await;
        assert_eq!(first.await, Some(1));
        assert!(
            later.iter().all(|value| *value == Some(2)),
            "they share the next execution"
        );
        assert_eq!(call().await, Some(3), "values are not cached");
        assert!(shared.lock().is_empty());
    }

    /// Counts the values that were sent and not yet received.
    struct Counted(Arc<[AtomicUsize; 2]>);

    impl Clone for Counted {
        fn clone(&self) -> Self {
            let [waiting, most] = &*self.0;
            most.fetch_max(waiting.fetch_add(1, SeqCst) + 1, SeqCst);
            Self(Arc::clone(&self.0))
        }
    }

    #[tokio::test]
    async fn few_callers_are_woken_at_once() {
        let shared = Coalesce::<&str, Counted>::default();
        let counts = Arc::<[AtomicUsize; 2]>::default();
        let calls = (0..1000).map(|_| {
            let (shared, counts) = (shared.clone(), Arc::clone(&counts));
            tokio::spawn(async move {
                let value = Counted(counts);
                let received = shared.run("tour", || async { value }.boxed()).await.expect("a value");
                received.0[0].fetch_sub(1, SeqCst);
            })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.expect("no panic");
        }
        let most = counts[1].load(SeqCst);
        assert!(
            most <= 2 * REPLIES_AT_ONCE,
            "{most} callers were woken before one of them ran"
        );
    }

    #[tokio::test]
    async fn a_key_is_executed_once() {
        let once = OncePerKey::<usize, usize>::default();
        let executions = Arc::new(AtomicUsize::new(0));
        let call = |key| {
            let executions = Arc::clone(&executions);
            once.run(key, move || async move { executions.fetch_add(1, SeqCst) }.boxed())
                .boxed_local()
        };
        for _ in 0..2 {
            let values = join_all([7, 7, 8].map(&call)).await;
            assert_eq!(values, [Some(0), Some(0), Some(1)]);
        }
        assert_eq!(once.run(9, || async { panic!("a bug") }.boxed()).await, None);
    }

    #[tokio::test]
    async fn a_panic_fails_its_callers_only() {
        let shared = Coalesce::<&str, usize>::default();
        assert_eq!(shared.run("tour", || async { panic!("a bug") }.boxed()).await, None);
        assert_eq!(shared.run("tour", || async { 1 }.boxed()).await, Some(1));
    }
}
