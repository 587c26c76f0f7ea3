#![allow(clippy::print_stdout, reason = "build scripts communicate with cargo through stdout")]

const SCHEMA: &str = "../api/src/generated/schema.graphql";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    cynic_codegen::register_schema("waypost")
        .from_sdl_file(SCHEMA)?
        .as_default()?;
    Ok(())
}
