use std::{
    collections::HashMap,
    fmt,
    hash::Hash,
    mem,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{FutureExt, future::BoxFuture};
use tokio::sync::oneshot;

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
            for caller in waiting {
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

    #[tokio::test]
    async fn a_panic_fails_its_callers_only() {
        let shared = Coalesce::<&str, usize>::default();
        assert_eq!(shared.run("tour", || async { panic!("a bug") }.boxed()).await, None);
        assert_eq!(shared.run("tour", || async { 1 }.boxed()).await, Some(1));
    }
}
