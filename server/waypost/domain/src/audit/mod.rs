//! The audit log. Each entry is written in the transaction of the change that it records.

pub mod store;

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use traitql::Id;

pub const MEMBER_CLAIM: &str = "member.claim";
pub const MEMBER_FIRST: &str = "member.first";

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    workspace_id: Id,
    subject: String,
    changes: Vec<Change>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Change {
    field: String,
    before: Option<String>,
    after: Option<String>,
}

impl Entry {
    pub fn on(workspace_id: &Id, subject: impl Into<String>) -> Self {
        Self {
            workspace_id: workspace_id.clone(),
            subject: subject.into(),
            changes: Vec::new(),
        }
    }

    /// Records nothing if the values are equal.
    pub fn changed<T: Display + PartialEq + ?Sized>(self, field: &str, before: &T, after: &T) -> Self {
        if before == after {
            return self;
        }
        self.record(field, Some(before.to_string()), Some(after.to_string()))
    }

    pub fn added(self, field: &str, after: impl Display) -> Self {
        self.record(field, None, Some(after.to_string()))
    }

    pub fn with_note(self, note: Option<&str>) -> Self {
        match note.map(str::trim).filter(|note| !note.is_empty()) {
            Some(note) => self.added("note", note),
            None => self,
        }
    }

    pub fn removed(self, field: &str, before: impl Display) -> Self {
        self.record(field, Some(before.to_string()), None)
    }

    fn record(mut self, field: &str, before: Option<String>, after: Option<String>) -> Self {
        self.changes.push(Change {
            field: field.to_owned(),
            before,
            after,
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_values_are_recorded() {
        let entry = Entry::on(&"w".into(), "Tour")
            .changed("title", "Old", "New")
            .changed("slug", "same", "same")
            .removed("note", 7);
        let fields: Vec<&str> = entry.changes.iter().map(|change| change.field.as_str()).collect();
        assert_eq!(fields, ["title", "note"]);
        assert_eq!(entry.changes[1].before.as_deref(), Some("7"));
    }
}
