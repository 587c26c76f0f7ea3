//! Registers the schema with cynic, whose derive macros check the documents of the API tests against it, and makes sure that
//! the folder of the built client is there: rust-embed reads it, and the server must build before the client does.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

use std::{fs, io, path::Path};

/// The schema as one text: cynic knows no `extend type`, which the files in `schema/` are made of.
const SCHEMA: &str = "../waypost-api/src/generated/schema.graphql";
const CLIENT: &str = "../../client/dist";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    cynic_codegen::register_schema("waypost")
        .from_sdl_file(SCHEMA)?
        .as_default()?;

    fs::create_dir_all(CLIENT)?;
    // Release builds embed the files; other builds read them from the folder whenever they are asked for.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        watch(Path::new(CLIENT))?;
    } else {
        println!("cargo::rerun-if-changed={CLIENT}/index.html");
    }
    Ok(())
}

/// Cargo looks at a folder's own time stamp only, so each folder below is named too.
fn watch(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            watch(&entry.path())?;
        }
    }
    Ok(())
}
