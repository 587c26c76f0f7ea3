//! Each access check runs once per request, even for concurrent fields. A revoked role takes effect with the next
//! request.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

use crate::{FieldError, Grant, Id};

type Cached<T> = OnceCell<Result<T, FieldError>>;
type Grants<R> = HashMap<(&'static str, String), Arc<Cached<Option<Grant<R>>>>>;

/// `R` is the schema's role enum.
pub(crate) struct Guards<R> {
    account: Cached<Id>,
    grants: Mutex<Grants<R>>,
}

impl<R> Default for Guards<R> {
    fn default() -> Self {
        Self {
            account: OnceCell::new(),
            grants: Mutex::default(),
        }
    }
}

impl<R: Clone> Guards<R> {
    pub(crate) async fn account(&self, check: impl Future<Output = Result<Id, FieldError>>) -> Result<Id, FieldError> {
        self.account.get_or_init(|| check).await.clone()
    }

    pub(crate) async fn grant(
        &self,
        kind: &'static str,
        key: &str,
        check: impl Future<Output = Result<Option<Grant<R>>, FieldError>>,
    ) -> Result<Option<Grant<R>>, FieldError> {
        let cell = {
            // An entry is inserted in one step, so the map is consistent even after a panic.
            let mut grants = self.grants.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(grants.entry((kind, key.to_owned())).or_default())
        };
        cell.get_or_init(|| check).await.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[tokio::test]
    async fn concurrent_checks_of_one_subject_run_once() {
        let guards = Guards::<u8>::default();
        let calls = AtomicUsize::new(0);
        let check = |key: &'static str| {
            let (guards, calls) = (&guards, &calls);
            async move {
                let grant = async {
                    calls.fetch_add(1, SeqCst);
                    tokio::task::yield_now().await;
                    Ok(Some(Grant {
                        scope: key.into(),
                        role: 3,
                    }))
                };
                guards.grant("Tour", key, grant).await
            }
        };
        let grants = futures_util::future::join_all([check("t1"), check("t1"), check("t2"), check("t1")]).await;
        assert_eq!(calls.load(SeqCst), 2);
        let scopes: Vec<_> = grants
            .into_iter()
            .map(|a| a.expect("a grant").expect("a grant").scope)
            .collect();
        assert_eq!(scopes, ["t1", "t1", "t2", "t1"]);
    }

    #[tokio::test]
    async fn a_check_completes_even_if_the_first_field_is_dropped() {
        let guards = Guards::<u8>::default();
        let never = guards.account(std::future::pending());
        let dropped = futures_util::future::select(Box::pin(never), std::future::ready(())).await;
        drop(dropped);
        let account = guards.account(async { Ok("a1".into()) }).await;
        assert_eq!(account.expect("an account"), "a1");
    }
}
