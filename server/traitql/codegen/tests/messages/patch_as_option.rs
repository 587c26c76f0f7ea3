// An optional input field is a `Patch`: keep, clear or set. The code treats it like an `Option`.
// Fix: `match` on `Keep`, `Clear` and `Set`, or use `replace` for required values and `apply` for optional ones. `value()` converts to `Option`.
use api::{Tour, TourChangeInput};

pub fn change(tour: &mut Tour, change: TourChangeInput) {
    if let Some(title) = change.title {
        tour.title = title;
    }
    tour.subtitle = change.subtitle.or(tour.subtitle.take());
    tour.title = change.title.unwrap_or_default();
}
