//! The rules of the specification from `specification.graphql`, with the code of each and a counterexample.

use crate::diagnostics::code::Code;
use crate::parse::source::SourceText;

/// A rule of the specification (edition of September 2025).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecifiedRule {
    /// Number of the section: `5.4.1`.
    pub section: String,
    pub title: String,
    /// The requirement, in our words.
    pub requirement: String,
    pub code: Code,
    pub schema: Vec<SourceText>,
    pub documents: Vec<SourceText>,
}

const TABLE: &str = include_str!("specification.graphql");

pub fn specification() -> Vec<SpecifiedRule> {
    let mut blocks = TABLE.split("\n#= ").skip(1);
    let schema = blocks.next().and_then(|block| block.split_once('\n'));
    let schema = schema.map_or("", |(_, schema)| schema);
    blocks.filter_map(|block| rule(block, schema)).collect()
}

fn rule(block: &str, shared: &str) -> Option<SpecifiedRule> {
    let (head, text) = block.split_once('\n')?;
    let (head, id) = head.rsplit_once(" -> ")?;
    let (head, wants) = head.split_once(": ")?;
    let (section, title) = head.split_once(' ')?;
    let mut files = vec![SourceText::new("schema/schema.graphql", "")];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("#--- ") {
            Some(path) => files.push(SourceText::new(path.trim(), "")),
            None => files.last_mut()?.text.push_str(line),
        }
    }
    files.retain(|file| !file.is_blank());
    if !files.iter().any(|file| file.path.starts_with("schema/")) {
        files.push(SourceText::new("schema/schema.graphql", shared));
    }
    let (schema, documents) = files.into_iter().partition(|file| file.path.starts_with("schema/"));
    Some(SpecifiedRule {
        section: section.to_owned(),
        title: title.to_owned(),
        requirement: wants.to_owned(),
        code: *Code::all().iter().find(|code| code.id == id)?,
        schema,
        documents,
    })
}
