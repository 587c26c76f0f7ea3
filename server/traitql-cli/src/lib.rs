//! The `traitql` command: reads `codegen.yml`, the schema and the operations, and writes what is generated from them.
//!
//! This crate is the only one of the toolchain that touches files, terminals and other processes; what is right and what
//! is generated is decided in `traitql-schema` and `traitql-codegen`. It changes no file that people write; `scaffold` appends
//! to one where it is told to.

mod check;
mod config;
mod diff;
mod explain;
mod fit;
mod format;
mod generate;
mod git;
mod glob;
mod new;
mod output;
mod patterns;
mod previous;
mod project;
mod released;
mod report;
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
use new::direct::Direct;
use output::{Answer, Failure};
use released::Which;

/// From one GraphQL schema to Rust.
#[derive(Parser)]
#[command(name = "traitql", bin_name = "cargo traitql", version, about)]
struct Arguments {
    /// The configuration, for both languages.
    #[arg(long, global = true, default_value = "codegen.yml", value_name = "FILE")]
    config: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Subcommand)]
enum Command {
    /// Writes the generated files that differ, and says what the change means.
    ///
    /// To be run after every change of the schema, the operations or codegen.yml. Nothing is written while anything is wrong.
    Generate {
        #[command(flatten)]
        direct: Direct,
        #[command(flatten)]
        shape: Shape,
    },
    /// Makes a project in a fresh folder from nothing but a schema.
    ///
    /// The project compiles, serves sample values with GraphiQL, and has a test. The schema is copied into it.
    New(new::Wish),
    /// Changes nothing; fails when a generated file is stale.
    ///
    /// For tests and for servers that build what is committed. Also fails when the schema breaks a released document.
    Check {
        #[command(flatten)]
        shape: Shape,
    },
    /// Generates for both languages whenever a file is saved, and keeps the last good state while something is wrong.
    ///
    /// For the time while you edit.
    Watch,
    /// Says what the change since a revision means: breaking, dangerous or safe.
    ///
    /// For reviews: names the operations that a change touches, and the resolvers that are missing or left over. Reads the
    /// revision through git and leaves the work tree alone. Fails only for what `--deny` names.
    Diff {
        /// A branch, a tag or a commit.
        #[arg(default_value = "HEAD")]
        revision: String,
        /// Fail when there are such changes, or graver ones.
        #[arg(long, value_enum, value_name = "WEIGHT")]
        deny: Option<Deny>,
        #[command(flatten)]
        shape: Shape,
    },
    /// Writes the missing resolvers of a type, as `impl`s to fill in.
    ///
    /// Prints them, or appends them to a file of yours. What is in the file stays as it is to the byte; imports that it lacks
    /// come with the new text. Each body is `todo!`, which compiles and panics when it is called.
    Scaffold {
        /// A type (`Tour`) or one field of it (`Tour.draft`); everything that is missing when left out.
        what: Option<String>,
        /// The file to append to; it is made when it is not there.
        #[arg(long, value_name = "FILE")]
        into: Option<String>,
        /// The type that resolves. By default the one that most resolvers are written for, or `App`.
        #[arg(long = "for", value_name = "TYPE")]
        for_type: Option<String>,
        #[command(flatten)]
        shape: Shape,
    },
    /// Prints what each operation costs and who may call it: cost, depth, resolver calls, bytes, roles, rates, hash.
    ///
    /// The number of calls is that of one execution, however many rows there are: `4` is always four, `≤ 4` at most four.
    /// With a revision, prints what of that changed since.
    Report {
        /// A branch, a tag or a commit to compare with.
        revision: Option<String>,
        #[command(flatten)]
        shape: Shape,
    },
    /// Keeps the present documents for clients that are built with them now.
    ///
    /// To be run when clients go out that are not replaced together with the server: apps in stores, pages that stay open,
    /// other teams. The server answers these documents from then on, even when an operation changes or goes, and `check` and
    /// `generate` refuse a schema that breaks one. The release stands in the manifest; commit it.
    Release {
        /// Name of the release; the date of today by default.
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        shape: Shape,
    },
    /// Gives up releases whose clients nobody uses any more.
    Retire {
        /// Names of releases.
        #[arg(required_unless_present = "before")]
        names: Vec<String>,
        /// All releases that are older than this one.
        #[arg(long, value_name = "NAME", conflicts_with = "names")]
        before: Option<String>,
        #[command(flatten)]
        shape: Shape,
    },
    /// Says at length what a kind of problem means: `explain T012` or `explain access_missing`. Lists all without a name.
    Explain {
        /// Codes or names of kinds of problems.
        names: Vec<String>,
    },
    /// Prints what codegen.yml may hold, as a JSON schema for editors.
    ConfigSchema {
        /// As a page in Markdown instead.
        #[arg(long)]
        page: bool,
    },
}

/// For whom the answer is.
#[derive(Debug, Clone, Copy, Args)]
struct Shape {
    /// The shape of the answer; that of `json` is described by `output.schema.json`.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command with the arguments of this process. Both programs are this function: `traitql`, and `cargo-traitql`, which
/// cargo calls for `cargo traitql` and gives the word `traitql` first.
pub fn main() -> ExitCode {
    let mut words = std::env::args_os();
    let program = words.next();
    let words = words.enumerate().filter(|(at, word)| *at > 0 || word != "traitql");
    let arguments = Arguments::parse_from(program.into_iter().chain(words.map(|(_, word)| word)));
    match run(&arguments) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Whether the command ends well.
fn run(arguments: &Arguments) -> bool {
    let config = &arguments.config;
    let print = |name: &str, shape: &Shape, outcome: &Result<Answer, Failure>| {
        let root = config.parent().unwrap_or(Path::new(""));
        format::print(name, shape.format, root, outcome)
    };
    let plainly = |outcome: &Result<(), Failure>| outcome.as_ref().map_err(output::failure).is_ok();
    match &arguments.command {
        Command::Generate { direct, shape } => {
            let outcome = generate::run(config, direct);
            let good = print("generate", shape, &outcome);
            untouched(outcome.err());
            good
        }
        Command::Check { shape } => print("check", shape, &check::run(config)),
        Command::New(wish) => {
            let outcome = new::run(wish);
            let good = plainly(&outcome);
            untouched(outcome.err());
            good
        }
        Command::Watch => plainly(&watch::run(config)),
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
        Command::Report { revision, shape } => print("report", shape, &report::run(config, revision.as_deref())),
        Command::Release { name, shape } => print("release", shape, &released::release(config, name.as_deref())),
        Command::Retire { names, before, shape } => {
            let which = match before {
                Some(before) => Which::Before(before),
                None => Which::Named(names),
            };
            print("retire", shape, &released::retire(config, which))
        }
        Command::Explain { names } => plainly(&explain::run(names)),
        Command::ConfigSchema { page } => {
            let text = if *page {
                config::editors::page()
            } else {
                config::editors::schema()
            };
            output::line(text.trim_end());
            true
        }
    }
}

/// Says so where a failure left everything as it was.
fn untouched(failure: Option<Failure>) {
    if failure.is_some_and(|failure| !matches!(failure, Failure::Begun(_))) {
        output::problem("nothing was written");
    }
}
