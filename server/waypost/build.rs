//! Registers the schema with cynic, whose derive macros check the documents of the API tests against it.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

/// The schema as one text: cynic knows no `extend type`, which the files in `schema/` are made of.
const SCHEMA: &str = "../waypost-api/src/generated/schema.graphql";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    cynic_codegen::register_schema("waypost")
        .from_sdl_file(SCHEMA)?
        .as_default()?;
    Ok(())
}
