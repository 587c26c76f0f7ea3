//! The `traitql` command: reads `codegen.yml`, the schema and the operations, and writes what is generated from them.
//!
//! This crate is the only one of the toolchain that touches files, terminals and other processes; what is right and what
//! is generated is decided in `traitql-schema` and `traitql-codegen`. It changes no file that people write.

mod check;
mod config;
mod explain;
mod fit;
mod generate;
mod glob;
mod output;
mod previous;
mod project;
mod typescript;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Generate,
    /// Changes nothing; fails when a generated file is stale.
    Check,
    /// Generates for both languages whenever a file is saved, and keeps the last good state while something is wrong.
    Watch,
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

/// Runs the command with the arguments of this process. Both programs are this function: `traitql`, and `cargo-traitql`, which
/// cargo calls for `cargo traitql` and gives the word `traitql` first.
pub fn main() -> ExitCode {
    let mut words = std::env::args_os();
    let program = words.next();
    let words = words.enumerate().filter(|(at, word)| *at > 0 || word != "traitql");
    let arguments = Arguments::parse_from(program.into_iter().chain(words.map(|(_, word)| word)));
    let outcome = match &arguments.command {
        Command::Generate => generate::run(&arguments.config),
        Command::Check => check::run(&arguments.config),
        Command::Watch => watch::run(&arguments.config),
        Command::Explain { names } => explain::run(names),
        Command::ConfigSchema { page } => {
            let text = if *page {
                config::editors::page()
            } else {
                config::editors::schema()
            };
            output::line(text.trim_end());
            Ok(())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::failure(&failure);
            if matches!(arguments.command, Command::Generate) {
                output::problem("nothing was written");
            }
            ExitCode::FAILURE
        }
    }
}
