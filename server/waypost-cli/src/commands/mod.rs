//! Small commands that speak to a server.

pub mod content;
pub mod release;
pub mod tours;

use std::{fmt, process::ExitCode};

use cynic::QueryBuilder;
use waypost_client::{Client, Failure, operations};

use crate::arguments::ServerArgs;

/// How a command ended, for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It did what it was asked.
    Success = 0,
    /// Something failed on this side.
    Failure = 1,
    /// It was asked for something impossible, or with wrong settings. clap ends with the same code.
    Usage = 2,
    /// The server could not be reached.
    Network = 3,
    /// Something answered that is no Waypost server of this version.
    Protocol = 4,
    /// The server answered with errors.
    Graphql = 5,
    /// Files and server differ, and nothing was asked to change that, or it would lose something.
    Different = 6,
    /// Everything was saved, and something keeps a tour from being released.
    Unfinished = 7,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Problem {
    /// What it was asked for is not there.
    Asked(String),
    /// Something failed on this side.
    Here(String),
    /// The server did not answer as it should.
    Server(Failure),
}

impl Problem {
    fn exit(&self) -> Exit {
        match self {
            Self::Asked(_) => Exit::Usage,
            Self::Here(_) => Exit::Failure,
            Self::Server(Failure::Network(_)) => Exit::Network,
            Self::Server(Failure::Protocol { .. }) => Exit::Protocol,
            Self::Server(Failure::Graphql { .. }) => Exit::Graphql,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked(sentence) | Self::Here(sentence) => f.write_str(sentence),
            Self::Server(failure) => failure.fmt(f),
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Server(failure)
    }
}

/// Prints the outcome: results to standard output, problems to standard error.
fn report(outcome: Result<String, Problem>) -> Exit {
    report_with(outcome.map(|text| (text, Exit::Success)))
}

/// The same for a command that tells more by its exit code than whether it did its work.
#[allow(clippy::print_stdout, reason = "this is what the commands are for")]
fn report_with(outcome: Result<(String, Exit), Problem>) -> Exit {
    match outcome {
        Ok((text, exit)) => {
            if !text.is_empty() {
                println!("{}", text.trim_end());
            }
            exit
        }
        Err(problem) => {
            eprintln!("{problem}");
            problem.exit()
        }
    }
}

fn client(arguments: &ServerArgs) -> Result<Client, Problem> {
    Client::new(&arguments.server, Some(arguments.token.clone()), waypost_api::MANIFEST).map_err(Problem::Asked)
}

async fn workspace(client: &Client, slug: &str) -> Result<operations::Workspace, Problem> {
    let variables = operations::WorkspaceHomeVariables { slug: slug.to_owned() };
    let answer = client.run(operations::WorkspaceHome::build(variables)).await?;
    answer.workspace.ok_or_else(|| {
        Problem::Asked(format!(
            "There is no workspace `{slug}`, or you are not a member of it."
        ))
    })
}
