//! The parser that validated a document parses it again, so both steps read the same document.

use apollo_compiler::{ExecutableDocument, Node, Schema, executable::Operation, validation::Valid};

pub(crate) struct Prepared {
    pub(crate) document: Valid<ExecutableDocument>,
    pub(crate) operation: Node<Operation>,
}

impl Prepared {
    pub(crate) fn new(schema: &Valid<Schema>, text: &str, name: Option<&str>) -> Result<Self, String> {
        let document = ExecutableDocument::parse(schema, text, "document.graphql")
            .map_err(|problem| problem.errors.to_string())?;
        let document = Valid::assume_valid(document);
        let operation = document
            .operations
            .get(name)
            .map_err(|problem| problem.message().to_string())?
            .clone();
        Ok(Self { document, operation })
    }
}
