//! Compile errors that contributors see. Each `.rs` file in `messages/` has one mistake, its `.stderr` rustc's output.
//!
//! The cases of `messages/bound/` are in one crate with the generated code of `messages/bound.graphql`.
//! `TRAITQL_BLESS=1` updates the `.stderr` files and the pages of the documentation.
#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use traitql_codegen::Config;
use traitql_schema::{Options, SourceText, Style};

const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-codegen --test messages";

/// Other versions format messages differently, so only headlines and generated texts are compared.
const EXACT_VERSION: &str = "rustc 1.95.";

struct Compiler {
    rustc: PathBuf,
    version: String,
    libraries: PathBuf,
    traitql: PathBuf,
    out: PathBuf,
}

#[test]
fn compile_errors_match_the_committed_output() {
    let compiler = Compiler::new();
    compiler.compile_api();
    compiler.generate("bound.graphql", &bound_types());
    let mut cases = cases(&folder());
    cases.extend(self::cases(&folder().join("bound")));
    let outputs = compile_all(&compiler, &cases);
    let stale: Vec<String> = outputs
        .iter()
        .filter_map(|(case, output)| compiler.compare(case, output))
        .collect();
    assert!(
        stale.is_empty(),
        "{}\nThe compile errors have changed. Review them, then run {COMMAND} to accept them.",
        stale.join("\n")
    );
    let (bound, resolvers): (Vec<_>, Vec<_>) = outputs.iter().partition(|(case, _)| is_bound(case));
    compiler.check_page("resolvers.md", &page(RESOLVERS, &resolvers));
    compiler.check_page("bound-types.md", &page(BOUND_TYPES, &bound));
}

const RESOLVERS: &str = "# Compile errors of resolvers

rustc checks resolvers against the schema. This page lists the common errors with their causes and fixes. For errors in the
schema and in operations, see the [diagnostics](../schema/explanations/README.md).
";
const BOUND_TYPES: &str = "# Compile errors of bound types

`codegen.yml` can bind your own types to scalars, enums and object types of the schema ([`traitql.scalars`, `traitql.enums` and
`traitql.objects`](configuration.md)). Each bound type implements a generated trait, and rustc reports differences from the
schema in that `impl`. This page lists the common errors with their causes and fixes.
";

fn is_bound(case: &Path) -> bool {
    case.parent().unwrap().ends_with("bound")
}

/// Runs one process per CPU, because each rustc takes about 100 MB.
fn compile_all(compiler: &Compiler, cases: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outputs = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            outputs.push((case.clone(), compiler.compile(case)));
        }
        outputs
    };
    let workers = thread::available_parallelism().map_or(2, usize::from);
    let mut outputs: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    outputs.sort();
    outputs
}

/// Omits the code of bound types, because it is long and rustc shows the relevant lines.
fn page(introduction: &str, outputs: &[&(PathBuf, String)]) -> String {
    let mut out = format!(
        "<!-- Generated from server/traitql/codegen/tests/messages by `{COMMAND}`. Do not edit. -->\n{introduction}"
    );
    for (case, output) in outputs {
        let source = fs::read_to_string(case).unwrap();
        let comments: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("// ")).collect();
        let [cause, fix] = comments[..] else {
            panic!("{} must start with its cause and `// Fix: …`", case.display());
        };
        let fix = fix
            .strip_prefix("Fix: ")
            .unwrap_or_else(|| panic!("the second line of {} must be `// Fix: …`", case.display()));
        let code: String = source.lines().skip(2).map(|line| format!("{line}\n")).collect();
        let code = if is_bound(case) {
            String::new()
        } else {
            format!("```rust\n{}```\n\n", code.trim_start())
        };
        let name = case.file_stem().unwrap().to_str().unwrap().replace('_', " ");
        out.push_str(&format!(
            "\n## {}{}\n\n{cause}\n\n{code}```text\n{}```\n\nTo fix it, {fix}\n",
            name[..1].to_uppercase(),
            &name[1..],
            first_error(output),
        ));
    }
    out
}

fn first_error(output: &str) -> String {
    let ends = [
        "error",
        "note: required by a bound",
        "help: this trait has no implementations",
        "help: the following other types",
    ];
    let lines = output
        .lines()
        .skip(1)
        .take_while(|line| !ends.iter().any(|end| line.starts_with(end)));
    let text: Vec<&str> = output.lines().take(1).chain(lines).collect();
    format!("{}\n", text.join("\n").trim_end())
}

fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    cases.sort();
    cases
}

fn bound_types() -> Config {
    let one = |name: &str, path: &str| [(name.to_owned(), path.to_owned())].into();
    Config {
        scalars: one("Day", "crate::model::Day"),
        enums: one("State", "crate::model::Stage"),
        objects: one("Tour", "crate::model::TourRow"),
        ..Config::new("bound", "manifest.json")
    }
}

impl Compiler {
    fn new() -> Self {
        let rustc: PathBuf = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()).into();
        let version = Command::new(&rustc).arg("--version").output().unwrap();
        let libraries = std::env::current_exe().unwrap().parent().unwrap().to_owned();
        Self {
            rustc,
            version: String::from_utf8(version.stdout).unwrap(),
            traitql: linked_library(&libraries),
            libraries,
            out: Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages"),
        }
    }

    fn rustc(&self, source: &Path) -> Command {
        let mut command = Command::new(&self.rustc);
        command
            .args([
                "--edition=2024",
                "--crate-type=lib",
                "--emit=metadata",
                "--cap-lints=allow",
                "--color=never",
            ])
            .arg(format!("--out-dir={}", self.out.display()))
            .arg(format!("-Ldependency={}", self.libraries.display()))
            .arg(format!("--extern=traitql={}", self.traitql.display()))
            .arg(source);
        command
    }

    fn generate(&self, schema: &str, config: &Config) {
        let text = fs::read_to_string(folder().join(schema)).unwrap();
        let schema = SourceText::new("schema/tour.graphql", text);
        let model = traitql_schema::load(&[schema], &[], &Options::default())
            .unwrap_or_else(|report| panic!("{}", report.render(Style::Plain)));
        for file in traitql_codegen::generate(&model, config) {
            let path = self.out.join(file.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file.contents).unwrap();
        }
    }

    fn compile_api(&self) {
        let _ = fs::remove_dir_all(&self.out);
        let config = Config {
            samples: true,
            scalars: [("DateTime".to_owned(), "traitql::DateTime".to_owned())].into(),
            ..Config::new("api", "manifest.json")
        };
        self.generate("schema.graphql", &config);
        let lib = "mod generated;\npub use generated::*;\n";
        fs::write(self.out.join("api/src/lib.rs"), lib).unwrap();
        let compiled = self
            .rustc(Path::new("api/src/lib.rs"))
            .arg("--crate-name=api")
            .current_dir(&self.out)
            .output()
            .unwrap();
        assert!(
            compiled.status.success(),
            "the generated API must compile: {}",
            String::from_utf8_lossy(&compiled.stderr)
        );
    }

    /// Omits parts that differ between machines.
    fn compile(&self, case: &Path) -> String {
        let name = Path::new(case.file_name().unwrap());
        let mut rustc = if is_bound(case) {
            // Bound types and generated code are one crate.
            let name = case.file_stem().unwrap().to_str().unwrap();
            fs::copy(case, self.out.join(format!("bound/src/{name}.rs"))).unwrap();
            let lib = format!("pub mod generated;\n#[path = \"{name}.rs\"]\npub mod model;\n");
            fs::write(self.out.join(format!("bound/src/lib_{name}.rs")), lib).unwrap();
            self.rustc(Path::new(&format!("bound/src/lib_{name}.rs")))
        } else {
            // Next to the generated crate, so that rustc shows its lines as in a workspace.
            fs::copy(case, self.out.join(name)).unwrap();
            let mut rustc = self.rustc(name);
            rustc.arg(format!("--extern=api={}", self.out.join("libapi.rmeta").display()));
            rustc
        };
        let output = rustc.current_dir(&self.out).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{} must not compile", name.display());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).unwrap();
        let stderr = stderr
            .replace(&format!("{}/", self.out.display()), "")
            .replace(&format!("{}/", root.display()), "");
        let lines = stderr
            .lines()
            .filter(|line| !line.contains("the full name for the type") && !line.contains("--verbose"));
        let lines = lines.map(|line| match line.split_once(" server/traitql/runtime/src/") {
            // They would change with every edit.
            Some((arrow, file)) => format!(
                "{arrow} server/traitql/runtime/src/{}",
                file.split(':').next().unwrap_or(file)
            ),
            None => line.trim_end().to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n") + "\n"
    }

    fn is_exact(&self) -> bool {
        self.version.starts_with(EXACT_VERSION)
    }

    fn check_page(&self, name: &str, page: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("docs").join(name);
        if std::env::var_os("TRAITQL_BLESS").is_some() && self.is_exact() {
            fs::write(&path, page).unwrap();
        }
        let existing = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            existing == page || !self.is_exact(),
            "{} is stale. Run {COMMAND}",
            path.display()
        );
    }

    fn compare(&self, case: &Path, output: &str) -> Option<String> {
        let path = case.with_extension("stderr");
        let exact = self.is_exact();
        if std::env::var_os("TRAITQL_BLESS").is_some() && exact {
            fs::write(&path, output).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        let same = if exact {
            expected == output
        } else {
            headlines(&expected) == headlines(output)
        };
        (!same).then(|| format!("--- {} ---\n{output}", case.file_name().unwrap().display()))
    }
}

/// This test is linked with it. The folder can have others, of other features or copies of the workspace; the hash in a
/// function's symbol differs.
fn linked_library(libraries: &Path) -> PathBuf {
    const FUNCTION: &[u8] = b"DateTime11from_millis";
    std::hint::black_box(traitql::DateTime::from_millis as fn(i64) -> Option<traitql::DateTime>);
    let program = fs::read(std::env::current_exe().unwrap()).unwrap();
    let symbol = program
        .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .find(|word| word.starts_with(b"_") && find(word, FUNCTION))
        .expect("the test binary contains a symbol for the function that it uses");
    fs::read_dir(libraries)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("libtraitql-") && name.ends_with(".rlib")
        })
        .find(|path| find(&fs::read(path).unwrap(), symbol))
        .expect("cargo has built traitql, because it is a dependency of this test")
}

fn find(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn headlines(output: &str) -> Vec<&str> {
    let is_ours = |line: &&str| {
        line.starts_with("error")
            || line.contains("impl resolve::")
            || line.contains("impl bind::")
            || line.contains("cargo traitql")
    };
    output.lines().filter(is_ours).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages")
}
