//! `traitql check`: whether what is generated is what would be generated. Changes nothing; meant for tests and for servers
//! that build what is committed.

use std::path::Path;

use crate::config;
use crate::generate;
use crate::output::{Answer, Failure, Problem};
use crate::project::{self, Difference};

pub(crate) fn run(config: &Path) -> Result<Answer, Failure> {
    let settings = config::read(config)?;
    let generated = generate::build(&settings)?;
    let differences = project::differences(&settings, &generated.files)?;
    if differences.is_empty() {
        let line = format!("{} generated files are up to date", generated.files.len());
        return Ok(Answer::of(vec![line]));
    }
    let problems = differences
        .iter()
        .map(|(path, difference)| {
            let wanted = generated
                .files
                .iter()
                .find(|file| file.path == *path)
                .map_or("", |file| &file.contents);
            let (line, message) = describe(path, difference, wanted);
            Problem {
                file: Some(path.clone()),
                place: line.map(|line| (line, 1)),
                message,
                help: Some("run `cargo traitql generate` and commit what it writes".to_owned()),
            }
        })
        .collect();
    Err(Failure::Problems(problems))
}

/// What is wrong with a file, and the first line that is.
fn describe(path: &str, difference: &Difference, wanted: &str) -> (Option<usize>, String) {
    match difference {
        Difference::Missing => (None, format!("{path} is missing")),
        Difference::Left => (None, format!("{path} is there, and nothing generates it any more")),
        Difference::Stale(found) => {
            let (number, found, wanted) = first_difference(found, wanted);
            let text = format!("{path} is stale: line {number} is\n    {found}\n  and would be\n    {wanted}");
            (Some(number), text)
        }
    }
}

/// Number and both versions of the first line that differs.
fn first_difference<'t>(found: &'t str, wanted: &'t str) -> (usize, &'t str, &'t str) {
    let (mut found, mut wanted) = (found.lines(), wanted.lines());
    let mut number = 1;
    loop {
        match (found.next(), wanted.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            // Equal lines to the end: the texts differ in their line breaks.
            (None, None) => return (number, "(other line breaks)", "(other line breaks)"),
            (a, b) => {
                return (
                    number,
                    a.unwrap_or("(the end of the file)"),
                    b.unwrap_or("(the end of the file)"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_found() {
        assert_eq!(first_difference("a\nb\nc\n", "a\nx\nc\n"), (2, "b", "x"));
        assert_eq!(first_difference("a\n", "a\nb\n"), (2, "(the end of the file)", "b"));
    }
}
