//! Validation tests of other implementations as data.
//!
//! graphql-tools and async-graphql test one rule at a time, by the codes of `conformance/rules.txt`. apollo-compiler
//! tests whole documents, and traitql must reword all its findings. `conformance/differences.txt` lists intentional
//! differences.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ExprLit, Item, Lit};
use traitql_schema::{Code, Options, Report, SourceText, load};

const RULES: &str = include_str!("conformance/rules.txt");
const DIFFERENCES: &str = include_str!("conformance/differences.txt");

/// A document with which another implementation tests one of its rules.
struct Case {
    /// `graphql-tools/scalar_leafs/valid_scalar_selection`, with a number if one test has several documents.
    name: String,
    rule: String,
    schema: String,
    document: String,
    passes: bool,
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn package(manifest: &Path, name: &str) -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let host = Command::new("rustc").arg("-vV").output().unwrap();
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let found = Command::new(cargo)
        .args([
            "metadata",
            "--locked",
            "--quiet",
            "--format-version",
            "1",
            "--filter-platform",
            host,
        ])
        .arg("--manifest-path")
        .arg(manifest)
        .output()
        .unwrap();
    let shown = manifest.display();
    assert!(
        found.status.success(),
        "cannot find the sources of {shown}; run `cargo fetch` once with network access: {}",
        String::from_utf8_lossy(&found.stderr)
    );
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    let packages = found["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == name);
    let package = package.unwrap_or_else(|| panic!("{shown} does not depend on {name}"));
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().to_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn sources(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    paths
}

fn text_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text), ..
        }) => Some(text.value()),
        Expr::Reference(reference) => text_of(&reference.expr),
        _ => None,
    }
}

/// Functions with `#[test]`, including those in modules.
#[derive(Default)]
struct Tests<'a> {
    found: Vec<&'a syn::ItemFn>,
    texts: BTreeMap<String, String>,
}

impl<'a> Visit<'a> for Tests<'a> {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if item.attrs.iter().any(|attribute| attribute.path().is_ident("test")) {
            self.found.push(item);
        }
    }

    fn visit_item(&mut self, item: &'a Item) {
        match item {
            Item::Static(text) => self
                .texts
                .extend(text_of(&text.expr).map(|value| (text.ident.to_string(), value))),
            Item::Const(text) => self
                .texts
                .extend(text_of(&text.expr).map(|value| (text.ident.to_string(), value))),
            _ => {}
        }
        visit::visit_item(self, item);
    }
}

fn arguments(call: &syn::Macro) -> Vec<Expr> {
    let parser = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
    let parsed = parser.parse2(call.tokens.clone());
    parsed.map(|found| found.into_iter().collect()).unwrap_or_default()
}

/// The documents and schemas that a test of graphql-tools validates, with the expected numbers of errors.
#[derive(Default)]
struct Validated {
    inputs: Vec<(Expr, Expr)>,
    errors: Vec<usize>,
}

impl<'a> Visit<'a> for Validated {
    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        let is_ours = matches!(&*call.func, Expr::Path(path) if path.path.is_ident("test_operation_with_schema"));
        if is_ours {
            self.inputs.push((call.args[0].clone(), call.args[1].clone()));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        if !call.path.is_ident("assert_eq") || self.errors.len() >= self.inputs.len() {
            return;
        }
        match arguments(call).as_slice() {
            // `assert_eq!(messages.len(), 2)`
            [
                _,
                Expr::Lit(ExprLit {
                    lit: Lit::Int(count), ..
                }),
            ] => self.errors.push(count.base10_parse().unwrap()),
            // `assert_eq!(messages, vec!["…"])`
            [_, Expr::Macro(list)] => self.errors.push(arguments(&list.mac).len()),
            [_, Expr::Call(_)] => self.errors.push(0),
            _ => {}
        }
    }
}

fn graphql_tools() -> Vec<Case> {
    let folder = package(&here().join("tests/conformance/Cargo.toml"), "graphql-tools").join("src/validation");
    let shared = fs::read_to_string(folder.join("test_utils.rs")).unwrap();
    let shared = syn::parse_file(&shared).unwrap();
    let mut utilities = Tests::default();
    utilities.visit_file(&shared);
    let mut cases = Vec::new();
    for path in sources(&folder.join("rules"), "rs") {
        let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
        let mut tests = Tests::default();
        tests.visit_file(&file);
        let rule = stem(&path);
        for test in &tests.found {
            let mut validated = Validated::default();
            validated.visit_item_fn(test);
            for (at, ((document, schema), errors)) in validated.inputs.iter().zip(&validated.errors).enumerate() {
                // Built at run time.
                let Some(document) = text_of(document) else { continue };
                let named = |expr: &Expr| {
                    let expr = if let Expr::Reference(reference) = expr {
                        &reference.expr
                    } else {
                        expr
                    };
                    let Expr::Path(path) = expr else { return None };
                    let name = path.path.get_ident()?.to_string();
                    tests.texts.get(&name).or_else(|| utilities.texts.get(&name)).cloned()
                };
                let Some(schema) = text_of(schema).or_else(|| named(schema)) else {
                    continue;
                };
                cases.push(Case {
                    name: format!("graphql-tools/{rule}/{}{}", test.sig.ident, number(at)),
                    rule: rule.clone(),
                    schema,
                    document,
                    passes: *errors == 0,
                });
            }
        }
    }
    cases
}

fn number(at: usize) -> String {
    if at == 0 { String::new() } else { format!("-{}", at + 1) }
}

/// Calls of `expect_passes_rule!(factory, "…")` and `expect_fails_rule!(factory, "…")`.
#[derive(Default)]
struct Expected(Vec<(bool, String)>);

impl<'a> Visit<'a> for Expected {
    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let passes = call.path.is_ident("expect_passes_rule");
        if passes || call.path.is_ident("expect_fails_rule") {
            let document = arguments(call).get(1).and_then(text_of).unwrap();
            self.0.push((passes, document));
        }
    }
}

fn async_graphql() -> Vec<Case> {
    let folder = package(&here().join("../../../Cargo.toml"), "async-graphql").join("src/validation/rules");
    let mut cases = Vec::new();
    for path in sources(&folder, "rs") {
        let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
        let mut tests = Tests::default();
        tests.visit_file(&file);
        let rule = stem(&path);
        for test in &tests.found {
            let mut expected = Expected::default();
            expected.visit_item_fn(test);
            for (at, (passes, document)) in expected.0.into_iter().enumerate() {
                cases.push(Case {
                    name: format!("async-graphql/{rule}/{}{}", test.sig.ident, number(at)),
                    rule: rule.clone(),
                    schema: include_str!("conformance/async-graphql.graphql").to_owned(),
                    document,
                    passes,
                });
            }
        }
    }
    cases
}

fn codes(rule: &str) -> Vec<&'static str> {
    let lines = RULES.lines().filter_map(|line| line.split_once(": "));
    let mut codes = lines
        .filter(|(name, _)| *name == rule)
        .map(|(_, codes)| codes.split(' ').collect());
    codes
        .next()
        .unwrap_or_else(|| panic!("tests/conformance/rules.txt does not contain the rule {rule}"))
}

fn report(schema: &str, document: &str) -> Report {
    let schema = [SourceText::new("schema/schema.graphql", schema)];
    let documents = [SourceText::new("operations/document.graphql", document)];
    let later = Code::all()
        .iter()
        .find(|code| code.slug == "interface_not_deprecated")
        .unwrap();
    let options = Options::lenient_except(*later);
    load(&schema, &documents, &options).err().unwrap_or_default()
}

fn check_differences(implementation: &str, differences: &[(String, String)]) {
    let known: BTreeMap<&str, &str> = DIFFERENCES
        .lines()
        .filter(|line| line.starts_with(implementation))
        .map(|line| line.split_once(": ").expect("a difference has a reason"))
        .collect();
    let new: Vec<String> = differences
        .iter()
        .filter(|(name, _)| !known.contains_key(name.as_str()))
        .map(|(name, what)| format!("{name}: {what}"))
        .collect();
    assert!(
        new.is_empty(),
        "{} documents have a different verdict than in {implementation}; fix this, or add the reason to \
         tests/conformance/differences.txt:\n{}",
        new.len(),
        new.join("\n")
    );
    let resolved: Vec<&&str> = known
        .keys()
        .filter(|name| !differences.iter().any(|(found, _)| found == **name))
        .collect();
    assert!(
        resolved.is_empty(),
        "remove these from differences.txt, they no longer differ: {resolved:?}"
    );
}

fn compare(implementation: &str, cases: &[Case], min_cases: usize) {
    assert!(cases.len() >= min_cases, "found only {} documents", cases.len());
    let mut differences = Vec::new();
    for case in cases {
        let report = report(&case.schema, &case.document);
        let codes = codes(&case.rule);
        let found: Vec<&str> = report.diagnostics().iter().map(|found| found.code.id).collect();
        if found.iter().any(|code| codes.contains(code)) == case.passes {
            let theirs = if case.passes { "satisfies" } else { "violates" };
            let what = format!("{theirs} the rule for them, we report {found:?}\n{}", case.document);
            differences.push((case.name.clone(), what));
        }
    }
    check_differences(implementation, &differences);
}

#[test]
fn rules_agree_with_graphql_tools() {
    compare("graphql-tools", &graphql_tools(), 350);
}

#[test]
fn rules_agree_with_async_graphql() {
    compare("async-graphql", &async_graphql(), 250);
}

#[test]
fn verdicts_agree_with_apollo_compiler_and_its_findings_have_codes() {
    let folder = package(&here().join("../../../Cargo.toml"), "apollo-compiler").join("test_data");
    let mut differences = Vec::new();
    let mut count = 0;
    for (kind, valid) in [("ok", true), ("diagnostics", false)] {
        for path in sources(&folder.join(kind), "graphql") {
            count += 1;
            let (schema, document) = parts(&fs::read_to_string(&path).unwrap());
            let report = report(&schema, &document);
            // Operation names are required by traitql only.
            let found: Vec<String> = report
                .diagnostics()
                .iter()
                .map(|found| found.code.to_string())
                .filter(|code| !valid || code != "N001 anonymous_operation")
                .collect();
            let name = format!("apollo-compiler/{kind}/{}", stem(&path));
            if found.is_empty() != valid {
                let theirs = if valid { "valid" } else { "invalid" };
                differences.push((name, format!("{theirs} for them, we report {found:?}")));
            } else if found.iter().any(|code| code.contains("99")) {
                differences.push((name, format!("{found:?} has no code of its own")));
            }
        }
    }
    assert!(count > 150, "found only {count} documents");
    check_differences("apollo-compiler", &differences);
}

/// Separates type definitions and operations, which apollo-compiler keeps in one file.
fn parts(text: &str) -> (String, String) {
    let parsed = apollo_compiler::ast::Document::parse(text, "document.graphql");
    let document = parsed.unwrap_or_else(|failed| failed.partial);
    let (mut schema, mut operations) = (String::new(), String::new());
    let mut begin = 0;
    let spans = document
        .definitions
        .iter()
        .filter_map(|definition| Some((definition.location()?, definition)));
    for (span, definition) in spans {
        let end = span.end_offset();
        let part = &text[begin.min(end)..end];
        let is_operation =
            definition.as_operation_definition().is_some() || definition.as_fragment_definition().is_some();
        if is_operation { &mut operations } else { &mut schema }.push_str(part);
        begin = end;
    }
    // The rest could not be parsed.
    schema.push_str(&text[begin..]);
    (schema, operations)
}
