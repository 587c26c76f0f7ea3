//! Parsed documents and their bounded cache.
//!
//! Documents are validated before they get here. They are parsed again by the parser that validated them, so there is
//! no text that the two steps interpret differently.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use apollo_compiler::{ExecutableDocument, Node, Schema, executable::Operation, validation::Valid};

pub(crate) struct Prepared {
    pub(crate) document: Valid<ExecutableDocument>,
    pub(crate) operation: Node<Operation>,
}

impl Prepared {
    /// Parses a document. `Err` describes why the text contains no such operation.
    pub(crate) fn new(schema: &Valid<Schema>, text: &str, name: Option<&str>) -> Result<Self, String> {
        let document = ExecutableDocument::parse(schema, text, "document.graphql")
            .map_err(|problem| problem.errors.to_string())?;
        let document = Valid::assume_valid(document);
        let operation = document
            .operations
            .get(name)
            .map_err(|problem| problem.message().to_string())?
            .clone();
        Ok(Self { document, operation })
    }
}

/// Cache of parsed documents by hash and operation name. Its size is bounded by two generations: when the young one is
/// full it becomes the old one, and documents that were not used in the meantime are dropped.
pub(crate) struct Cache {
    generation: usize,
    entries: Mutex<Generations>,
}

type Key = (String, Option<String>);

#[derive(Default)]
struct Generations {
    young: HashMap<Key, Arc<Prepared>>,
    old: HashMap<Key, Arc<Prepared>>,
}

impl Cache {
    pub(crate) fn with_capacity(documents: usize) -> Self {
        Self {
            generation: (documents / 2).max(1),
            entries: Mutex::default(),
        }
    }

    /// Returns the document with this hash from the cache, or calls `prepare` and caches the result.
    pub(crate) fn get(
        &self,
        hash: &str,
        name: Option<&str>,
        prepare: impl FnOnce() -> Result<Prepared, String>,
    ) -> Result<Arc<Prepared>, String> {
        let key = (hash.to_owned(), name.map(str::to_owned));
        if let Some(cached) = self.lookup(&key) {
            return Ok(cached);
        }
        // Parsing happens outside of the lock, so two concurrent requests may both parse the same text.
        let prepared = Arc::new(prepare()?);
        self.insert(key, &prepared);
        Ok(prepared)
    }

    fn lookup(&self, key: &Key) -> Option<Arc<Prepared>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = entries.young.get(key) {
            return Some(Arc::clone(cached));
        }
        let cached = entries.old.remove(key)?;
        drop(entries);
        self.insert(key.clone(), &cached);
        Some(cached)
    }

    fn insert(&self, key: Key, prepared: &Arc<Prepared>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.young.len() >= self.generation {
            entries.old = std::mem::take(&mut entries.young);
        }
        entries.young.insert(key, Arc::clone(prepared));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_bounded_and_keeps_documents_in_use() {
        let schema = Schema::parse_and_validate("type Query { a: Int }", "s").expect("a schema");
        let cache = Cache::with_capacity(4);
        let mut parsed = 0;
        for round in 0..100 {
            for hash in ["used".to_owned(), round.to_string()] {
                let prepared = cache.get(&hash, None, || {
                    parsed += 1;
                    Prepared::new(&schema, "{ a }", None)
                });
                assert!(prepared.is_ok());
            }
        }
        assert_eq!(parsed, 101);
        let entries = cache.entries.lock().expect("no panic held the lock");
        assert!(entries.young.len() + entries.old.len() <= 4);
    }
}
