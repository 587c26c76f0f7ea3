//! A client may supply its own request id. Others are UUIDs of version 7 (RFC 9562, section 5.7), which sort by time.
//! They grant no access, so their random part is a keyed hash of a counter instead of a system call.

use std::{
    cell::Cell,
    fmt,
    hash::{BuildHasher, RandomState},
    ops::Deref,
    time::{SystemTime, UNIX_EPOCH},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Builder;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const MAX_LENGTH: usize = 64;

/// Letters, digits, `_` and `-`. Inline, because copying 64 bytes is cheaper than an allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct RequestId {
    bytes: [u8; MAX_LENGTH],
    length: u8,
}

impl RequestId {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        headers
            .get(REQUEST_ID)
            .and_then(|id| Self::from_client(id.as_bytes()))
            .unwrap_or_else(Self::new)
    }

    fn from_client(id: &[u8]) -> Option<Self> {
        let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let mut bytes = [0; MAX_LENGTH];
        (!id.is_empty() && id.iter().all(allowed)).then_some(())?;
        bytes.get_mut(..id.len())?.copy_from_slice(id);
        let length = u8::try_from(id.len()).ok()?;
        Some(Self { bytes, length })
    }

    pub(super) fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let millis = u64::try_from(since.as_millis()).unwrap_or_default();
        let random: [u8; 16] = random().to_ne_bytes();
        let mut parts = [0; 10];
        parts.copy_from_slice(&random[..10]);
        let id = Builder::from_unix_timestamp_millis(millis, &parts).into_uuid();
        let mut bytes = [0; MAX_LENGTH];
        let length = id.simple().encode_lower(&mut bytes).len();
        Self {
            bytes,
            length: u8::try_from(length).expect("a simple UUID has 32 digits"),
        }
    }

    pub(super) fn header(&self) -> HeaderValue {
        HeaderValue::from_bytes(&self.bytes[..usize::from(self.length)])
            .expect("an id consists of letters, digits, `_` and `-`")
    }
}

/// Returns bits that are not predictable outside of the process.
fn random() -> u128 {
    thread_local! {
        static KEY: RandomState = RandomState::new();
        static COUNTER: Cell<u64> = const { Cell::new(0) };
    }
    let count = COUNTER.get();
    COUNTER.set(count.wrapping_add(1));
    KEY.with(|key| {
        let [low, high] = [0_u8, 1].map(|half| key.hash_one((count, half)));
        u128::from(high) << 64 | u128::from(low)
    })
}

impl Deref for RequestId {
    type Target = str;

    fn deref(&self) -> &str {
        str::from_utf8(&self.bytes[..usize::from(self.length)]).expect("an id consists of letters, digits, `_` and `-`")
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::HashSet;

    use uuid::{Uuid, Version};

    use super::*;

    #[test]
    fn a_valid_client_id_is_kept_and_any_other_is_replaced() {
        let id = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(REQUEST_ID, value.parse().unwrap());
            RequestId::of(&headers).to_string()
        };
        assert_eq!(id("Trace_1-a"), "Trace_1-a");
        let (longest, long) = ("a".repeat(64), "a".repeat(65));
        assert_eq!(id(&longest), longest);
        for invalid in ["", "two words", "a\"b", "ä", long.as_str()] {
            assert_eq!(id(invalid).len(), 32, "{invalid}");
        }
    }

    #[test]
    fn ids_differ_between_requests_and_threads_and_are_version_7() {
        let make = || (0..1_000).map(|_| RequestId::new().to_string()).collect::<Vec<_>>();
        let elsewhere = std::thread::spawn(make);
        let made: Vec<String> = make().into_iter().chain(elsewhere.join().unwrap()).collect();
        assert_eq!(made.iter().collect::<HashSet<_>>().len(), 2_000);
        for id in &made {
            assert_eq!(
                Uuid::try_parse(id).unwrap().get_version(),
                Some(Version::SortRand),
                "{id}"
            );
        }
    }
}
