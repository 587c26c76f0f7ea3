use std::path::{Path, PathBuf};

use traitql_schema::model::{Access, Model, Type};
use traitql_schema::{SourceText, load};

use super::adopt::Adopted;
use super::first_operation;
use crate::config::{self, docs};
use crate::output::Failure;

pub(super) struct Project {
    pub(super) files: Vec<(String, String)>,
    pub(super) resolvers: usize,
    pub(super) allowed: Vec<&'static str>,
    pub(super) renamed: Vec<(String, String)>,
    pub(super) defined: Vec<String>,
    pub(super) scalars: Vec<(String, &'static str)>,
}

#[derive(Debug)]
pub(crate) enum Runtime {
    /// The registry, in the version of this command.
    Published,
    /// A path for the Cargo manifest.
    Folder(String),
}

impl Runtime {
    /// `folder` is that of the Cargo manifest. Relative paths stay relative, so that both can be moved together.
    /// Without a path, a command built in a checkout uses its runtime.
    pub(crate) fn of(path: Option<&Path>, folder: &Path) -> Result<Self, Failure> {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("runtime");
        let Some(path) = path.or_else(|| checkout.join("Cargo.toml").is_file().then_some(&*checkout)) else {
            return Ok(Self::Published);
        };
        if !path.join("Cargo.toml").is_file() {
            let shown = path.display();
            return Err(Failure::message(format!(
                "`--runtime`: {shown} does not contain a crate"
            )));
        }
        let is_plain = |path: &Path| {
            path.components()
                .all(|part| matches!(part, std::path::Component::Normal(_)))
        };
        let path = if path.is_relative() && is_plain(folder) {
            let up: PathBuf = folder.components().map(|_| "..").collect();
            up.join(path)
        } else {
            path.canonicalize()
                .map_err(|error| Failure::message(format!("`--runtime`: {error}")))?
        };
        Ok(Self::Folder(path.to_string_lossy().replace('\\', "/")))
    }

    pub(crate) fn axum_dependency(&self) -> String {
        match self {
            Self::Published => format!("traitql-axum = {:?}", env!("CARGO_PKG_VERSION")),
            Self::Folder(path) => {
                let parent = path.rsplit_once('/').map_or("..", |(parent, _)| parent);
                format!("traitql-axum = {{ path = {:?} }}", format!("{parent}/axum"))
            }
        }
    }

    pub(crate) fn dependency(&self) -> String {
        match self {
            Self::Published => format!("traitql = {:?}", env!("CARGO_PKG_VERSION")),
            Self::Folder(path) => format!("traitql = {{ path = {path:?} }}"),
        }
    }
}

/// Returns files that are created only once.
pub(super) fn crate_files(folder: &str, runtime: &Runtime) -> [(String, String); 2] {
    let package = folder.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let package = match package.trim_start_matches('-') {
        // Required by cargo.
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

/// Changes names that cargo rejects or that collide.
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
        "traitql-axum",
    ];
    Ok(if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        format!("server-{name}").trim_end_matches('-').to_owned()
    } else if taken.contains(&name) || syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_err() {
        format!("{name}-server")
    } else {
        name.to_owned()
    })
}

pub(crate) fn configuration(adopted: &Adopted, crate_dir: &str, manifest: &str, samples: bool) -> String {
    let mut text = format!(
        "# yaml-language-server: $schema={}\n\
         # Configuration of the code generators. `cargo traitql config-schema --page` documents all keys.\n\
         schema: schema/**/*.graphql\n\
         documents: operations/**/*.graphql\n\n\
         traitql:\n  # Crate of the generated Rust.\n  crate: {crate_dir}\n  # Trusted documents: the only operations that a release build executes.\n  manifest: {manifest}\n",
        docs::SCHEMA_URL,
    );
    if !adopted.allowed.is_empty() {
        text += "  # Conventions of traitql that this schema violates. See `cargo traitql explain NAME`.\n";
        text += &format!("  allow: [{}]\n", adopted.allowed.join(", "));
    }
    if !adopted.model.auto_renamed.is_empty() {
        text += "  # Rust names for definitions whose names would collide. Choose better ones; clients are not affected.\n  rename:\n";
        for (coordinate, name) in &adopted.model.auto_renamed {
            // A colon must be quoted in YAML.
            text += &if coordinate.contains(':') {
                format!("    {coordinate:?}: {name}\n")
            } else {
                format!("    {coordinate}: {name}\n")
            };
        }
    }
    if !adopted.scalars.is_empty() {
        text += "  # Rust types of scalars: types of the runtime, or your own types that implement `traitql::Scalar`.\n  scalars:\n";
        for (name, ty) in &adopted.scalars {
            text += &format!("    {name}: {ty}\n");
        }
    }
    if samples {
        text += "  # Fields in src/mocked.rs return sample values until they have resolvers.\n  samples: true\n";
    }
    text
}

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
        .any(|field| matches!(field.access, Some(Access::Role { .. } | Access::SignedIn { .. })));
    let sign_in = |text: &'static str| if guarded { text } else { "" };
    // Creates streams.
    let streams = if model.subscription.is_some() {
        "futures-util = { version = \"0.3\", default-features = false, features = [\"std\"] }\n"
    } else {
        ""
    };
    let lib = name.replace('-', "_");
    let dependency = runtime.dependency();
    let filled = |template: &str| {
        template
            .replace("{{package}}", name)
            .replace("{{lib}}", &lib)
            .replace("{{runtime}}", &dependency)
            .replace("{{axum}}", &runtime.axum_dependency())
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
        // For editors, which cannot read `codegen.yml`.
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
        renamed: adopted.model.auto_renamed,
        defined: adopted.defined,
        scalars: adopted.scalars,
    })
}

fn grant(model: &Model) -> String {
    let roles = model.role_enum.as_ref().filter(|_| !model.subjects.is_empty());
    roles.map_or_else(String::new, |roles| {
        include_str!("templates/grant.rs").replace("{{roles}}", &traitql_codegen::type_name(model, roles))
    })
}

/// Adds the trivial operation if the chosen one violates the schema's constraints.
fn add_first_look(adopted: &mut Adopted) {
    let path = format!("operations/{}.graphql", first_operation::NAME);
    if adopted.documents.iter().any(|source| source.path == path) {
        return;
    }
    let source = SourceText::new(&*path, first_operation::operation(&adopted.model));
    let is_valid = load(&adopted.schema, std::slice::from_ref(&source), &adopted.options()).is_ok();
    adopted.documents.push(if is_valid {
        source
    } else {
        SourceText::new(path, first_operation::trivial())
    });
}
