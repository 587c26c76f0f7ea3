//! `traitql explain T012`: what a kind of problem means, without a network. Without a name it lists all kinds.

use traitql_schema::Code;

use crate::output::{self, Failure};

pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    if names.is_empty() {
        Code::all().iter().for_each(|code| output::line(&code.to_string()));
        return Ok(());
    }
    // `explain T012 access_missing`, as messages print it, names one kind and not two.
    let together = Code::named(&names.join(" ")).map(|code| vec![code]);
    let codes = match together {
        Ok(codes) => codes,
        Err(problem) if names.len() == 1 => return Err(Failure::message(problem)),
        Err(_) => names
            .iter()
            .map(|name| Code::named(name).map_err(Failure::message))
            .collect::<Result<_, _>>()?,
    };
    let texts: Vec<String> = codes.iter().map(|code| code.explanation().to_string()).collect();
    output::line(texts.join("\n").trim_end());
    Ok(())
}
