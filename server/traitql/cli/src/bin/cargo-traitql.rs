//! The program `cargo-traitql`, which cargo runs for `cargo traitql`.

fn main() -> std::process::ExitCode {
    traitql_cli::main()
}
