//! Storing reports together: what arrives while the database writes becomes the next transaction.
//!
//! A commit waits for the disk, however much it holds, and a statement for the database, however many rows it has. So reports
//! queue up, and one task takes all that wait, stores them with the statements of one, and commits them once; nobody is
//! answered before. Under no load a report is alone and waits for nobody.

use tokio::sync::{mpsc, oneshot};
use traitql::Internal;
use waypost_api::{EventInput, ParticipantInput};

use super::record::{self, Answer};
use crate::store::{Store, Write};

/// How many reports a transaction takes at most, so that it ends soon and others can write.
const TOGETHER: usize = 128;
/// How many may wait; more have to wait for a place.
const WAITING: usize = 4096;

/// What a page tells of its runs.
pub struct Report {
    /// Key of the site that the page says it is of; it need not exist.
    pub site_key: String,
    /// Of the page.
    pub origin: Option<String>,
    /// Who the page says is there.
    pub participant: ParticipantInput,
    /// What happened in the runs, in any order.
    pub events: Vec<EventInput>,
}

struct Waiting {
    report: Report,
    answer: oneshot::Sender<Result<Answer, Internal>>,
}

/// Where reports go.
#[derive(Clone)]
pub struct Ingest(mpsc::Sender<Waiting>);

impl Ingest {
    /// Begins to take reports. It ends when every clone of it is dropped.
    pub fn start(store: Store, own_origin: String) -> Self {
        let (sender, mut receiver) = mpsc::channel(WAITING);
        tokio::spawn(async move {
            let mut waiting = Vec::with_capacity(TOGETHER);
            while receiver.recv_many(&mut waiting, TOGETHER).await > 0 {
                // A task of its own: a panic fails these reports, and none that come later.
                let stored = tokio::spawn(store_all(
                    store.clone(),
                    own_origin.clone(),
                    std::mem::take(&mut waiting),
                ));
                if let Err(panic) = stored.await {
                    tracing::error!(%panic, "reports were not stored");
                }
            }
        });
        Self(sender)
    }

    /// Stores a report. It is stored even when whoever asked no longer waits.
    pub async fn take(&self, report: Report) -> Result<Answer, Internal> {
        let (answer, stored) = oneshot::channel();
        let gone = |_| Internal::new("the report was not stored: the database does not answer, or the server stops");
        self.0.send(Waiting { report, answer }).await.map_err(|_| gone(()))?;
        stored.await.map_err(|_| gone(()))?
    }
}

/// Stores reports in one transaction. One that fails takes no other with it; without the commit all have failed.
async fn store_all(store: Store, own_origin: String, waiting: Vec<Waiting>) {
    let reports: Vec<&Report> = waiting.iter().map(|one| &one.report).collect();
    let outcome = async {
        let mut tx = store.save().await?;
        let stored = match store_part(&mut tx, &own_origin, &reports).await {
            Ok(stored) => stored.into_iter().map(Ok).collect(),
            Err(error) if reports.len() == 1 => vec![Err(error)],
            Err(_) => store_each(&mut tx, &own_origin, &reports).await,
        };
        tx.commit().await?;
        Ok::<_, Internal>(stored)
    };
    let outcome = outcome.await;
    let stored = outcome.unwrap_or_else(|error| {
        let text = format!("{error:?}");
        waiting.iter().map(|_| Err(Internal::new(text.clone()))).collect()
    });
    for (one, stored) in waiting.into_iter().zip(stored) {
        // An error only says that whoever asked no longer waits.
        let _ = one.answer.send(stored);
    }
}

/// Stores reports one after the other, to find those that cannot be stored.
async fn store_each(tx: &mut Write, own_origin: &str, reports: &[&Report]) -> Vec<Result<Answer, Internal>> {
    let mut answers = Vec::with_capacity(reports.len());
    for report in reports {
        let stored = store_part(tx, own_origin, &[report]).await;
        answers.push(stored.map(|mut answers| answers.remove(0)));
    }
    answers
}

/// Stores reports together. When that fails, nothing of them is kept.
async fn store_part(tx: &mut Write, own_origin: &str, reports: &[&Report]) -> Result<Vec<Answer>, Internal> {
    let now = tx.now;
    let mut changes = Vec::new();
    tx.conn().savepoint().await?;
    match record::store_reports(tx.conn(), reports, own_origin, now, &mut changes).await {
        Ok(answers) => {
            tx.conn().keep().await?;
            for change in changes {
                tx.touch(change);
            }
            Ok(answers)
        }
        Err(error) => {
            tx.conn().undo().await?;
            Err(error)
        }
    }
}
