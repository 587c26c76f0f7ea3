//! Cursors: where a page of a list ends, opaque to clients (Relay cursor connections).
//!
//! Every list that is served in pages is ordered by a number and, among equals, by id, the newest first.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use traitql::Id;
use waypost_api::errors;

/// A place in a list: its page begins with the first row below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub(crate) key: i64,
    pub(crate) id: String,
}

impl Place {
    /// Above the first row.
    fn top() -> Self {
        Self {
            key: i64::MAX,
            id: String::new(),
        }
    }
}

/// The cursor of a row.
pub fn of(key: i64, id: &Id) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{key}.{id}"))
}

/// The place that an argument `after` names.
pub fn place(after: Option<String>) -> Result<Place, errors::InvalidInput> {
    let Some(cursor) = after else {
        return Ok(Place::top());
    };
    read(&cursor).ok_or_else(|| errors::InvalidInput {
        field: "after".to_owned(),
        problem: "this is no cursor of this list; leave it out to begin at the first page".to_owned(),
    })
}

/// Cuts rows that were read with a limit of `first + 1` to the page, and says whether the list goes on.
pub fn cut<T>(rows: &mut Vec<T>, first: i32) -> bool {
    let first = usize::try_from(first).unwrap_or(0);
    let more = rows.len() > first;
    rows.truncate(first);
    more
}

fn read(cursor: &str) -> Option<Place> {
    let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let (key, id) = text.split_once('.')?;
    let place = Place {
        key: key.parse().ok()?,
        id: uuid::Uuid::parse_str(id).ok()?.to_string(),
    };
    // One row has one cursor: other spellings of the same number or id are refused.
    (text == format!("{}.{}", place.key, place.id)).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_names_its_row() {
        let id = crate::store::new_id();
        let place = place(Some(of(1234, &id))).expect("our own cursor");
        assert_eq!((place.key, place.id.as_str()), (1234, id.as_str()));
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        let id = crate::store::new_id();
        let spelled = |text: String| BASE64_URL_SAFE_NO_PAD.encode(text);
        for garbage in [
            String::new(),
            "%%%".into(),
            spelled("no dot".into()),
            spelled(format!("+1.{id}")),
            spelled(format!("1.{}", id.as_str().to_uppercase().replace("0", "Ä"))),
            spelled("1.2".into()),
            of(1, &id) + "=",
        ] {
            assert!(place(Some(garbage.clone())).is_err(), "{garbage}");
        }
        assert_eq!(place(None).ok(), Some(Place::top()));
    }
}
