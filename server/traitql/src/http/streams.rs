//! How many streams a caller may have open at once. A stream is the one thing here that a client can hold for hours.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use crate::ctx::Ctx;

/// Counts the open streams of each caller.
#[derive(Debug)]
pub(super) struct Streams {
    per_caller: usize,
    open: Mutex<HashMap<Caller, usize>>,
}

/// A person, or the address of somebody who is not signed in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Caller {
    Person { issuer: String, subject: String },
    Address(Option<IpAddr>),
}

/// One open stream.
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

    /// Leave to open one more, if the caller has not too many.
    pub(super) fn acquire(self: &Arc<Self>, cx: &Ctx) -> Option<Permit> {
        let caller = match cx.principal() {
            Some(principal) => Caller::Person {
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
    use crate::ctx::CtxParts;

    #[test]
    fn each_caller_has_a_count_of_its_own_and_leaves_nothing_behind() {
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
