// One struct field is misspelled, and one is missing.
// Fix: use the names of the schema in snake_case.
use api::{Status, Tour};

pub fn row(id: String) -> Tour {
    Tour {
        id: id.into(),
        titel: "Welcome".to_owned(),
        status: Status::Draft,
    }
}
