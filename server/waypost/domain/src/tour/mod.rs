pub(crate) mod built_in;
pub mod content;
pub mod open_tours;
pub mod problem;
mod reachability;
pub mod revisions;
mod selector;
pub mod store;
mod stored;
pub mod translation;

use std::{collections::HashSet, sync::Arc};

use traitql::Patch;
use waypost_api::{ReleaseState, Tour, TourSaveInput, TourStatus, errors};

use content::Content;

pub const MAX_TOURS: i32 = 500;

/// `releases` is the state of the releases together: live if one is, else paused if one is; `None` without any.
pub fn status(archived: bool, releases: Option<ReleaseState>) -> TourStatus {
    match (archived, releases) {
        (true, _) => TourStatus::Archived,
        (false, Some(ReleaseState::Live)) => TourStatus::Live,
        (false, Some(ReleaseState::Paused)) => TourStatus::Paused,
        (false, Some(ReleaseState::Ended)) => TourStatus::Stopped,
        (false, None) => TourStatus::Draft,
    }
}

/// Compared with the newest released revision, if any; else true if there are steps.
pub fn has_unreleased_changes(draft: &Content, newest_released: Option<&Content>) -> bool {
    match newest_released {
        Some(released) => draft != released,
        None => !draft.steps.is_empty(),
    }
}

pub fn ensure_not_archived(tour: &Tour) -> Result<(), errors::TourArchived> {
    if tour.archived {
        Err(errors::TourArchived {})
    } else {
        Ok(())
    }
}

/// Keeps omitted fields. Null resets a field: no steps, the default start rule and theme, and the original language only.
pub fn edit(draft: Content, input: TourSaveInput) -> Result<Content, errors::DuplicateStepKey> {
    let Content {
        steps,
        start,
        theme_id,
        locales,
    } = draft;
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
        locales: match input.locales {
            Patch::Keep => locales,
            Patch::Clear => locales.into_iter().take(1).collect(),
            Patch::Set(locales) => locales,
        },
    };
    let mut keys = HashSet::new();
    match after.steps.iter().find(|step| !keys.insert(step.key.as_str())) {
        Some(step) => Err(errors::DuplicateStepKey { key: step.key.clone() }),
        None => Ok(after),
    }
}

/// Matches `search` anywhere in a lower-case string, with escaped wildcards.
fn search_pattern(search: &str) -> String {
    let mut pattern = String::from("%");
    for char in search.trim().chars() {
        if matches!(char, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(char.to_ascii_lowercase());
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests;
