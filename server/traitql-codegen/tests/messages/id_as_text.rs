// An `ID` is `traitql::Id` and no `String`, so that it cannot be mixed up with other texts.
// Mend: convert with `.into()` where texts come in; compare with `.as_str()`.
use api::Person;

pub fn person(id: String, name: String) -> Person {
    Person { id, name }
}

pub fn is_root(person: &Person) -> bool {
    person.id == "root".to_owned()
}
