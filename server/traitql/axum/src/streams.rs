//! Limits the number of concurrent streams per caller, because a stream is the only resource that a client can hold
//! for hours.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use traitql::Ctx;

#[derive(Debug)]
pub(super) struct Streams {
    per_caller: usize,
    open: Mutex<HashMap<Caller, usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Caller {
    Account { issuer: String, subject: String },
    Address(Option<IpAddr>),
}

#[derive(Debug)]
pub(super) struct Permit {
    streams: Arc<Streams>,
    caller: Caller,
}

impl Streams {
    pub(super) fn new(per_caller: usize) -> Self {
        Self {
            per_caller,
            open: Mutex::default(),
        }
    }

    /// Reserves a stream, or returns `None` if the caller has reached the limit.
    pub(super) fn acquire(self: &Arc<Self>, cx: &Ctx) -> Option<Permit> {
        let caller = match cx.principal() {
            Some(principal) => Caller::Account {
                issuer: principal.issuer.clone(),
                subject: principal.subject.clone(),
            },
            None => Caller::Address(cx.address()),
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(caller.clone()).or_default();
        if *count >= self.per_caller {
            return None;
        }
        *count += 1;
        Some(Permit {
            streams: Arc::clone(self),
            caller,
        })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use traitql::CtxParts;

    #[test]
    fn each_caller_is_counted_separately_and_removed_at_the_end() {
        let streams = Arc::new(Streams::new(1));
        let from = |address: &str| {
            Ctx::from(CtxParts {
                address: Some(address.parse().unwrap()),
                ..CtxParts::default()
            })
        };
        let first = streams.acquire(&from("10.0.0.1")).unwrap();
        assert!(streams.acquire(&from("10.0.0.1")).is_none());
        let second = streams.acquire(&from("10.0.0.2")).unwrap();
        drop((first, second));
        assert!(streams.acquire(&from("10.0.0.1")).is_some());
        assert!(streams.open.lock().unwrap().is_empty());
    }
}
