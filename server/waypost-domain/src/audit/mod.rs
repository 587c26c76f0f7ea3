//! The audit log: who did what, written in the transaction of the change itself.

pub mod store;

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use traitql::Id;

/// What an audit entry says besides who, when and which action.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    workspace_id: Id,
    subject: String,
    changes: Vec<Change>,
}

/// A value that changed, as texts for people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Change {
    field: String,
    before: Option<String>,
    after: Option<String>,
}

impl Entry {
    /// An entry of a workspace about `subject`, as it is called at the moment.
    pub fn on(workspace_id: &Id, subject: impl Into<String>) -> Self {
        Self {
            workspace_id: workspace_id.clone(),
            subject: subject.into(),
            changes: Vec::new(),
        }
    }

    /// Notes a value that is different now; equal values are not noted.
    pub fn changed<T: Display + PartialEq + ?Sized>(self, field: &str, before: &T, after: &T) -> Self {
        if before == after {
            return self;
        }
        self.note(field, Some(before.to_string()), Some(after.to_string()))
    }

    /// Notes a value that was not there before.
    pub fn added(self, field: &str, after: impl Display) -> Self {
        self.note(field, None, Some(after.to_string()))
    }

    /// Notes why somebody did it, if they said so.
    pub fn because(self, note: Option<&str>) -> Self {
        match note.map(str::trim).filter(|note| !note.is_empty()) {
            Some(note) => self.added("note", note),
            None => self,
        }
    }

    /// Notes a value that is gone.
    pub fn removed(self, field: &str, before: impl Display) -> Self {
        self.note(field, Some(before.to_string()), None)
    }

    fn note(mut self, field: &str, before: Option<String>, after: Option<String>) -> Self {
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
    fn only_what_differs_is_noted() {
        let entry = Entry::on(&"w".into(), "Tour")
            .changed("title", "Old", "New")
            .changed("slug", "same", "same")
            .removed("note", 7);
        let fields: Vec<&str> = entry.changes.iter().map(|change| change.field.as_str()).collect();
        assert_eq!(fields, ["title", "note"]);
        assert_eq!(entry.changes[1].before.as_deref(), Some("7"));
    }
}
