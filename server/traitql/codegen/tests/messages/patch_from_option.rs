// An `Option` is used as a `Patch`.
// Fix: use `Patch::Set(value)` or `value.into()`. To omit a field, use `..` with the constructor of the input.
use api::{Tour, TourChangeInput};

pub fn input(tour: &Tour) -> TourChangeInput {
    TourChangeInput {
        id: tour.id.clone(),
        title: Some(tour.title.clone()),
        subtitle: tour.subtitle.clone(),
    }
}
