//! Creates the folder of the built client, which rust-embed requires, and writes the licenses of the crates in the
//! binary.

#![allow(clippy::print_stdout, reason = "build scripts communicate with cargo through stdout")]

#[path = "build/licenses.rs"]
mod licenses;

use std::{env, fs, io, path::Path};

const CLIENT: &str = "../../../client/dist";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build/licenses.rs");
    println!("cargo::rerun-if-changed=../../../Cargo.lock");
    let variable = |name: &str| env::var(name).map_err(io::Error::other);
    let notices = licenses::crate_notices(&variable("CARGO")?)?;
    fs::write(Path::new(&variable("OUT_DIR")?).join("licenses.txt"), notices)?;
    let client = Path::new(CLIENT);
    fs::create_dir_all(client)?;
    // Release builds embed the files; other builds read them from the folder for each request.
    if env::var("PROFILE").as_deref() == Ok("release") {
        rerun_if_changed(client)?;
    }
    Ok(())
}

/// cargo compares only the time stamp of the folder.
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
