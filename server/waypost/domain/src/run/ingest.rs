//! Reports that arrive during a transaction are stored together in the next one, because the costs of commits and
//! statements hardly depend on the number of rows.
//!
//! A report is answered after its commit. Without load, it is stored immediately and alone.

use std::time::Duration;

use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};
use traitql::{Internal, Outage};
use waypost_api::EventInput;

use super::record::{self, IngestOutcome};
use crate::{
    store::{Store, Write},
    visitor::identity::ReportedVisitor,
};

/// Other writes must not wait long.
const MAX_BATCH_SIZE: usize = 128;
/// [`Ingest::submit`] waits while the queue is full.
const QUEUE_CAPACITY: usize = 4096;

/// A batch that fails after the timeouts of the database delays the next one, whose callers would otherwise wait twice
/// as long.
const SUBMIT_TIMEOUT: Duration = Duration::from_secs(4);

pub struct Report {
    /// May be unknown.
    pub site_key: String,
    pub origin: Option<String>,
    pub visitor: ReportedVisitor,
    /// The events in any order.
    pub events: Vec<EventInput>,
    /// False if the workspace has its maximum.
    pub accepts_runs: bool,
    /// Counts a new run for the network address; false if it has started too many.
    pub admit_run: Box<dyn Fn() -> bool + Send + Sync>,
}

struct QueuedReport {
    report: Report,
    reply: oneshot::Sender<Result<IngestOutcome, Internal>>,
}

#[derive(Clone)]
pub struct Ingest(mpsc::Sender<QueuedReport>);

impl Ingest {
    /// Ends when all clones are dropped.
    pub fn start(store: Store, own_origin: String) -> Self {
        let (sender, mut receiver) = mpsc::channel(QUEUE_CAPACITY);
        tokio::spawn(async move {
            let mut waiting = Vec::with_capacity(MAX_BATCH_SIZE);
            while receiver.recv_many(&mut waiting, MAX_BATCH_SIZE).await > 0 {
                // A separate task, so that a panic fails these reports only.
                let stored = tokio::spawn(store_all(
                    store.clone(),
                    own_origin.clone(),
                    std::mem::take(&mut waiting),
                ));
                if let Err(panic) = stored.await {
                    tracing::error!(%panic, "a batch of reports could not be stored");
                }
            }
        });
        Self(sender)
    }

    /// Returns after the commit. The report is stored even if the caller stops waiting.
    pub async fn submit(&self, report: Report) -> Result<IngestOutcome, Internal> {
        let (reply, stored) = oneshot::channel();
        let gone = || Internal::new("the report was not stored, because the database failed or the server is stopping");
        let submit = async {
            let queued = self.0.send(QueuedReport { report, reply }).await;
            queued.map_err(|_| gone())?;
            stored.await.map_err(|_| gone())?
        };
        let late = |_| {
            Outage::new(
                "reports cannot be stored",
                "the database is too slow or does not respond",
            )
        };
        timeout(SUBMIT_TIMEOUT, submit).await.map_err(late)?
    }
}

/// If a report fails, the others are still stored. If the commit fails, all fail.
async fn store_all(store: Store, own_origin: String, waiting: Vec<QueuedReport>) {
    let reports: Vec<&Report> = waiting.iter().map(|one| &one.report).collect();
    let outcome = async {
        let mut tx = store.save().await?;
        let stored = match store_or_rollback(&mut tx, &own_origin, &reports).await {
            Ok(stored) => stored.into_iter().map(Ok).collect(),
            Err(error) if error.is_outage() => return Err(error),
            Err(error) if reports.len() == 1 => vec![Err(error)],
            Err(_) => store_each(&mut tx, &own_origin, &reports).await,
        };
        tx.commit().await?;
        Ok::<_, Internal>(stored)
    };
    let outcome = outcome.await;
    let stored = outcome.unwrap_or_else(|error| waiting.iter().map(|_| Err(error.clone())).collect());
    for (one, stored) in waiting.into_iter().zip(stored) {
        // An error only means that the caller stopped waiting.
        let _ = one.reply.send(stored);
    }
}

/// Only those that cannot be stored fail.
async fn store_each(tx: &mut Write, own_origin: &str, reports: &[&Report]) -> Vec<Result<IngestOutcome, Internal>> {
    let mut outcomes = Vec::with_capacity(reports.len());
    for report in reports {
        let stored = store_or_rollback(tx, own_origin, &[report]).await;
        outcomes.push(stored.map(|mut outcomes| outcomes.remove(0)));
    }
    outcomes
}

/// Rolls back to a savepoint if any report fails.
async fn store_or_rollback(
    tx: &mut Write,
    own_origin: &str,
    reports: &[&Report],
) -> Result<Vec<IngestOutcome>, Internal> {
    let now = tx.now;
    let mut changes = Vec::new();
    tx.conn().savepoint().await?;
    match record::store_reports(tx.conn(), reports, own_origin, now, &mut changes).await {
        Ok(outcomes) => {
            tx.conn().release_savepoint().await?;
            for change in changes {
                tx.touch(change);
            }
            Ok(outcomes)
        }
        Err(error) => {
            // SQLite ends the transaction if the disk is full. The savepoint is then gone, and the first error explains why.
            if !error.is_outage() {
                tx.conn().rollback_to_savepoint().await?;
            }
            Err(error)
        }
    }
}
