//! Generates a crate from a schema without a configuration file. `Cargo.toml` and `src/lib.rs` are created once;
//! `src/generated` is updated on each run.

use std::path::{Path, PathBuf};

use traitql_codegen::GeneratedFile;

use super::adopt::{UndeclaredAccess, adopt};
use super::files::{Runtime, configuration, crate_files};
use super::{consequences, renamed};
use crate::output::{CommandOutput, Failure};
use crate::{config, generate, previous};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DirectArgs {
    /// Patterns of schema files, for a crate without codegen.yml: GraphQL, or the JSON response of an introspection
    /// query.
    #[arg(long, num_args = 1.., requires = "crate_dir", value_name = "FILES")]
    schema: Vec<String>,
    /// Patterns of operation files.
    #[arg(long, num_args = 1.., requires = "schema", value_name = "FILES")]
    operations: Vec<String>,
    /// Folder of the crate.
    #[arg(long = "crate", requires = "schema", value_name = "FOLDER")]
    crate_dir: Option<PathBuf>,
    /// Makes every root field public if the schema declares no access at all.
    #[arg(long, requires = "schema")]
    public: bool,
    /// Folder of a local `traitql` crate. Default: as for `new`.
    #[arg(long, requires = "schema", value_name = "FOLDER")]
    runtime: Option<PathBuf>,
    /// Allows sample values: `traitql::mocked!`.
    #[arg(long, requires = "schema")]
    samples: bool,
}

impl DirectArgs {
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.crate_dir.as_deref()
    }
}

pub(crate) fn run(direct: &DirectArgs, folder: &Path) -> Result<CommandOutput, Failure> {
    let adopted = adopt(
        &direct.schema,
        &direct.operations,
        UndeclaredAccess::of_flag(direct.public),
    )?;
    let runtime = Runtime::of(direct.runtime.as_deref(), folder)?;
    let invalid = |problem: &str| Failure::message(format!("`--crate`: {}: {problem}", folder.display()));
    let absolute = std::path::absolute(folder).map_err(|error| invalid(&error.to_string()))?;
    let (Some(root), Some(name)) = (absolute.parent(), absolute.file_name().and_then(|name| name.to_str())) else {
        return Err(invalid("this is not a valid folder for a crate"));
    };
    let manifest = format!("{name}/src/generated/manifest.json");
    let text = configuration(&adopted, name, &manifest, direct.samples);
    let settings = config::parse(&text, root).map_err(|problems| problems.failure("the configuration"))?;

    let defined = adopted.defined.join(", @");
    let renamed = renamed(&adopted.model.auto_renamed);
    let mut generated = generate::of(&settings, adopted.model);
    let once = crate_files(name, &runtime).map(|(path, contents)| GeneratedFile {
        path: format!("{name}/{path}"),
        contents,
    });
    generated.once.extend(once);
    let mut answer = generate::renew(&settings, &generated, previous::model(&settings))?;
    if !defined.is_empty() {
        answer.lines.push(format!(
            "the schema uses directives of traitql without defining them: @{defined}. traitql's definitions apply"
        ));
    }
    if !adopted.allowed.is_empty() {
        answer.lines.push(format!(
            "the schema violates these conventions of traitql: {}",
            adopted.allowed.join(", ")
        ));
        let consequences = consequences(&adopted.allowed);
        answer.lines.extend(consequences.map(|text| format!("  - {text}")));
    }
    if !renamed.is_empty() {
        answer.lines.push(format!(
            "definitions whose Rust names would collide were renamed: {renamed}; use `rename` in codegen.yml to choose other names"
        ));
    }
    Ok(answer)
}
