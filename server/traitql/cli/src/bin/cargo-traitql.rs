fn main() -> std::process::ExitCode {
    traitql_cli::main()
}
