//! A stream is the only resource that a client can hold for hours.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use traitql::{Ctx, address_key};

#[derive(Debug)]
pub(super) struct Streams {
    per_caller: usize,
    open: Mutex<HashMap<Caller, usize>>,
}

/// Counts the open streams of an endpoint.
#[derive(Debug, Clone)]
pub struct OpenStreams(pub(super) Arc<Streams>);

impl OpenStreams {
    /// Returns the number of open subscriptions and sockets. A socket with one subscription counts once.
    pub fn count(&self) -> usize {
        let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.values().sum()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Caller {
    Account {
        issuer: String,
        subject: String,
    },
    /// Counts the caller by [`address_key`].
    Address(Option<String>),
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

    /// Returns `None` if the caller has reached the limit.
    pub(super) fn acquire(self: &Arc<Self>, cx: &Ctx) -> Option<Permit> {
        let caller = match cx.principal() {
            Some(principal) => Caller::Account {
                issuer: principal.issuer.clone(),
                subject: principal.subject.clone(),
            },
            None => Caller::Address(cx.address().map(address_key)),
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

/// Counts a socket with one subscription only once: its first subscription uses the place of the socket.
#[derive(Debug, Clone)]
pub(super) struct SocketPlace(Arc<Mutex<Option<Permit>>>);

#[derive(Debug)]
pub(super) struct SubscriptionPlace {
    permit: Option<Permit>,
    socket: SocketPlace,
}

impl SocketPlace {
    pub(super) fn new(permit: Permit) -> Self {
        Self(Arc::new(Mutex::new(Some(permit))))
    }

    /// Reserves another place if that of the socket is in use.
    pub(super) fn acquire(&self, streams: &Arc<Streams>, cx: &Ctx) -> Option<SubscriptionPlace> {
        let own = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let permit = own.or_else(|| streams.acquire(cx))?;
        Some(SubscriptionPlace {
            permit: Some(permit),
            socket: self.clone(),
        })
    }
}

impl Drop for SubscriptionPlace {
    fn drop(&mut self) {
        let mut socket = self.socket.0.lock().unwrap_or_else(PoisonError::into_inner);
        if socket.is_none() {
            *socket = self.permit.take();
        }
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
    fn a_socket_with_one_subscription_is_counted_once() {
        let streams = Arc::new(Streams::new(2));
        let cx = Ctx::from(CtxParts::default());
        let socket = SocketPlace::new(streams.acquire(&cx).unwrap());
        let first = socket.acquire(&streams, &cx).unwrap();
        let second = socket.acquire(&streams, &cx).unwrap();
        assert!(socket.acquire(&streams, &cx).is_none());
        assert_eq!(OpenStreams(Arc::clone(&streams)).count(), 2);
        drop(first);
        let third = socket.acquire(&streams, &cx).unwrap();
        drop((second, third));
        assert_eq!(streams.open.lock().unwrap().values().sum::<usize>(), 1);
        drop(socket);
        assert!(streams.open.lock().unwrap().is_empty());
    }

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
        let network = streams.acquire(&from("2001:db8::1")).unwrap();
        assert!(
            streams.acquire(&from("2001:db8::2")).is_none(),
            "a customer has at least a /64"
        );
        drop((first, second, network));
        assert!(streams.acquire(&from("10.0.0.1")).is_some());
        assert!(streams.open.lock().unwrap().is_empty());
    }
}
