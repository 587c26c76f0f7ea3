//! `traitql new`: a complete project from nothing but a schema. It compiles, serves sample values and has a test, so its
//! first minute is spent with answers and not with compiler errors; every file but those in `generated/` is the person's
//! from then on.
//!
//! The schema and the operations are copied into the project: in a schema-first project the schema is source code, and it
//! belongs to the repository that implements it. Who wants to keep it elsewhere says so in the project's codegen.yml.

mod adopt;
pub(crate) mod direct;
mod files;
mod first;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::config;
use crate::generate;
use crate::output::{self, Failure};

use adopt::adopt;
use files::{Project, Runtime, package_name};

/// What somebody asked for.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Wish {
    /// Folder of the new project. It must not exist, or be empty.
    folder: PathBuf,
    /// Files of the schema: patterns, GraphQL or the JSON answer of an introspection query.
    #[arg(long, required = true, num_args = 1.., value_name = "FILES")]
    schema: Vec<String>,
    /// Files of operations that clients ask.
    #[arg(long, num_args = 1.., value_name = "FILES")]
    operations: Vec<String>,
    /// Folder of the crate `traitql`, to use instead of the published one.
    #[arg(long, env = "TRAITQL_RUNTIME", value_name = "FOLDER")]
    runtime: Option<PathBuf>,
}

pub(crate) fn run(wish: &Wish) -> Result<(), Failure> {
    let folder = &wish.folder;
    refuse_what_is_there(folder)?;
    let adopted = adopt(&wish.schema, &wish.operations)?;
    let runtime = Runtime::of(wish.runtime.as_deref(), folder)?;
    let name = package_name(folder)?;
    let project = files::project(&name, &runtime, adopted)?;
    begin(folder, &project)?;

    let shown = folder.display();
    output::line(&format!(
        "{shown}: {}, answered with sample values until you write their resolvers",
        output::count(project.resolvers, "field")
    ));
    if !project.defined.is_empty() {
        let names: Vec<String> = project.defined.iter().map(|name| format!("@{name}")).collect();
        output::line(&format!(
            "{} defines what the schema uses of traitql's directives: {}",
            adopt::DEFINED,
            names.join(", ")
        ));
    }
    if !project.allowed.is_empty() {
        output::line(&format!(
            "codegen.yml permits what this schema does against traitql's conventions: {}",
            project.allowed.join(", ")
        ));
    }
    for consequence in consequences(&project.allowed) {
        output::line(&format!("  - {consequence}"));
    }
    if !project.renamed.is_empty() {
        output::line(&format!(
            "codegen.yml keeps apart what would be called the same in Rust: {}",
            renamed(&project.renamed)
        ));
    }
    output::line(&format!(
        "\n    cd {}\n    cargo run        # http://localhost:4000\n    cargo test\n\nREADME.md says how to write the first resolver.",
        quoted(&shown.to_string())
    ));
    Ok(())
}

/// A path as a shell reads it.
fn quoted(path: &str) -> String {
    match path.contains(char::is_whitespace) {
        true => format!("{path:?}"),
        false => path.to_owned(),
    }
}

/// `User.user_name` is `user_name_2`
fn renamed(names: &[(String, String)]) -> String {
    let names: Vec<String> = names
        .iter()
        .map(|(coordinate, name)| format!("`{coordinate}` is `{name}`"))
        .collect();
    names.join(", ")
}

/// What is open or without effect because of conventions that were given up. A name in a list does not tell it.
fn consequences<'a>(allowed: &'a [&str]) -> impl Iterator<Item = &'static str> + use<'a> {
    let known = [
        (
            "access_missing",
            "a field of a root type that has neither `@auth` nor `@public` is open to everybody",
        ),
        (
            "definition_differs",
            "a directive that this schema defines otherwise than traitql does is not enforced: what it asks for is up to your resolvers",
        ),
    ];
    known
        .into_iter()
        .filter(|(name, _)| allowed.contains(name))
        .map(|(_, text)| text)
}

/// Refuses a folder that holds anything but a repository of git.
fn refuse_what_is_there(folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::message(format!("cannot make a project in {shown}: {error}"))),
    };
    let there = entries.flatten().find(|entry| entry.file_name() != ".git");
    match there {
        None => Ok(()),
        Some(entry) => Err(Failure::message(format!(
            "{shown} is not empty: it holds `{}`. A new project needs a folder of its own",
            entry.file_name().to_string_lossy()
        ))),
    }
}

/// Writes the project aside, into a folder within its own, and moves it to its place when it is complete: what fails before, on a
/// disk that is full for one, leaves nothing behind.
fn begin(folder: &Path, project: &Project) -> Result<(), Failure> {
    let is_new = !folder.exists();
    let aside = folder.join(format!(".traitql-new-{}", std::process::id()));
    let outcome = write(&aside, project).and_then(|()| settle(&aside, folder));
    let _ = fs::remove_dir_all(&aside);
    if outcome.is_err() && is_new {
        // Only an empty folder can be removed in this way.
        let _ = fs::remove_dir(folder);
    }
    outcome
}

fn write(aside: &Path, project: &Project) -> Result<(), Failure> {
    for (path, text) in &project.files {
        let path = aside.join(path);
        let written = fs::create_dir_all(path.parent().unwrap_or(aside)).and_then(|()| fs::write(&path, text));
        written.map_err(|error| Failure::message(format!("cannot write {}: {error}", path.display())))?;
    }
    generate::update(&config::read(&aside.join("codegen.yml"))?)?;
    Ok(())
}

/// Moves everything that is in one folder to another.
fn settle(aside: &Path, folder: &Path) -> Result<(), Failure> {
    let told = |error: io::Error| {
        let shown = folder.display();
        Failure::Begun(format!(
            "cannot complete the project in {shown}: {error}; remove what is in it before you try again"
        ))
    };
    for entry in fs::read_dir(aside).map_err(told)? {
        let entry = entry.map_err(told)?;
        fs::rename(entry.path(), folder.join(entry.file_name())).map_err(told)?;
    }
    Ok(())
}
