use std::path::Path;

use crate::config;
use crate::deprecated;
use crate::generate;
use crate::output::{CommandOutput, Failure, Problem};
use crate::project::{self, Difference};

pub(crate) fn run(config: &Path) -> Result<CommandOutput, Failure> {
    let settings = config::read(config)?;
    let generated = generate::build(&settings)?;
    let differences = project::differences(&settings, &generated.files)?;
    if differences.is_empty() {
        let line = format!("{} generated files are up to date", generated.files.len());
        let mut output = CommandOutput::of(vec![line]);
        deprecated::add_warnings(&generated.model, &mut output);
        return Ok(output);
    }
    let problems = differences
        .iter()
        .map(|(path, difference)| {
            let expected = generated
                .files
                .iter()
                .find(|file| file.path == *path)
                .map_or("", |file| &file.contents);
            let (line, message) = describe(path, difference, expected);
            Problem {
                file: Some(path.clone()),
                position: line.map(|line| (line, 1)),
                message,
                help: Some("run `cargo traitql generate` and commit the result".to_owned()),
            }
        })
        .collect();
    Err(Failure::Problems(problems))
}

fn describe(path: &str, difference: &Difference, expected: &str) -> (Option<usize>, String) {
    match difference {
        Difference::Missing => (None, format!("{path} is missing")),
        Difference::Obsolete => (None, format!("{path} is obsolete: it is not generated any more")),
        Difference::Stale(found) => {
            let (number, found, expected) = first_difference(found, expected);
            let text = format!("{path} is stale: line {number} is\n    {found}\n  but should be\n    {expected}");
            (Some(number), text)
        }
    }
}

fn first_difference<'t>(found: &'t str, expected: &'t str) -> (usize, &'t str, &'t str) {
    let (mut found, mut expected) = (found.lines(), expected.lines());
    let mut number = 1;
    loop {
        match (found.next(), expected.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            // The texts differ only in line endings.
            (None, None) => return (number, "(other line endings)", "(other line endings)"),
            (a, b) => {
                return (number, a.unwrap_or("(end of file)"), b.unwrap_or("(end of file)"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_difference_returns_the_first_line_that_differs() {
        assert_eq!(first_difference("a\nb\nc\n", "a\nx\nc\n"), (2, "b", "x"));
        assert_eq!(first_difference("a\n", "a\nb\n"), (2, "(end of file)", "b"));
    }
}
