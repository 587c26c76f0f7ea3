// A scalar is given as the text that a database holds.
// Mend: parse the text where it comes in, such as `text.parse()?`, and carry the value.
use api::Step;

pub fn step(id: String, title: String, shown_at: String) -> Step {
    Step { id: id.into(), title, shown_at }
}
