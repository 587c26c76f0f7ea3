//! The cache's policy (CLOCK-Pro) keeps documents that were used again, so a flood of new ones only replaces others of
//! the flood.

use std::sync::Arc;

use quick_cache::{Weighter, sync};

use crate::engine::Document;

pub(super) type Key = (String, Option<String>);

pub(super) type Cache = sync::Cache<Key, Arc<Document>, TextBytes>;

/// Weighs a document by its bytes, but at least by its share of the capacity, which bounds their number.
#[derive(Debug, Clone)]
pub(super) struct TextBytes {
    min_weight: u64,
}

impl Weighter<Key, Arc<Document>> for TextBytes {
    fn weight(&self, _: &Key, document: &Arc<Document>) -> u64 {
        (document.text.len() as u64).max(self.min_weight)
    }
}

pub(super) fn new(max_documents: usize, max_bytes: u64) -> Cache {
    let min_weight = max_bytes.div_ceil(max_documents as u64);
    Cache::with_weighter(max_documents, max_bytes, TextBytes { min_weight })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::OperationKind;

    const MAX_BYTES: u64 = 32 * 1024;

    fn document(text: String) -> Arc<Document> {
        Arc::new(Document {
            text,
            name: None,
            kind: OperationKind::Query,
            hash: String::new(),
            cost: 0,
            trusted: false,
        })
    }

    fn key(n: usize) -> Key {
        (n.to_string(), None)
    }

    #[test]
    fn documents_in_use_are_kept_and_the_rest_is_dropped() {
        let cache = new(16, MAX_BYTES);
        for n in 0..1000 {
            cache.insert(key(n), document("{ a }".to_owned()));
            assert!(
                cache.get(&key(0)).is_some(),
                "document 0 is in use, but was dropped at {n}"
            );
            assert!(cache.len() <= 16);
        }
        assert!(cache.get(&key(500)).is_none());
    }

    #[test]
    fn bytes_are_bounded_too() {
        let cache = new(1_000, MAX_BYTES);
        for n in 0..1000 {
            cache.insert(key(n), document("a".repeat(n)));
            let bytes: usize = cache.iter().map(|(_, document)| document.text.len()).sum();
            assert!(bytes as u64 <= MAX_BYTES);
        }
    }
}
