//! Sign-outs, which end sessions before their tokens expire.

pub mod store;

use std::time::Duration;

use futures_util::{StreamExt, stream, stream::BoxStream};
use tokio::time::sleep;
use traitql::Internal;

use crate::{change::Changed, store::Store};

/// A sign-out: of one token, of one session of an identity provider, or of all sessions of an account there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logout {
    pub issuer: String,
    /// The provider's report, or the token. Unique per issuer.
    pub token_id: String,
    /// `None` if only a token or a session ended.
    pub subject: Option<String>,
    /// `None` if all sessions of the account or only one token ended.
    pub session: Option<String>,
    /// Tokens up to this time have ended, in seconds since 1970.
    pub issued_at: i64,
    /// The time in seconds since 1970 at which all tokens of the ended sessions have expired.
    pub expires_at: i64,
}

/// Changes within this time are read together. Streams should end within a second.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Notifies all processes. Returns false if its id is already stored.
pub async fn record(store: &Store, logout: &Logout) -> Result<bool, Internal> {
    let mut tx = store.save().await?;
    let now = tx.now.as_millis() / 1000;
    store::delete_expired(tx.conn(), now).await?;
    let is_new = store::insert(tx.conn(), logout).await?;
    if is_new {
        tx.touch(Changed::Logouts);
    }
    tx.commit().await?;
    Ok(is_new)
}

/// Returns the stored sign-outs, and then those that any process stores later.
pub fn follow(store: Store) -> BoxStream<'static, Vec<Logout>> {
    let changes = store.changes().subscribe([Changed::Logouts], MIN_INTERVAL).boxed();
    stream::unfold((store, changes, 0), |(store, mut changes, last)| async move {
        changes.next().await?;
        loop {
            match store::after(store.reader(), last).await {
                Ok((logouts, last)) => return Some((logouts, (store, changes, last))),
                Err(error) => tracing::warn!(?error, "sign-outs could not be read; retrying"),
            }
            sleep(RETRY_DELAY).await;
        }
    })
    .boxed()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{change::Changes, clock::Clock};

    async fn empty_store() -> (Store, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), None, Changes::default(), Clock::system());
        (store.await.unwrap(), folder)
    }

    fn logout(token_id: &str, expires_at: i64) -> Logout {
        Logout {
            issuer: "https://idp.example".into(),
            token_id: token_id.into(),
            subject: Some("ann".into()),
            session: None,
            issued_at: 1,
            expires_at,
        }
    }

    #[tokio::test]
    async fn stored_sign_outs_are_followed_by_new_ones() {
        let (store, _folder) = empty_store().await;
        let first = logout("a", i64::MAX);
        assert!(record(&store, &first).await.unwrap());
        assert!(!record(&store, &first).await.unwrap(), "the id is already stored");
        let mut logouts = follow(store.clone());
        assert_eq!(logouts.next().await, Some(vec![first]));
        let second = logout("b", i64::MAX);
        assert!(record(&store, &second).await.unwrap());
        assert_eq!(logouts.next().await, Some(vec![second]));
    }

    #[tokio::test]
    async fn a_sign_out_is_deleted_when_its_tokens_have_expired() {
        let (store, _folder) = empty_store().await;
        assert!(record(&store, &logout("old", 1)).await.unwrap());
        let new = logout("new", i64::MAX);
        assert!(record(&store, &new).await.unwrap());
        assert_eq!(follow(store).next().await, Some(vec![new]));
    }
}
