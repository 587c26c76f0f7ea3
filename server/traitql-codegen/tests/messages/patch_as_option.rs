// A field of an input that may be left out is a `Patch`: kept, cleared or set. It is treated like an `Option`.
// Mend: `match` on `Keep`, `Clear` and `Set`, or use `replace` for what is always there and `apply` for what may be missing; `value()` makes an `Option` of it.
use api::{Tour, TourChangeInput};

pub fn change(tour: &mut Tour, change: TourChangeInput) {
    if let Some(title) = change.title {
        tour.title = title;
    }
    tour.subtitle = change.subtitle.or(tour.subtitle.take());
    tour.title = change.title.unwrap_or_default();
}
