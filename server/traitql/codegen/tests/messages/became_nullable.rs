// `Tour.subtitle: String!` became `String`, but the store still sets a plain value.
// Fix: use `Some(…)`, or `None` if there is no value.
use api::{Status, Tour};

pub fn row(id: String, title: String, subtitle: String) -> Tour {
    Tour {
        id: id.into(),
        title,
        subtitle,
        status: Status::Draft,
    }
}
