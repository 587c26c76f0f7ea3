//! Segments: named conditions on visitors that the tours of a workspace share.
//!
//! Revisions refer to segments by id, so that a change of a segment takes effect on released tours. A segment that is in
//! use cannot be deleted.

pub mod matches;
pub mod store;

use traitql::Id;
use waypost_api::{Condition, Segment, SegmentInput, Tour, errors};

use crate::{
    audit::Entry,
    condition::{self, StoredCondition},
    store::json,
};

pub const MAX_SEGMENTS: i32 = 100;

pub fn condition(input: &SegmentInput) -> Condition {
    condition::from_segment_input(input.when.clone())
}

pub fn edit(segment: &Segment, input: SegmentInput) -> Segment {
    Segment {
        when: condition(&input),
        name: input.name,
        version: segment.version + 1,
        ..segment.clone()
    }
}

pub fn difference(entry: Entry, before: &Segment, after: &Segment) -> Entry {
    entry
        .changed("name", &before.name, &after.name)
        .changed("when", &stored(&before.when), &stored(&after.when))
}

pub fn stored(when: &Condition) -> String {
    json(&StoredCondition::from(when.clone()))
}

pub fn ensure_unused(segment: &Segment, tours: &[Tour]) -> Result<(), errors::SegmentInUse> {
    if tours.is_empty() {
        return Ok(());
    }
    let titles: Vec<&str> = tours.iter().map(|tour| tour.title.as_str()).collect();
    Err(errors::SegmentInUse {
        segment: segment.name.clone(),
        tours: titles.join(", "),
    })
}

pub fn by_title(tours: &[Tour], ids: &[Id]) -> Vec<Tour> {
    let mut tours: Vec<Tour> = tours.iter().filter(|tour| ids.contains(&tour.id)).cloned().collect();
    tours.sort_by_cached_key(|tour| (tour.title.to_lowercase(), tour.id.clone()));
    tours
}
