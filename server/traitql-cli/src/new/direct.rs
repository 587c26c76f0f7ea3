//! `traitql generate --schema … --crate …`: a crate from a schema without any configuration. It is complete by itself, manifest
//! of operations included, and depends on the runtime alone. Its `Cargo.toml` and `src/lib.rs` are written once, where they are
//! not there; `src/generated` is renewed each time.

use std::path::{Path, PathBuf};

use traitql_codegen::GeneratedFile;

use super::files::{Runtime, configuration, crate_files};
use super::{adopt, consequences, renamed};
use crate::output::{Answer, Failure};
use crate::{config, generate, previous};

/// What to generate without codegen.yml.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Direct {
    /// Files of a schema, for a crate without codegen.yml: patterns, GraphQL or the JSON answer of an introspection query.
    #[arg(long, num_args = 1.., requires = "crate_dir", value_name = "FILES")]
    schema: Vec<String>,
    /// Files of operations that clients ask.
    #[arg(long, num_args = 1.., requires = "schema", value_name = "FILES")]
    operations: Vec<String>,
    /// Folder of the crate.
    #[arg(long = "crate", requires = "schema", value_name = "FOLDER")]
    crate_dir: Option<PathBuf>,
    /// Folder of the crate `traitql`, to use instead of the published one [env: TRAITQL_RUNTIME].
    #[arg(long, requires = "schema", value_name = "FOLDER")]
    runtime: Option<PathBuf>,
    /// Lets fields be answered with sample values: `traitql::mocked!`.
    #[arg(long, requires = "schema")]
    samples: bool,
}

impl Direct {
    /// The folder of the crate, where one was named.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.crate_dir.as_deref()
    }
}

/// Generates the crate and says what changed.
pub(crate) fn run(direct: &Direct, folder: &Path) -> Result<Answer, Failure> {
    let adopted = adopt(&direct.schema, &direct.operations)?;
    // The variable alone must not ask for a schema, as an option would: `generate` is also run where it stands for `new`.
    let named = direct.runtime.clone();
    let named = named.or_else(|| std::env::var_os("TRAITQL_RUNTIME").map(PathBuf::from));
    let runtime = Runtime::of(named.as_deref(), folder)?;
    let wrong = |problem: &str| Failure::message(format!("`--crate`: {}: {problem}", folder.display()));
    let whole = std::path::absolute(folder).map_err(|error| wrong(&error.to_string()))?;
    let (Some(root), Some(name)) = (whole.parent(), whole.file_name().and_then(|name| name.to_str())) else {
        return Err(wrong("this can be no folder of a crate"));
    };
    let manifest = format!("{name}/src/generated/manifest.json");
    let text = configuration(&adopted, name, &manifest, direct.samples);
    let settings = config::parse(&text, root).map_err(|problems| problems.failure("the configuration"))?;

    let defined = adopted.defined.join(", @");
    let renamed = renamed(&adopted.model.renamed);
    let mut generated = generate::of(&settings, adopted.model);
    let once = crate_files(name, &runtime).map(|(path, contents)| GeneratedFile {
        path: format!("{name}/{path}"),
        contents,
    });
    generated.once.extend(once);
    let mut answer = generate::renew(&settings, &generated, previous::model(&settings))?;
    if !defined.is_empty() {
        answer.lines.push(format!(
            "the schema does not define what it uses of traitql's directives: @{defined}. They mean here what they mean to traitql"
        ));
    }
    if !adopted.allowed.is_empty() {
        answer.lines.push(format!(
            "the schema does not keep these conventions of traitql: {}",
            adopted.allowed.join(", ")
        ));
        let consequences = consequences(&adopted.allowed);
        answer.lines.extend(consequences.map(|text| format!("  - {text}")));
    }
    if !renamed.is_empty() {
        answer.lines.push(format!(
            "names that would meet in Rust are kept apart: {renamed}; `rename` of codegen.yml chooses others"
        ));
    }
    Ok(answer)
}
