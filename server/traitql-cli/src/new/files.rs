//! The files of a new project. Texts only: nothing is read or written here but what somebody's paths say.

use std::path::{Path, PathBuf};

use traitql_schema::model::{Access, Model, Type};
use traitql_schema::{SourceText, load};

use super::adopt::Adopted;
use super::first;
use crate::config::{self, editors};
use crate::output::Failure;

/// A project before it is written.
pub(super) struct Project {
    pub(super) files: Vec<(String, String)>,
    /// Fields that need a resolver.
    pub(super) resolvers: usize,
    pub(super) allowed: Vec<&'static str>,
    /// What is called otherwise in Rust, and how.
    pub(super) renamed: Vec<(String, String)>,
    /// Directives whose definitions were added to the schema.
    pub(super) defined: Vec<String>,
}

/// Where the crate `traitql` comes from.
#[derive(Debug)]
pub(crate) enum Runtime {
    /// The registry, in the version of this command.
    Published,
    /// A folder, as the manifest spells it.
    Folder(String),
}

impl Runtime {
    /// `folder` is where the manifest will be. A relative path stays one, so that both can be moved together.
    pub(crate) fn of(path: Option<&Path>, folder: &Path) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self::Published);
        };
        if !path.join("Cargo.toml").is_file() {
            let shown = path.display();
            return Err(Failure::message(format!("`--runtime`: there is no crate in {shown}")));
        }
        let plain = |path: &Path| {
            path.components()
                .all(|part| matches!(part, std::path::Component::Normal(_)))
        };
        let spelt = if path.is_relative() && plain(folder) {
            let up: PathBuf = folder.components().map(|_| "..").collect();
            up.join(path)
        } else {
            path.canonicalize()
                .map_err(|error| Failure::message(format!("`--runtime`: {error}")))?
        };
        Ok(Self::Folder(spelt.to_string_lossy().replace('\\', "/")))
    }

    /// The line of the manifest.
    pub(crate) fn dependency(&self) -> String {
        match self {
            Self::Published => format!("traitql = {:?}", env!("CARGO_PKG_VERSION")),
            Self::Folder(path) => format!("traitql = {{ path = {path:?} }}"),
        }
    }
}

/// What a generated crate has beside its generated files.
pub(super) fn crate_files(folder: &str, runtime: &Runtime) -> [(String, String); 2] {
    let package = folder.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let package = match package.trim_start_matches('-') {
        // Cargo refuses a digit there.
        name if !name.starts_with(|c: char| c.is_ascii_alphabetic()) => format!("api-{name}"),
        name => name.to_owned(),
    };
    let manifest = include_str!("templates/crate.toml")
        .replace("{{package}}", &package)
        .replace("{{runtime}}", &runtime.dependency())
        .replace("{{rust}}", env!("CARGO_PKG_RUST_VERSION"));
    [
        ("Cargo.toml".to_owned(), manifest),
        ("src/lib.rs".to_owned(), include_str!("templates/api.rs").to_owned()),
    ]
}

/// A name for the package in a folder. What cargo refuses, and what would meet another package, gets a longer one.
pub(crate) fn package_name(folder: &Path) -> Result<String, Failure> {
    let folder = std::path::absolute(folder).map_err(|error| Failure::message(error.to_string()))?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let name = name.trim_matches('-');
    let taken = [
        "api",
        "build",
        "core",
        "deps",
        "examples",
        "incremental",
        "serde-json",
        "std",
        "test",
        "tokio",
        "traitql",
    ];
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    Ok(match begins_well {
        true if taken.contains(&name) || syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_err() => {
            format!("{name}-server")
        }
        true => name.to_owned(),
        false => format!("server-{name}").trim_end_matches('-').to_owned(),
    })
}

/// `codegen.yml`
pub(crate) fn configuration(adopted: &Adopted, crate_dir: &str, manifest: &str, samples: bool) -> String {
    let mut text = format!(
        "# yaml-language-server: $schema={}\n\
         # What is generated, and from what. `cargo traitql config-schema --page` explains every key.\n\
         schema: schema/**/*.graphql\n\
         documents: operations/**/*.graphql\n\n\
         traitql:\n  # Where the Rust goes.\n  crate: {crate_dir}\n  # The operations that a release build answers.\n  manifest: {manifest}\n",
        editors::ADDRESS,
    );
    if !adopted.allowed.is_empty() {
        text += "  # Conventions of traitql that this schema does not keep. `cargo traitql explain NAME` says what each is for.\n";
        text += &format!("  allow: [{}]\n", adopted.allowed.join(", "));
    }
    if !adopted.model.renamed.is_empty() {
        text += "  # Names in Rust for what would be called the same there. Choose better ones: nobody but your code knows them.\n  rename:\n";
        for (coordinate, name) in &adopted.model.renamed {
            // The colon of an argument's coordinate would begin a value.
            text += &match coordinate.contains(':') {
                true => format!("    {coordinate:?}: {name}\n"),
                false => format!("    {coordinate}: {name}\n"),
            };
        }
    }
    if !adopted.scalars.is_empty() {
        text += "  # Rust types of scalars: of the runtime, or your own ones that implement `traitql::Scalar`.\n  scalars:\n";
        for (name, ty) in &adopted.scalars {
            text += &format!("    {name}: {ty}\n");
        }
    }
    if samples {
        text += "  # Fields may be answered with sample values until they have resolvers: src/mocked.rs.\n  samples: true\n";
    }
    text
}

/// Everything that is not generated.
pub(super) fn project(name: &str, runtime: &Runtime, mut adopted: Adopted) -> Result<Project, Failure> {
    let configuration = configuration(&adopted, "api", "api/manifest.json", true);
    let settings = config::parse(&configuration, Path::new(".")).map_err(|problems| problems.failure("codegen.yml"))?;
    let mocked = traitql_codegen::mockable(&adopted.model, &settings.codegen);
    let fields: String = mocked.iter().map(|name| format!("    api::field::{name},\n")).collect();
    add_first_look(&mut adopted);

    let model = &adopted.model;
    let access = model.types.values().filter_map(|ty| match ty {
        Type::Object(object) => Some(&object.fields),
        _ => None,
    });
    let guarded = access
        .flatten()
        .any(|field| matches!(field.access, Some(Access::Role { .. } | Access::SignedIn)));
    let sign_in = |text: &'static str| if guarded { text } else { "" };
    // What the resolver of a subscription makes its stream with.
    let streams = match model.subscription.is_some() {
        true => "futures-util = { version = \"0.3\", default-features = false, features = [\"std\"] }\n",
        false => "",
    };
    let lib = name.replace('-', "_");
    let dependency = runtime.dependency();
    let filled = |template: &str| {
        template
            .replace("{{package}}", name)
            .replace("{{lib}}", &lib)
            .replace("{{runtime}}", &dependency)
            .replace("{{rust}}", env!("CARGO_PKG_RUST_VERSION"))
            .replace("{{fields}}", &fields)
            .replace("{{streams}}", streams)
            .replace("{{any_token_import}}", sign_in("AnyToken, "))
            .replace("{{any_token}}", sign_in(".authenticate(Arc::new(AnyToken))"))
            .replace("{{sign_in}}\n", sign_in(include_str!("templates/sign_in.md")))
    };
    let app = include_str!("templates/app.rs").to_owned()
        + &sign_in(include_str!("templates/access.rs")).replace("{{grant}}", &grant(model));
    let templates = [
        (".gitignore", "/target\n"),
        // For the GraphQL extensions of editors, which do not know how to read `codegen.yml`.
        (
            ".graphqlrc.yml",
            "schema: schema/**/*.graphql\ndocuments: operations/**/*.graphql\n",
        ),
        ("Cargo.toml", include_str!("templates/manifest.toml")),
        ("README.md", include_str!("templates/readme.md")),
        ("api/Cargo.toml", include_str!("templates/api.toml")),
        ("api/src/lib.rs", include_str!("templates/api.rs")),
        ("codegen.yml", &configuration),
        ("src/app.rs", &app),
        ("src/lib.rs", include_str!("templates/lib.rs")),
        ("src/main.rs", include_str!("templates/main.rs")),
        ("src/mocked.rs", include_str!("templates/mocked.rs")),
        ("tests/api.rs", include_str!("templates/test.rs")),
    ];
    let mut files: Vec<(String, String)> = templates
        .iter()
        .map(|(path, text)| ((*path).to_owned(), filled(text)))
        .collect();
    let sources = adopted.schema.into_iter().chain(adopted.documents);
    files.extend(sources.map(|source| (source.path, source.text)));
    Ok(Project {
        files,
        resolvers: mocked.len(),
        allowed: adopted.allowed,
        renamed: adopted.model.renamed,
        defined: adopted.defined,
    })
}

/// The part of `impl Access` that a schema with roles needs.
fn grant(model: &Model) -> String {
    let roles = model.role_enum.as_ref().filter(|_| !model.subjects.is_empty());
    roles.map_or_else(String::new, |roles| {
        include_str!("templates/grant.rs").replace("{{roles}}", &traitql_codegen::type_name(model, roles))
    })
}

/// Adds an operation that can be asked at once. Where the schema has rules that it breaks, it asks for the least.
fn add_first_look(adopted: &mut Adopted) {
    let path = format!("operations/{}.graphql", first::NAME);
    if adopted.documents.iter().any(|source| source.path == path) {
        return;
    }
    let source = SourceText::new(&*path, first::operation(&adopted.model));
    let fits = load(&adopted.schema, std::slice::from_ref(&source), &adopted.options()).is_ok();
    adopted.documents.push(match fits {
        true => source,
        false => SourceText::new(path, first::trivial()),
    });
}
