//! Tours: a name, one open draft, and the revisions that were released.

pub mod content;
pub mod frozen;
pub(crate) mod prepared;
pub mod problem;
mod reach;
pub mod revisions;
pub mod store;
mod stored;

use std::{collections::HashSet, sync::Arc};

use traitql::Patch;
use waypost_api::{Tour, TourSaveInput, TourStatus, errors};

use content::Content;

/// How many tours a workspace may have.
pub const TOURS_MAX: i32 = 500;

/// The status that follows from a tour's releases. `plays` says of one that has any which have not ended whether one of
/// them is live; otherwise all are paused.
pub fn status(archived: bool, plays: Option<bool>) -> TourStatus {
    match (archived, plays) {
        (true, _) => TourStatus::Archived,
        (false, Some(true)) => TourStatus::Live,
        (false, Some(false)) => TourStatus::Paused,
        (false, None) => TourStatus::Draft,
    }
}

/// Whether the draft differs from the newest released revision. Of a tour that was never released, whether there is anything to release.
pub fn has_unreleased_changes(draft: &Content, newest_released: Option<&Content>) -> bool {
    match newest_released {
        Some(released) => draft != released,
        None => !draft.steps.is_empty(),
    }
}

/// An archived tour is as it is.
pub fn open(tour: &Tour) -> Result<(), errors::TourArchived> {
    if tour.archived {
        Err(errors::TourArchived {})
    } else {
        Ok(())
    }
}

/// The draft after a save. What the input leaves out stays; null empties it: no steps, the default rule, the default theme.
pub fn edit(draft: Content, input: TourSaveInput) -> Result<Content, errors::DuplicateStepKey> {
    let Content { steps, start, theme_id } = draft;
    let after = Content {
        steps: match input.steps {
            Patch::Keep => steps,
            Patch::Clear => Vec::new(),
            Patch::Set(steps) => steps.into_iter().map(content::step).map(Arc::new).collect(),
        },
        start: match input.start {
            Patch::Keep => start,
            Patch::Clear => content::default_start(),
            Patch::Set(start) => content::start(start),
        },
        theme_id: input.theme_id.or(theme_id),
    };
    let mut keys = HashSet::new();
    match after.steps.iter().find(|step| !keys.insert(step.key.as_str())) {
        Some(step) => Err(errors::DuplicateStepKey { key: step.key.clone() }),
        None => Ok(after),
    }
}

/// A pattern for `like … escape '\'` that finds `search` anywhere in a text in lower case, also when it contains the pattern's
/// own signs.
fn search_pattern(search: &str) -> String {
    let mut pattern = String::from("%");
    for letter in search.trim().chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter.to_ascii_lowercase());
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests;
