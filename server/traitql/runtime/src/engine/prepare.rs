//! Parsed documents.
//!
//! Documents are validated before they get here. They are parsed again by the parser that validated them, so there is
//! no text that the two steps interpret differently.

use apollo_compiler::{ExecutableDocument, Node, Schema, executable::Operation, validation::Valid};

pub(crate) struct Prepared {
    pub(crate) document: Valid<ExecutableDocument>,
    pub(crate) operation: Node<Operation>,
}

impl Prepared {
    /// Parses a document. `Err` describes why the text contains no such operation.
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
