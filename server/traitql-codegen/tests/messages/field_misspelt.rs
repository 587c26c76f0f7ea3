// A field of a struct is misspelt, and one is missing.
// Mend: use the names of the schema in snake_case.
use api::{Status, Tour};

pub fn row(id: String) -> Tour {
    Tour {
        id: id.into(),
        titel: "Welcome".to_owned(),
        status: Status::Draft,
    }
}
