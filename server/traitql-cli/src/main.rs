//! The `traitql` command: reads `codegen.yml`, the schema and the operations, and writes what is generated from them.
//!
//! This crate is the only one of the toolchain that touches files, terminals and other processes; what is right and what
//! is generated is decided in `traitql-schema` and `traitql-codegen`.

mod config;
mod generate;
mod glob;
mod output;
mod project;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// From one GraphQL schema to Rust.
#[derive(Parser)]
#[command(name = "traitql", version, about)]
struct Arguments {
    /// The configuration, for both languages.
    #[arg(long, global = true, default_value = "codegen.yml")]
    config: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes the generated files that differ, and says what changed in meaning.
    Generate,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Command::Generate => generate::run(&arguments.config),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::failure(&failure);
            ExitCode::FAILURE
        }
    }
}
