//! Documents as the engine keeps them, and the bounded cache of them.
//!
//! Documents arrive here validated. They are parsed by the same parser that validated them, so there is no text that one
//! accepts and the other reads differently.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use apollo_compiler::{ExecutableDocument, Node, Schema, executable::Operation, validation::Valid};

/// A parsed document and the operation of it that is asked for.
pub(crate) struct Prepared {
    pub(crate) document: Valid<ExecutableDocument>,
    pub(crate) operation: Node<Operation>,
}

impl Prepared {
    /// Parses. `Err` says why the text is no document with such an operation.
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

/// Parsed documents by hash and operation name. Two generations bound it: when the young one is full it becomes the old
/// one, and what was not asked for meanwhile is forgotten.
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
    /// Keeps at most so many documents.
    pub(crate) fn with_capacity(documents: usize) -> Self {
        Self {
            generation: (documents / 2).max(1),
            entries: Mutex::default(),
        }
    }

    /// The document of this hash, from the cache or made by `prepare`.
    pub(crate) fn get(
        &self,
        hash: &str,
        name: Option<&str>,
        prepare: impl FnOnce() -> Result<Prepared, String>,
    ) -> Result<Arc<Prepared>, String> {
        let key = (hash.to_owned(), name.map(str::to_owned));
        if let Some(known) = self.known(&key) {
            return Ok(known);
        }
        // Parsed outside of the lock: two requests may parse the same text once each.
        let prepared = Arc::new(prepare()?);
        self.remember(key, &prepared);
        Ok(prepared)
    }

    fn known(&self, key: &Key) -> Option<Arc<Prepared>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = entries.young.get(key) {
            return Some(Arc::clone(known));
        }
        let known = entries.old.remove(key)?;
        drop(entries);
        self.remember(key.clone(), &known);
        Some(known)
    }

    fn remember(&self, key: Key, prepared: &Arc<Prepared>) {
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
    fn the_cache_is_bounded_and_keeps_what_is_used() {
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
