//! Streams complete on the signal, and the server waits for them.

use std::sync::Arc;

use tokio::sync::watch;

/// The shutdown signal, shared by clones.
#[derive(Debug, Clone)]
pub struct Shutdown {
    signal: Arc<watch::Sender<bool>>,
    open: Arc<watch::Sender<usize>>,
}

impl Default for Shutdown {
    fn default() -> Self {
        Self {
            signal: Arc::new(watch::Sender::new(false)),
            open: Arc::new(watch::Sender::new(0)),
        }
    }
}

impl Shutdown {
    /// Sends the signal.
    pub fn trigger(&self) {
        self.signal.send_replace(true);
    }

    /// True if the signal was sent. Readiness checks should then fail.
    pub fn is_triggered(&self) -> bool {
        *self.signal.borrow()
    }

    /// Waits for the signal.
    pub async fn triggered(&self) {
        let mut signal = self.signal.subscribe();
        signal
            .wait_for(|sent| *sent)
            .await
            .expect("`self` keeps the sender alive");
    }

    pub(super) fn guard(&self) -> Guard {
        self.open.send_modify(|open| *open += 1);
        Guard(Arc::clone(&self.open))
    }

    pub(super) async fn drained(&self) {
        let mut open = self.open.subscribe();
        open.wait_for(|open| *open == 0)
            .await
            .expect("`self` keeps the sender alive");
    }
}

#[derive(Debug)]
pub(super) struct Guard(Arc<watch::Sender<usize>>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.send_modify(|open| *open -= 1);
    }
}
