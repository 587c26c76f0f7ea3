//! Opaque cursors (Relay cursor connections).
//!
//! Every list is sorted in descending order by a number and then by id.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use traitql::Id;
use waypost_api::errors;

/// The page starts after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub(crate) key: i64,
    pub(crate) id: String,
}

impl Cursor {
    fn start() -> Self {
        Self {
            key: i64::MAX,
            id: String::new(),
        }
    }
}

pub fn encode(key: i64, id: &Id) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{key}.{id}"))
}

pub fn decode(after: Option<String>) -> Result<Cursor, errors::InvalidInput> {
    let Some(cursor) = after else {
        return Ok(Cursor::start());
    };
    parse(&cursor).ok_or_else(|| errors::InvalidInput {
        field: "after".to_owned(),
        problem: "not a cursor of this list; omit it to start with the first page".to_owned(),
    })
}

/// Rows were read with a limit of `first + 1`. Returns true if there is a next page.
pub fn truncate_page<T>(rows: &mut Vec<T>, first: i32) -> bool {
    let first = usize::try_from(first).unwrap_or(0);
    let more = rows.len() > first;
    rows.truncate(first);
    more
}

fn parse(cursor: &str) -> Option<Cursor> {
    let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let (key, id) = text.split_once('.')?;
    let parsed = Cursor {
        key: key.parse().ok()?,
        id: uuid::Uuid::parse_str(id).ok()?.to_string(),
    };
    // Reject other spellings of the same number or id, so that each row has exactly one cursor.
    (text == format!("{}.{}", parsed.key, parsed.id)).then_some(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_round_trips() {
        let id = crate::store::new_id();
        let cursor = decode(Some(encode(1234, &id))).expect("our own cursor");
        assert_eq!((cursor.key, cursor.id.as_str()), (1234, id.as_str()));
    }

    #[test]
    fn invalid_cursors_are_rejected() {
        let id = crate::store::new_id();
        let spelled = |text: String| BASE64_URL_SAFE_NO_PAD.encode(text);
        for garbage in [
            String::new(),
            "%%%".into(),
            spelled("no dot".into()),
            spelled(format!("+1.{id}")),
            spelled(format!("1.{}", id.as_str().to_uppercase().replace("0", "Ä"))),
            spelled("1.2".into()),
            encode(1, &id) + "=",
        ] {
            assert!(decode(Some(garbage.clone())).is_err(), "{garbage}");
        }
        assert_eq!(decode(None).ok(), Some(Cursor::start()));
    }
}
