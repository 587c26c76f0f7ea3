//! Storing reports together: what arrives while the database writes becomes the next transaction.
//!
//! A commit waits for the disk, however much it holds. So reports queue up, one task takes all that wait, each within a
//! savepoint of its own, and commits them once; nobody is answered before. Under no load a report is alone and waits for
//! nobody.

use tokio::sync::{mpsc, oneshot};
use traitql::Internal;
use waypost_api::{Ack, EventInput, ParticipantInput, Site};

use super::record;
use crate::store::{Store, Write};

/// How many reports a transaction takes at most, so that it ends soon and others can write.
const TOGETHER: usize = 128;
/// How many may wait; more have to wait for a place.
const WAITING: usize = 4096;

/// What a page tells of its runs.
pub(crate) struct Report {
    pub(super) site: Site,
    pub(super) participant: ParticipantInput,
    pub(super) events: Vec<EventInput>,
}

struct Waiting {
    report: Report,
    answer: oneshot::Sender<Result<Ack, Internal>>,
}

/// Where reports go.
#[derive(Clone)]
pub(crate) struct Ingest(mpsc::Sender<Waiting>);

impl Ingest {
    /// Begins to take reports. It ends when every clone of it is dropped.
    pub(crate) fn start(store: Store) -> Self {
        let (sender, mut receiver) = mpsc::channel(WAITING);
        tokio::spawn(async move {
            let mut waiting = Vec::with_capacity(TOGETHER);
            while receiver.recv_many(&mut waiting, TOGETHER).await > 0 {
                // A task of its own: a panic fails these reports, and none that come later.
                let stored = tokio::spawn(store_all(store.clone(), std::mem::take(&mut waiting)));
                if let Err(panic) = stored.await {
                    tracing::error!(%panic, "reports were not stored");
                }
            }
        });
        Self(sender)
    }

    /// Stores a report. It is stored even when whoever asked no longer waits.
    pub(super) async fn take(&self, report: Report) -> Result<Ack, Internal> {
        let (answer, stored) = oneshot::channel();
        let gone = |_| Internal::new("the report was not stored: the database does not answer, or the server stops");
        self.0.send(Waiting { report, answer }).await.map_err(|_| gone(()))?;
        stored.await.map_err(|_| gone(()))?
    }
}

/// Stores reports in one transaction. One that fails takes no other with it; without the commit all have failed.
async fn store_all(store: Store, waiting: Vec<Waiting>) {
    let mut answers = Vec::with_capacity(waiting.len());
    let outcome = async {
        let mut tx = store.save().await?;
        for Waiting { report, answer } in waiting {
            let ack = store_one(&mut tx, report).await;
            answers.push((answer, ack));
        }
        tx.commit().await
    };
    let outcome = outcome.await;
    for (answer, ack) in answers {
        let ack = match &outcome {
            Ok(()) => ack,
            Err(error) => Err(Internal::new(format!("{error:?}"))),
        };
        // An error only says that whoever asked no longer waits.
        let _ = answer.send(ack);
    }
}

async fn store_one(tx: &mut Write, report: Report) -> Result<Ack, Internal> {
    let now = tx.now;
    tx.conn().savepoint().await?;
    match record::store_report(tx.conn(), &report, now).await {
        Ok(stored) if stored.ack.accepted > 0 => {
            tx.conn().keep().await?;
            for change in stored.changes {
                tx.touch(change);
            }
            Ok(stored.ack)
        }
        // Nothing is kept, not even the visitor: whoever sends only nonsense leaves no trace.
        refused => {
            tx.conn().undo().await?;
            refused.map(|stored| stored.ack)
        }
    }
}
