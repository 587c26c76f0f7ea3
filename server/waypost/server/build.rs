//! Creates the folder of the built client, which rust-embed requires even if the client is not built yet.

#![allow(clippy::print_stdout, reason = "build scripts communicate with cargo through stdout")]

use std::{fs, io, path::Path};

const CLIENT: &str = "../../../client/dist";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let client = Path::new(CLIENT);
    fs::create_dir_all(client)?;
    // Release builds embed the files; other builds read them from the folder for each request.
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        rerun_if_changed(client)?;
    }
    Ok(())
}

/// Watches a folder and its subfolders, because cargo compares only the time stamp of the folder itself.
fn rerun_if_changed(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            rerun_if_changed(&entry.path())?;
        }
    }
    Ok(())
}
