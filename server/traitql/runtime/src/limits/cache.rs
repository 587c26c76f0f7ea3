//! A bounded cache of accepted documents with two generations.
//!
//! New and used entries are in the young generation. When it reaches half of the capacity it becomes the old one, and
//! the former old one is dropped. Entries in use are kept without the bookkeeping of an LRU list, and a flood is
//! dropped in one step.

use std::{collections::HashMap, mem, sync::Arc};

use crate::engine::Document;

pub(super) type Key = (String, Option<String>);

#[derive(Debug)]
pub(super) struct Cache {
    young: HashMap<Key, Arc<Document>>,
    old: HashMap<Key, Arc<Document>>,
    young_bytes: usize,
    max_entries: usize,
    max_bytes: usize,
}

impl Cache {
    pub(super) fn new(max_entries: usize, max_bytes: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            young_bytes: 0,
            max_entries,
            max_bytes,
        }
    }

    pub(super) fn get(&mut self, key: &Key) -> Option<Arc<Document>> {
        if let Some(document) = self.young.get(key) {
            return Some(Arc::clone(document));
        }
        let document = self.old.remove(key)?;
        self.insert(key.clone(), Arc::clone(&document));
        Some(document)
    }

    pub(super) fn insert(&mut self, key: Key, document: Arc<Document>) {
        if (self.young.len() + 1) * 2 > self.max_entries
            || (self.young_bytes + document.text.len()) * 2 > self.max_bytes
        {
            self.old = mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += document.text.len();
        self.young.insert(key, document);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::OperationKind;

    fn document(text: &str) -> Arc<Document> {
        let hash = String::new();
        let kind = OperationKind::Query;
        Arc::new(Document {
            text: text.to_owned(),
            name: None,
            kind,
            hash,
            cost: 0,
            trusted: false,
        })
    }

    #[test]
    fn entries_in_use_are_kept_and_the_rest_is_dropped() {
        let mut cache = Cache::new(4, 1_000);
        let key = |n: usize| (n.to_string(), None);
        for n in 0..100 {
            cache.insert(key(n), document("{a}"));
            assert!(
                cache.get(&key(0)).is_some(),
                "entry 0 is in use, but was dropped at {n}"
            );
            assert!(cache.young.len() + cache.old.len() <= 4);
        }
        assert!(cache.get(&key(50)).is_none());
    }

    #[test]
    fn bytes_are_bounded_too() {
        let mut cache = Cache::new(1_000, 100);
        for n in 0..100 {
            cache.insert((n.to_string(), None), document("{ twenty_bytes_long }"));
            let bytes = |entries: &HashMap<Key, Arc<Document>>| entries.values().map(|d| d.text.len()).sum::<usize>();
            assert!(bytes(&cache.young) + bytes(&cache.old) <= 100);
        }
    }
}
