pub(crate) mod backup;
pub(crate) mod content;
pub(crate) mod demo;
pub(crate) mod healthcheck;
pub(crate) mod release;
pub(crate) mod tours;
pub(crate) mod transfer;

use std::{
    borrow::Cow,
    fmt,
    io::{self, Write as _},
    process::ExitCode,
};

use cynic::QueryBuilder;
use waypost_api_client::{
    Client, Failure,
    generated::{WorkspaceHome, WorkspaceHomeVariables, workspace_home::Workspace},
};

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
    let _ = writeln!(io::stdout(), "{}", printable(text));
}

/// Escapes characters that a terminal executes or that change the order of the others, because texts of the server have
/// other authors. The escapes are those of JSON.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        if is_unsafe(char) {
            escaped.push_str(&format!("\\u{:04x}", u32::from(char)));
        } else {
            escaped.push(char);
        }
    }
    Cow::Owned(escaped)
}

fn is_unsafe(char: char) -> bool {
    let is_layout = matches!(char, '\n' | '\t');
    char.is_control() && !is_layout || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
            eprintln!("{}", printable(&problem.to_string()));
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

async fn workspace(client: &Client, slug: &str) -> Result<Workspace, Problem> {
    let variables = WorkspaceHomeVariables { slug: slug.to_owned() };
    let data = client.run(WorkspaceHome::build(variables)).await?;
    data.workspace.ok_or_else(|| {
        Problem::Usage(format!(
            "The workspace `{slug}` does not exist, or you are not a member of it."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_server_cannot_control_the_terminal() {
        let hostile = "A \u{1b}[31mRED\u{1b}]0;owned\u{7} \u{9b}2J \u{202e}txt.exe\r\u{2066}\u{7f}";
        let printed = printable(hostile);
        assert_eq!(
            printed,
            r"A \u001b[31mRED\u001b]0;owned\u0007 \u009b2J \u202etxt.exe\u000d\u2066\u007f"
        );
        let json = printable("{\"title\":\"\u{9b}\"}").into_owned();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&json).ok(),
            Some(serde_json::json!({"title": "\u{9b}"}))
        );
        let plain = "Wélcome 👋\n\tשלום";
        assert!(matches!(printable(plain), Cow::Borrowed(text) if text == plain));
    }
}
