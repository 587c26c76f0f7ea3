//! Creates a project that works before the first resolver is written. Then the user owns all files except
//! `generated/`, including the copies of schema and operations.

mod adopt;
pub(crate) mod direct;
mod files;
mod first_operation;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::config;
use crate::generate;
use crate::output::{self, Failure};

use adopt::{UndeclaredAccess, adopt};
use files::{Project, Runtime, package_name};

/// Arguments of the command.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct NewArgs {
    /// Folder of the new project. It must not exist or must be empty.
    folder: PathBuf,
    /// Patterns of schema files: GraphQL, or the JSON response of an introspection query.
    #[arg(long, required = true, num_args = 1.., value_name = "FILES")]
    schema: Vec<String>,
    /// Patterns of operation files.
    #[arg(long, num_args = 1.., value_name = "FILES")]
    operations: Vec<String>,
    /// Makes every root field public if the schema declares no access at all, neither `@auth` nor `@public`. Without
    /// this option, such a schema is rejected.
    #[arg(long)]
    public: bool,
    /// Folder of a local `traitql` crate. Default: the crate next to the source of this command if it was built in a
    /// checkout, otherwise the published one.
    #[arg(long, value_name = "FOLDER")]
    runtime: Option<PathBuf>,
}

pub(crate) fn run(args: &NewArgs) -> Result<(), Failure> {
    let folder = &args.folder;
    check_folder_is_empty(folder)?;
    let adopted = adopt(&args.schema, &args.operations, UndeclaredAccess::of_flag(args.public))?;
    let runtime = Runtime::of(args.runtime.as_deref(), folder)?;
    let name = package_name(folder)?;
    let project = files::project(&name, &runtime, adopted)?;
    create(folder, &project)?;

    let shown = folder.display();
    output::line(&format!(
        "{shown}: {} with sample values, until you write their resolvers",
        output::count(project.resolvers, "field")
    ));
    if !project.defined.is_empty() {
        let names: Vec<String> = project.defined.iter().map(|name| format!("@{name}")).collect();
        output::line(&format!(
            "{} defines the directives of traitql that the schema uses: {}",
            adopt::DEFINED,
            names.join(", ")
        ));
    }
    if !project.allowed.is_empty() {
        output::line(&format!(
            "codegen.yml allows the conventions that this schema violates: {}",
            project.allowed.join(", ")
        ));
    }
    for consequence in consequences(&project.allowed) {
        output::line(&format!("  - {consequence}"));
    }
    scalar_lines(&project.scalars)
        .iter()
        .for_each(|line| output::line(line));
    if !project.renamed.is_empty() {
        output::line(&format!(
            "codegen.yml renames definitions whose Rust names would collide: {}",
            renamed(&project.renamed)
        ));
    }
    if let (None, Runtime::Folder(path)) = (&args.runtime, &runtime) {
        output::line(&format!(
            "Cargo.toml uses the runtime in {path}, because this command was built in a checkout"
        ));
    }
    output::line(&format!(
        "\n    cd {}\n    cargo run        # http://localhost:4000\n    cargo test\n\nREADME.md describes how to write the first resolver.",
        quoted(&shown.to_string())
    ));
    Ok(())
}

/// The types may accept other values than those of the schema's author.
fn scalar_lines(scalars: &[(String, &'static str)]) -> Vec<String> {
    let kinds = [
        ("traitql::Json", "accepts any value"),
        ("traitql::Url", "accepts only http and https URLs"),
    ];
    let mut lines = Vec::new();
    for (ty, accepts) in kinds {
        let names = scalars
            .iter()
            .filter(|(_, rust)| *rust == ty)
            .map(|(name, _)| format!("`{name}`"));
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            lines.push(format!("  - `{ty}` {accepts}: {}", first_of(&names)));
        }
    }
    if scalars.iter().any(|(name, _)| name == "Upload") {
        let line = "  - traitql does not support file uploads, so requests cannot contain files for `Upload`";
        lines.push(line.to_owned());
    }
    if !lines.is_empty() {
        let line = "codegen.yml maps scalars to Rust types; change them in `traitql.scalars`:";
        lines.insert(0, line.to_owned());
    }
    lines
}

fn quoted(path: &str) -> String {
    if path.contains(char::is_whitespace) {
        format!("{path:?}")
    } else {
        path.to_owned()
    }
}

/// Formats renames as `` `User.user_name` is `user_name_2` ``.
fn renamed(names: &[(String, String)]) -> String {
    let names: Vec<String> = names
        .iter()
        .map(|(coordinate, name)| format!("`{coordinate}` is `{name}`"))
        .collect();
    first_of(&names)
}

const MAX_NAMES: usize = 10;

/// Lists the first ones. A large schema has hundreds, which are in the configuration.
fn first_of(names: &[String]) -> String {
    match names.len().checked_sub(MAX_NAMES) {
        Some(more @ 1..) => format!("{} and {more} more", names[..MAX_NAMES].join(", ")),
        _ => names.join(", "),
    }
}

/// The names of disabled conventions do not reveal their effects on security.
fn consequences<'a>(allowed: &'a [&str]) -> impl Iterator<Item = &'static str> + use<'a> {
    let known = [
        (
            "access_missing",
            "every root field is public: everyone can call it without signing in",
        ),
        (
            "access_foreign",
            "access checks by directives of other tools are absent: your resolvers must implement them",
        ),
        (
            "definition_differs",
            "directives that this schema defines differently than traitql are not enforced: your resolvers must implement them",
        ),
    ];
    known
        .into_iter()
        .filter(|(name, _)| allowed.contains(name))
        .map(|(_, text)| text)
}

fn check_folder_is_empty(folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::message(format!("cannot create a project in {shown}: {error}"))),
    };
    let existing = entries.flatten().find(|entry| entry.file_name() != ".git");
    match existing {
        None => Ok(()),
        Some(entry) => Err(Failure::message(format!(
            "{shown} is not empty: it contains `{}`. Use a new or an empty folder",
            entry.file_name().to_string_lossy()
        ))),
    }
}

/// Writes to a temporary folder first, so that an error such as a full disk leaves nothing behind.
fn create(folder: &Path, project: &Project) -> Result<(), Failure> {
    let is_new = !folder.exists();
    let temporary = folder.join(format!(".traitql-new-{}", std::process::id()));
    let outcome = write(&temporary, project).and_then(|()| move_entries(&temporary, folder));
    let _ = fs::remove_dir_all(&temporary);
    if outcome.is_err() && is_new {
        // `remove_dir` removes only empty folders.
        let _ = fs::remove_dir(folder);
    }
    outcome
}

fn write(temporary: &Path, project: &Project) -> Result<(), Failure> {
    for (path, text) in &project.files {
        let path = temporary.join(path);
        let written = fs::create_dir_all(path.parent().unwrap_or(temporary)).and_then(|()| fs::write(&path, text));
        written.map_err(|error| Failure::message(format!("cannot write {}: {error}", path.display())))?;
    }
    generate::update(&config::read(&temporary.join("codegen.yml"))?)?;
    Ok(())
}

fn move_entries(temporary: &Path, folder: &Path) -> Result<(), Failure> {
    let failure = |error: io::Error| {
        let shown = folder.display();
        Failure::PartiallyWritten(format!(
            "cannot complete the project in {shown}: {error}; remove the contents of the folder before you try again"
        ))
    };
    for entry in fs::read_dir(temporary).map_err(failure)? {
        let entry = entry.map_err(failure)?;
        fs::rename(entry.path(), folder.join(entry.file_name())).map_err(failure)?;
    }
    Ok(())
}
