//! `traitql explain` works offline.

use traitql_schema::{Code, DirectiveReference, directive_references};

use crate::output::{self, Failure};

pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    if names.is_empty() {
        Code::all().iter().for_each(|code| output::line(&code.to_string()));
        directive_references()
            .iter()
            .for_each(|directive| output::line(&directive.usage()));
        return Ok(());
    }
    // Printed diagnostics are two arguments.
    if let Ok(code) = Code::from_name(&names.join(" ")) {
        output::line(code.explanation().to_string().trim_end());
        return Ok(());
    }
    let texts = names
        .iter()
        .map(|name| explanation(name))
        .collect::<Result<Vec<_>, _>>();
    let texts = texts.map_err(Failure::message)?;
    output::line(texts.join("\n").trim_end());
    Ok(())
}

fn explanation(name: &str) -> Result<String, String> {
    if name.starts_with('@') {
        DirectiveReference::from_name(name).map(|directive| directive.to_string())
    } else {
        Code::from_name(name).map(|code| code.explanation().to_string())
    }
}
