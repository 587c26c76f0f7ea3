// `Tour.subtitle: String!` became `String`; the store still fills it in as before.
// Mend: give `Some(…)`, or `None` where there is nothing.
use api::{Status, Tour};

pub fn row(id: String, title: String, subtitle: String) -> Tour {
    Tour {
        id: id.into(),
        title,
        subtitle,
        status: Status::Draft,
    }
}
