// A value was added to an enum, and a member to a union; two `match`es do not know them.
// Mend: decide what the new value means here. Avoid `_ =>`, which would have hidden the question.
use api::{Node, Status};

pub fn status(status: Status) -> &'static str {
    match status {
        Status::Draft => "draft",
        Status::Live => "live",
    }
}

pub fn title(node: &Node) -> &str {
    match node {
        Node::Tour(tour) => &tour.title,
        Node::Step(step) => &step.title,
    }
}
