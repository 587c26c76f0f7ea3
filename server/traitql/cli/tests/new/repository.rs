use std::{path::Path, process::Command};

#[test]
fn the_example_is_up_to_date() {
    check_generated("examples/bookshelf/codegen.yml");
}

#[test]
fn the_generated_code_of_the_benchmarks_is_up_to_date() {
    check_generated("bench/codegen.yml");
    check_generated("bench/codegen.shared.yml");
}

fn check_generated(configuration: &str) {
    let configuration = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(configuration);
    let output = Command::new(env!("CARGO_BIN_EXE_traitql"))
        .arg(match std::env::var_os("TRAITQL_BLESS") {
            Some(_) => "generate",
            None => "check",
        })
        .arg("--config")
        .arg(&configuration)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{stderr}\nRun TRAITQL_BLESS=1 cargo test -p traitql-cli --test new"
    );
}
