pub(crate) mod content;
pub(crate) mod release;
pub(crate) mod tours;

use std::{
    fmt,
    io::{self, Write as _},
    process::ExitCode,
};

use cynic::QueryBuilder;
use waypost_api_client::{Client, Failure, operations};

use crate::arguments::ServerArgs;

const TOKEN_HELP: &str = "Create one under Members, Access tokens, and set WAYPOST_TOKEN or --token to it.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Success = 0,
    /// A local failure, or problems found by `doctor`.
    Failure = 1,
    /// Invalid arguments, settings or files. clap uses the same code.
    Usage = 2,
    /// The server could not be reached.
    Network = 3,
    /// The response did not come from a Waypost server of this version.
    Protocol = 4,
    /// The server responded with GraphQL errors.
    Graphql = 5,
    /// Files and server differ, and the command does not resolve the difference or would overwrite changes.
    Different = 6,
    /// Everything was saved, but a tour has problems that prevent its release.
    Unfinished = 7,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[derive(Debug)]
pub(crate) enum Problem {
    /// Invalid arguments or files, or a name that does not exist on the server.
    Usage(String),
    Local(String),
    Server(Failure),
}

impl Problem {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Local(_) => Exit::Failure,
            Self::Server(Failure::Network(_)) => Exit::Network,
            Self::Server(Failure::Protocol { .. }) => Exit::Protocol,
            Self::Server(Failure::Graphql { .. }) => Exit::Graphql,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Local(message) => f.write_str(message),
            Self::Server(Failure::Graphql { status: 401, .. }) => {
                write!(
                    f,
                    "The server did not accept the access token: it is invalid, revoked or expired. {TOKEN_HELP}"
                )
            }
            Self::Server(failure) => failure.fmt(f),
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Server(failure)
    }
}

fn report(outcome: Result<String, Problem>) -> Exit {
    report_with(outcome.map(|text| (text, Exit::Success)))
}

/// Prints the output of a command.
pub(crate) fn print(text: &str) {
    // A reader such as `head` closes the pipe when it has enough.
    let _ = writeln!(io::stdout(), "{text}");
}

fn report_with(outcome: Result<(String, Exit), Problem>) -> Exit {
    match outcome {
        Ok((text, exit)) => {
            if !text.is_empty() {
                print(text.trim_end());
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
    let token = arguments.token.clone();
    let token = token.filter(|token| !token.is_empty());
    let token = token.ok_or_else(|| Problem::Usage(format!("The access token is missing. {TOKEN_HELP}")))?;
    Client::new(&arguments.server, Some(token), waypost_api::MANIFEST).map_err(Problem::Usage)
}

async fn workspace(client: &Client, slug: &str) -> Result<operations::Workspace, Problem> {
    let variables = operations::WorkspaceHomeVariables { slug: slug.to_owned() };
    let data = client.run(operations::WorkspaceHome::build(variables)).await?;
    data.workspace.ok_or_else(|| {
        Problem::Usage(format!(
            "The workspace `{slug}` does not exist, or you are not a member of it."
        ))
    })
}
