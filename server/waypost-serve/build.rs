//! Makes sure that the folder of the built client is there: rust-embed reads it, and the server must build before the client does.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

use std::{fs, io, path::Path};

const CLIENT: &str = "../../client/dist";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let client = Path::new(CLIENT);
    fs::create_dir_all(client)?;
    // Release builds embed the files; other builds read them from the folder whenever they are asked for.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        watch(client)?;
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
