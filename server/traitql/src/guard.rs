//! What one request has already learnt about its caller.
//!
//! Several fields of a request often ask for the same account and the same subject. Each question is asked once per request,
//! also when the fields ask at the same time: those who come second wait for the first one's answer. The answers live as long
//! as the request, so a role that is taken away counts from the next request on.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

use crate::{FieldError, Grant, Id};

type Answer<T> = OnceCell<Result<T, FieldError>>;
type Grants<R> = HashMap<(&'static str, String), Arc<Answer<Option<Grant<R>>>>>;

/// The answers of one request. `R` is the schema's role enum.
pub(crate) struct Guards<R> {
    account: Answer<Id>,
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
    /// The caller's account; `ask` is awaited only by the first who wants to know.
    pub(crate) async fn account(&self, ask: impl Future<Output = Result<Id, FieldError>>) -> Result<Id, FieldError> {
        self.account.get_or_init(|| ask).await.clone()
    }

    /// The caller's role on the subject that `key` identifies among those of `kind`.
    pub(crate) async fn grant(
        &self,
        kind: &'static str,
        key: &str,
        ask: impl Future<Output = Result<Option<Grant<R>>, FieldError>>,
    ) -> Result<Option<Grant<R>>, FieldError> {
        let cell = {
            // A panic between lock and unlock leaves nothing half done: a map either has the entry or not.
            let mut grants = self.grants.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(grants.entry((kind, key.to_owned())).or_default())
        };
        cell.get_or_init(|| ask).await.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[tokio::test]
    async fn a_question_is_asked_once_even_by_many_at_the_same_time() {
        let guards = Guards::<u8>::default();
        let asked = AtomicUsize::new(0);
        let ask = |key: &'static str| {
            let (guards, asked) = (&guards, &asked);
            async move {
                let answer = async {
                    asked.fetch_add(1, SeqCst);
                    tokio::task::yield_now().await;
                    Ok(Some(Grant {
                        scope: key.into(),
                        role: 3,
                    }))
                };
                guards.grant("Tour", key, answer).await
            }
        };
        let answers = futures_util::future::join_all([ask("t1"), ask("t1"), ask("t2"), ask("t1")]).await;
        assert_eq!(asked.load(SeqCst), 2);
        let scopes: Vec<_> = answers
            .into_iter()
            .map(|a| a.expect("a grant").expect("a grant").scope)
            .collect();
        assert_eq!(scopes, ["t1", "t1", "t2", "t1"]);
    }

    #[tokio::test]
    async fn an_answer_survives_the_field_that_asked_first() {
        let guards = Guards::<u8>::default();
        let never = guards.account(std::future::pending());
        let dropped = futures_util::future::select(Box::pin(never), std::future::ready(())).await;
        drop(dropped);
        let answer = guards.account(async { Ok("a1".into()) }).await;
        assert_eq!(answer.expect("an account"), "a1");
    }
}
