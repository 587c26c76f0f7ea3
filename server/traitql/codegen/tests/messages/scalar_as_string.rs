// A scalar is set to the string that the database contains.
// Fix: parse the string where it enters the application, for example with `text.parse()?`.
use api::Step;

pub fn step(id: String, title: String, shown_at: String) -> Step {
    Step { id: id.into(), title, shown_at }
}
