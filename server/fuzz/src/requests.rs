use crate::installation::INSTALLATION;

/// Sends the input as the body of a GraphQL request: the parser of requests, and for any document the validation, the
/// planner, the coercion of variables and the resolvers.
pub(crate) fn run(data: &[u8]) {
    let reply = INSTALLATION.graphql(data.to_vec());
    // Subscriptions are streams, which this media type does not accept.
    assert!(
        reply.body.is_object() || reply.status == 406,
        "{} is not a response of GraphQL",
        reply.body
    );
}
