// An `Option` is given where a `Patch` is wanted.
// Mend: write `Patch::Set(value)` or `value.into()`; leave a field out with `..` and the constructor of the input.
use api::{Tour, TourChangeInput};

pub fn input(tour: &Tour) -> TourChangeInput {
    TourChangeInput {
        id: tour.id.clone(),
        title: Some(tour.title.clone()),
        subtitle: tour.subtitle.clone(),
    }
}
