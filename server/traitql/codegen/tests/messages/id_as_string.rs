// An `ID` is a `traitql::Id` and not a `String`, so that ids and other strings cannot be confused.
// Fix: convert with `.into()` where strings enter the application, and compare with `.as_str()`.
use api::Person;

pub fn person(id: String, name: String) -> Person {
    Person { id, name }
}

pub fn is_root(person: &Person) -> bool {
    person.id == "root".to_owned()
}
