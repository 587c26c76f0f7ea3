//! The program `cargo-traitql`: what cargo runs for `cargo traitql`.

fn main() -> std::process::ExitCode {
    traitql_cli::main()
}
