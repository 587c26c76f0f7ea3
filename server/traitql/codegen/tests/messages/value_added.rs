// A value was added to an enum, and a member to a union, but two `match`es do not handle them.
// Fix: decide how to handle the new value. Avoid `_ =>`, which would have hidden the missing case.
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
