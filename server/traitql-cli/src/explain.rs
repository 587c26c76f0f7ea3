//! `traitql explain T012`: what a kind of problem means, without a network; `traitql explain @auth`: what a directive does.
//! Without a name it lists all of both.

use traitql_schema::{Code, Directive, directives};

use crate::output::{self, Failure};

pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    if names.is_empty() {
        Code::all().iter().for_each(|code| output::line(&code.to_string()));
        directives()
            .iter()
            .for_each(|directive| output::line(&directive.usage()));
        return Ok(());
    }
    // `explain T012 access_missing`, as messages print it, names one kind and not two.
    if let Ok(code) = Code::named(&names.join(" ")) {
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
    match name.starts_with('@') {
        true => Directive::named(name).map(|directive| directive.to_string()),
        false => Code::named(name).map(|code| code.explanation().to_string()),
    }
}
