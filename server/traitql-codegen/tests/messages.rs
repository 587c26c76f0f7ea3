//! What rustc says to a contributor is part of the product, so it is tested: each file in `messages/` makes one mistake, and the
//! file of the same name with the ending `.stderr` holds the answer.
//!
//! The API of `messages/schema.graphql` is generated and compiled into a folder of its own; then rustc is called once per
//! mistake, without cargo, so that all of them take seconds. The mistakes of `messages/own/` are made in types that stand for
//! those of `messages/own.graphql`: each is compiled with what is generated as one crate. `TRAITQL_BLESS=1` writes the answers
//! anew.
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

/// The compiler whose words are checked in. Others say the same in slightly other words: of those only the headlines and
/// our own sentences are compared.
const EXACT: &str = "rustc 1.95.";

struct Bench {
    rustc: PathBuf,
    version: String,
    /// Where cargo has put the libraries of this test.
    libraries: PathBuf,
    traitql: PathBuf,
    /// Where this test puts its own.
    out: PathBuf,
}

#[test]
fn each_mistake_is_answered_in_words_that_help() {
    let bench = Bench::new();
    bench.compile_api();
    bench.generate("own.graphql", &own_types());
    let mut cases = cases(&folder());
    cases.extend(self::cases(&folder().join("own")));
    let answers = ask_all(&bench, &cases);
    let stale: Vec<String> = answers
        .iter()
        .filter_map(|(case, answer)| bench.compare(case, answer))
        .collect();
    assert!(
        stale.is_empty(),
        "{}\n{COMMAND} accepts the new words. Read them first.",
        stale.join("\n")
    );
    let (own, resolvers): (Vec<_>, Vec<_>) = answers.iter().partition(|(case, _)| is_own(case));
    bench.keep("resolvers.md", &page(RESOLVERS, &resolvers));
    bench.keep("own-types.md", &page(OWN_TYPES, &own));
}

const RESOLVERS: &str = "# When a resolver does not compile

Mistakes in resolvers are found by rustc, so its words are what one reads. These are the usual ones, each with what it
means and what mends it. Mistakes in the schema and in operations have [pages of their own](diagnostics/README.md).
";
const OWN_TYPES: &str = "# When an own type does not compile

A type that stands for a scalar, an enum or an object type of the schema ([`traitql.scalars`, `traitql.enums` and
`traitql.objects`](configuration.md)) says how in an `impl`. Where the two part, rustc finds it in that `impl`. These are
the usual mistakes, each with what mends it.
";

/// Whether a case is compiled with what is generated as one crate.
fn is_own(case: &Path) -> bool {
    case.parent().unwrap().ends_with("own")
}

/// Asks as many at once as the machine has processors: each rustc takes a hundred megabytes.
fn ask_all(bench: &Bench, cases: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            answers.push((case.clone(), bench.ask(case)));
        }
        answers
    };
    let workers = thread::available_parallelism().map_or(2, usize::from);
    let mut answers: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        running.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    answers.sort();
    answers
}

/// All mistakes with rustc's answers, for people who look for what they have been told. Own types are long, and rustc shows
/// the lines that matter.
fn page(begin: &str, answers: &[&(PathBuf, String)]) -> String {
    let mut out =
        format!("<!-- Generated from server/traitql-codegen/tests/messages by `{COMMAND}`. Do not edit. -->\n{begin}");
    for (case, answer) in answers {
        let source = fs::read_to_string(case).unwrap();
        let comments: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("// ")).collect();
        let [what, mend] = comments[..] else {
            panic!("{} begins with what is wrong, and `// Mend: …`", case.display());
        };
        let mend = mend
            .strip_prefix("Mend: ")
            .unwrap_or_else(|| panic!("{}: `// Mend: …`", case.display()));
        let code: String = source.lines().skip(2).map(|line| format!("{line}\n")).collect();
        let code = match is_own(case) {
            true => String::new(),
            false => format!("```rust\n{}```\n\n", code.trim_start()),
        };
        let name = case.file_stem().unwrap().to_str().unwrap().replace('_', " ");
        out.push_str(&format!(
            "\n## {}{}\n\n{what}\n\n{code}```text\n{}```\n\nTo mend it, {mend}\n",
            name[..1].to_uppercase(),
            &name[1..],
            first_error(answer),
        ));
    }
    out
}

/// The first of rustc's errors, without the places in generated code that it has to do with.
fn first_error(answer: &str) -> String {
    let ends = [
        "error",
        "note: required by a bound",
        "help: this trait has no implementations",
        "help: the following other types",
    ];
    let lines = answer
        .lines()
        .skip(1)
        .take_while(|line| !ends.iter().any(|end| line.starts_with(end)));
    let text: Vec<&str> = answer.lines().take(1).chain(lines).collect();
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

/// What the cases of `own/` bind.
fn own_types() -> Config {
    let one = |name: &str, path: &str| [(name.to_owned(), path.to_owned())].into();
    Config {
        scalars: one("Day", "crate::model::Day"),
        enums: one("State", "crate::model::Stage"),
        objects: one("Tour", "crate::model::TourRow"),
        ..Config::new("own", "manifest.json")
    }
}

impl Bench {
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

    /// Generates the code of a schema into a folder.
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

    /// Generates and compiles the crate `api`.
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
            "the generated API: {}",
            String::from_utf8_lossy(&compiled.stderr)
        );
    }

    /// What rustc says, without what differs from machine to machine.
    fn ask(&self, case: &Path) -> String {
        let name = Path::new(case.file_name().unwrap());
        let mut rustc = if is_own(case) {
            // The types of a person and what is generated are one crate.
            let name = case.file_stem().unwrap().to_str().unwrap();
            fs::copy(case, self.out.join(format!("own/src/{name}.rs"))).unwrap();
            let lib = format!("pub mod generated;\n#[path = \"{name}.rs\"]\npub mod model;\n");
            fs::write(self.out.join(format!("own/src/lib_{name}.rs")), lib).unwrap();
            self.rustc(Path::new(&format!("own/src/lib_{name}.rs")))
        } else {
            // Beside the generated crate, so that rustc shows its lines, as it does in a real workspace.
            fs::copy(case, self.out.join(name)).unwrap();
            let mut rustc = self.rustc(name);
            rustc.arg(format!("--extern=api={}", self.out.join("libapi.rmeta").display()));
            rustc
        };
        let asked = rustc.current_dir(&self.out).output().unwrap();
        let said = String::from_utf8(asked.stderr).unwrap();
        assert!(!asked.status.success(), "{} compiles", name.display());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let said = said
            .replace(&format!("{}/", self.out.display()), "")
            .replace(&format!("{}/", root.display()), "");
        let lines = said
            .lines()
            .filter(|line| !line.contains("the full name for the type") && !line.contains("--verbose"));
        let lines = lines.map(|line| match line.split_once(" server/traitql/src/") {
            // The runtime's lines move whenever it is edited.
            Some((arrow, file)) => format!("{arrow} server/traitql/src/{}", file.split(':').next().unwrap_or(file)),
            None => line.trim_end().to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n") + "\n"
    }

    fn is_exact(&self) -> bool {
        self.version.starts_with(EXACT)
    }

    /// A page of the documentation must be what it would be.
    fn keep(&self, name: &str, page: &str) {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR"))
            .with_file_name("traitql")
            .join("docs");
        let path = docs.join(name);
        if std::env::var_os("TRAITQL_BLESS").is_some() && self.is_exact() {
            fs::write(&path, page).unwrap();
        }
        let there = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == page || !self.is_exact(),
            "{} is stale. Run {COMMAND}",
            path.display()
        );
    }

    /// What is wrong with the answer, if anything.
    fn compare(&self, case: &Path, answer: &str) -> Option<String> {
        let path = case.with_extension("stderr");
        let exact = self.is_exact();
        if std::env::var_os("TRAITQL_BLESS").is_some() && exact {
            fs::write(&path, answer).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        let same = if exact {
            expected == answer
        } else {
            headlines(&expected) == headlines(answer)
        };
        (!same).then(|| format!("--- {} ---\n{answer}", case.file_name().unwrap().display()))
    }
}

/// The library of traitql that this test is linked with. Cargo may have built others into the same folder, of other features or for
/// a copy of the workspace: the symbol of a function has a hash that tells them apart.
fn linked_library(libraries: &Path) -> PathBuf {
    const FUNCTION: &[u8] = b"DateTime11from_millis";
    std::hint::black_box(traitql::DateTime::from_millis as fn(i64) -> Option<traitql::DateTime>);
    let program = fs::read(std::env::current_exe().unwrap()).unwrap();
    let symbol = program
        .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .find(|word| word.starts_with(b"_") && find(word, FUNCTION))
        .expect("a function that is used has a symbol");
    fs::read_dir(libraries)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("libtraitql-") && name.ends_with(".rlib")
        })
        .find(|path| find(&fs::read(path).unwrap(), symbol))
        .expect("traitql is a dependency of this test, so cargo has built it")
}

fn find(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn headlines(answer: &str) -> Vec<&str> {
    let ours = |line: &&str| {
        line.starts_with("error")
            || line.contains("impl resolve::")
            || line.contains("impl bind::")
            || line.contains("cargo traitql")
    };
    answer.lines().filter(ours).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages")
}
