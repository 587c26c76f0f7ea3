//! This is the only crate of the toolchain that accesses files, terminals and processes. It never changes handwritten
//! files, except that `scaffold --into` appends to one.

mod check;
mod config;
mod config_check;
mod cost;
mod deprecated;
mod diff;
mod explain;
mod files;
mod format;
mod freeze;
mod generate;
mod git;
mod glob;
mod new;
mod output;
mod patterns;
mod previous;
mod project;
mod releases;
mod resolvers;
mod scaffold;
mod state;
mod typescript;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use diff::Deny;
use format::Format;
use freeze::UnfreezeSelection;
use new::direct::DirectArgs;
use output::{CommandOutput, Failure};

/// Generates Rust and TypeScript from a GraphQL schema.
#[derive(Parser)]
#[command(name = "traitql", bin_name = "cargo traitql", version, about)]
struct Arguments {
    /// Configuration file.
    #[arg(long, global = true, default_value = "codegen.yml", value_name = "FILE")]
    config: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Subcommand)]
enum Command {
    /// Updates the generated files and reports the schema changes.
    ///
    /// Run this after each change of the schema, the operations or codegen.yml. If there is an error, nothing is
    /// written.
    Generate {
        #[command(flatten)]
        direct: DirectArgs,
        #[command(flatten)]
        shape: OutputArgs,
    },
    /// Creates a project from a schema.
    ///
    /// The project compiles, serves sample values with GraphiQL, and has a test. The schema is copied into the project.
    New(new::NewArgs),
    /// Fails if a generated file is stale, and writes nothing.
    ///
    /// Use this in tests and in CI. It also fails if the schema breaks a document of a release.
    Check {
        #[command(flatten)]
        shape: OutputArgs,
    },
    /// Generates Rust and TypeScript whenever a file is saved.
    ///
    /// While there are errors, the generated files keep their last valid state.
    Watch,
    /// Reports breaking, dangerous and safe changes since a revision.
    ///
    /// Also lists the operations that a change affects, and missing and orphaned resolvers. The revision is read
    /// through git, without a change of the work tree. The command fails only if `--deny` is set.
    Diff {
        /// Branch, tag or commit.
        #[arg(default_value = "HEAD")]
        revision: String,
        /// Fails if there are changes of this severity or higher.
        #[arg(long, value_enum, value_name = "WEIGHT")]
        deny: Option<Deny>,
        #[command(flatten)]
        shape: OutputArgs,
    },
    /// Generates stubs for the missing resolvers of a type.
    ///
    /// Prints them, or appends them to a file together with missing imports. The existing text of the file is not
    /// changed. Each body is `todo!`, which compiles, and panics when it is called.
    Scaffold {
        /// A type (`Tour`) or a field (`Tour.draft`). Default: all missing resolvers.
        what: Option<String>,
        /// File to append to. It is created if it does not exist.
        #[arg(long, value_name = "FILE")]
        into: Option<String>,
        /// Type that implements the resolvers. Default: the type with the most resolvers, or `App`.
        #[arg(long = "for", value_name = "TYPE")]
        for_type: Option<String>,
        #[command(flatten)]
        shape: OutputArgs,
    },
    /// Lists cost, depth, resolver calls, size, roles, rate limits and hash of each operation.
    ///
    /// The number of calls is that of one execution and does not depend on the number of rows: `4` is exactly four, `≤
    /// 4` at most four. With a revision, the command lists only the differences.
    Cost {
        /// Branch, tag or commit to compare with.
        revision: Option<String>,
        #[command(flatten)]
        shape: OutputArgs,
    },
    /// Keeps the current documents for clients that are built with them.
    ///
    /// Run this when you ship clients that are not updated together with the server: apps in stores, pages that stay
    /// open, clients of other teams. The server keeps accepting these documents when operations are changed or removed,
    /// and `check` and `generate` reject a schema that breaks one of them. The release is stored in the manifest, which
    /// must be committed.
    Freeze {
        /// Name of the release. Default: today's date.
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        shape: OutputArgs,
    },
    /// Removes releases whose clients are no longer in use.
    Unfreeze {
        /// Names of releases.
        #[arg(required_unless_present = "before")]
        names: Vec<String>,
        /// Unfreezes all releases that are older than this one.
        #[arg(long, value_name = "NAME", conflicts_with = "names")]
        before: Option<String>,
        #[command(flatten)]
        shape: OutputArgs,
    },
    /// Explains a diagnostic (`explain T012` or `explain access_missing`) or a directive. Lists all of them without a
    /// name.
    Explain {
        /// Codes or names of diagnostics, or directives.
        names: Vec<String>,
    },
    /// Prints the JSON schema of codegen.yml, for editors.
    ConfigSchema {
        /// Prints a Markdown page instead.
        #[arg(long)]
        page: bool,
    },
}

/// Options for the output.
#[derive(Debug, Clone, Copy, Args)]
struct OutputArgs {
    /// Output format. `output.schema.json` describes `json`.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command with the arguments of this process. It is the `main` of both programs: `traitql`, and
/// `cargo-traitql`, which cargo runs for `cargo traitql` with `traitql` as the first argument.
pub fn main() -> ExitCode {
    let mut args = std::env::args_os();
    let program = args.next();
    let args = args.enumerate().filter(|(index, arg)| *index > 0 || arg != "traitql");
    let arguments = Arguments::parse_from(program.into_iter().chain(args.map(|(_, arg)| arg)));
    if run(&arguments) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn run(arguments: &Arguments) -> bool {
    let config = &arguments.config;
    let print = |name: &str, shape: &OutputArgs, outcome: &Result<CommandOutput, Failure>| {
        let root = config.parent().unwrap_or(Path::new(""));
        format::print(name, shape.format, root, outcome)
    };
    let print_failure = |outcome: &Result<(), Failure>| outcome.as_ref().map_err(output::failure).is_ok();
    match &arguments.command {
        Command::Generate { direct, shape } => {
            let outcome = match direct.folder() {
                Some(folder) => new::direct::run(direct, folder),
                None => config::read(config).and_then(|settings| generate::update(&settings)),
            };
            let is_ok = print("generate", shape, &outcome);
            report_nothing_written(outcome.err());
            is_ok
        }
        Command::Check { shape } => print("check", shape, &check::run(config)),
        Command::New(args) => {
            let outcome = new::run(args);
            let is_ok = print_failure(&outcome);
            report_nothing_written(outcome.err());
            is_ok
        }
        Command::Watch => print_failure(&watch::run(config)),
        Command::Diff { revision, deny, shape } => print("diff", shape, &diff::run(config, revision, *deny)),
        Command::Scaffold {
            what,
            into,
            for_type,
            shape,
        } => {
            let request = scaffold::Request {
                what: what.as_deref(),
                into: into.as_deref(),
                for_type: for_type.as_deref(),
            };
            print("scaffold", shape, &scaffold::run(config, &request))
        }
        Command::Cost { revision, shape } => print("cost", shape, &cost::run(config, revision.as_deref())),
        Command::Freeze { name, shape } => print("freeze", shape, &freeze::freeze(config, name.as_deref())),
        Command::Unfreeze { names, before, shape } => {
            let selection = match before {
                Some(before) => UnfreezeSelection::Before(before),
                None => UnfreezeSelection::Named(names),
            };
            print("unfreeze", shape, &freeze::unfreeze(config, selection))
        }
        Command::Explain { names } => print_failure(&explain::run(names)),
        Command::ConfigSchema { page } => {
            let text = if *page {
                config::docs::page()
            } else {
                config::docs::schema()
            };
            output::line(text.trim_end());
            true
        }
    }
}

fn report_nothing_written(failure: Option<Failure>) {
    if failure.is_some_and(|failure| !matches!(failure, Failure::PartiallyWritten(_))) {
        output::problem("nothing was written");
    }
}
