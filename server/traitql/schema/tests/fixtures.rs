//! Each feature has a fixture with its model. `fixtures/invalid` has mistakes that the examples of the explanations do
//! not show: see `explanations.rs`.
#![allow(clippy::unwrap_used)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use insta::{Settings, assert_snapshot, glob};
use traitql_schema::diff::{Kind, Severity, affected_operations, changes};
use traitql_schema::load;
use traitql_schema::model::{Model, Type};

fn snapshots_in(folder: &str) -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn invalid_fixtures_are_reported() {
    snapshots_in("fixtures/invalid").bind(|| {
        glob!("fixtures/invalid/*.graphql", |path| {
            let text = fs::read_to_string(path).unwrap();
            let (schema, documents) = support::split(&text);
            let report = load(&schema, &documents, &support::options(&text)).expect_err("the fixture is invalid");
            let name = path.file_stem().unwrap().to_string_lossy();
            let id = name.split('_').next().unwrap();
            let found: Vec<_> = report
                .diagnostics()
                .iter()
                .map(|diagnostic| diagnostic.code.to_string())
                .collect();
            assert!(
                id == "many" || found.iter().any(|code| code.starts_with(id)),
                "{name} should report its own code, but reports {found:?}\n{report}"
            );
            assert_snapshot!("report", report.to_string());
        });
    });
}

#[test]
fn valid_fixtures_become_a_model() {
    snapshots_in("fixtures/valid").bind(|| {
        glob!("fixtures/valid/*.graphql", |path| {
            let text = fs::read_to_string(path).unwrap();
            let (schema, documents) = support::split(&text);
            let model = load(&schema, &documents, &support::options(&text))
                .unwrap_or_else(|report| panic!("{}\n{report}", path.display()));
            assert_snapshot!("model", summary(&model));
        });
    });
}

/// Summarizes a model: everything that affects code generation, except what the SDL already contains.
fn summary(model: &Model) -> String {
    let mut out = String::new();
    let roots = (Some(&model.query), model.mutation.as_ref(), model.subscription.as_ref());
    writeln!(
        out,
        "roots {roots:?} roles {:?} errors {:?}",
        model.role_enum, model.error_enum
    )
    .unwrap();
    for subject in &model.subjects {
        writeln!(out, "subject {} by {:?}", subject.of, subject.by).unwrap();
    }
    for (coordinate, name) in &model.auto_renamed {
        writeln!(out, "{coordinate} is {name} in Rust").unwrap();
    }
    let known = ["Role", "ErrorCode", "Format", "Retry", "Window", "RateBy"];
    for (name, ty) in model.types.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
        match ty {
            Type::Scalar(scalar) => writeln!(out, "scalar {name} {:?}", scalar.specified_by).unwrap(),
            Type::Enum(ty) => {
                let values = ty.values.iter().map(|value| match &value.deprecated {
                    Some(reason) => format!("{} (deprecated: {reason})", value.name),
                    None => value.name.clone(),
                });
                writeln!(out, "enum {name} {}", values.collect::<Vec<_>>().join(" ")).unwrap();
            }
            Type::Input(input) => {
                writeln!(out, "input {name}{}", if input.one_of { " one of" } else { "" }).unwrap();
                for field in &input.fields {
                    let default = field
                        .default
                        .as_ref()
                        .map(|value| format!(" = {value:?}"))
                        .unwrap_or_default();
                    writeln!(out, "  {}: {}{default} {:?}", field.name, field.ty, field.constraints).unwrap();
                }
            }
            Type::Union(union) => {
                writeln!(
                    out,
                    "union {name} {} embedded {}",
                    union.members.join(" "),
                    union.embedded
                )
                .unwrap();
            }
            Type::Object(object) => {
                let implements = object.implements.join(" ");
                writeln!(
                    out,
                    "type {name} {:?} embedded {} [{implements}]",
                    object.kind, object.embedded
                )
                .unwrap();
                object
                    .fields
                    .iter()
                    .for_each(|field| out.push_str(&field_summary(field)));
            }
            Type::Interface(interface) => {
                writeln!(out, "interface {name} of {}", interface.members.join(" ")).unwrap();
                interface
                    .fields
                    .iter()
                    .for_each(|field| out.push_str(&field_summary(field)));
            }
        }
    }
    for operation in &model.operations {
        writeln!(
            out,
            "\n{:?} {} cost {} depth {} calls {}{}",
            operation.kind,
            operation.name,
            operation.cost,
            operation.depth,
            if operation.calls.is_constant { "" } else { "at most " },
            operation.calls.max
        )
        .unwrap();
        writeln!(out, "calls {}", operation.coordinates.join(" ")).unwrap();
        writeln!(out, "{}", operation.body).unwrap();
    }
    let own = model.sdl.split_once("\ntype ").map_or("", |(_, own)| own);
    let own = own
        .split("\n\n\"\"\"Retry advice for clients")
        .next()
        .unwrap_or_default();
    writeln!(out, "\ntype {own}").unwrap();
    out
}

fn field_summary(field: &traitql_schema::model::Field) -> String {
    let mut out = format!("  {:?} {}\n", field.kind, field.sdl);
    let facts = [
        field.access.as_ref().map(|access| format!("{access:?}")),
        field.transition.as_ref().map(|transition| format!("{transition:?}")),
        field.rate.as_ref().map(|rate| format!("{rate:?}")),
        (field.cost.value > 1 || field.cost.times.is_some()).then(|| format!("{:?}", field.cost)),
    ];
    facts
        .into_iter()
        .flatten()
        .for_each(|fact| out.push_str(&format!("    {fact}\n")));
    out
}

#[test]
fn schema_changes_are_classified() {
    snapshots_in("fixtures/diff").bind(|| {
        glob!("fixtures/diff/*.graphql", |path| {
            let text = fs::read_to_string(path).unwrap();
            let (before, after) = text.split_once("#=== after\n").unwrap();
            let model = |text| {
                let (schema, documents) = support::split(text);
                load(&schema, &documents, &support::options(text))
                    .unwrap_or_else(|report| panic!("{}\n{report}", path.display()))
            };
            let (before, after) = (model(before), model(after));
            let found = changes(&before, &after);
            let touched = affected_operations(&before, &after, &found);
            let mut output = String::new();
            for (change, touched) in found.iter().zip(touched) {
                writeln!(output, "{change}").unwrap();
                for fact in &change.facts {
                    writeln!(output, "    {} {}", fact.kind.severity(), fact.kind.slug()).unwrap();
                }
                for operation in touched {
                    writeln!(output, "    touches {} ({})", operation.name, operation.file).unwrap();
                }
            }
            assert_snapshot!("changes", output);
            assert_eq!(changes(&after, &after), []);
            let slug = path.file_stem().unwrap().to_string_lossy();
            let shows = |kind: &Kind| {
                found
                    .iter()
                    .any(|change| change.facts.iter().any(|fact| fact.kind == *kind))
            };
            let kind = Kind::ALL.iter().find(|kind| kind.slug() == slug);
            assert!(kind.is_none_or(shows), "{slug} does not show its own kind:\n{output}");
        });
    });
}

#[test]
fn every_kind_of_change_has_a_fixture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/diff");
    for kind in Kind::ALL {
        let fixture = folder.join(format!("{}.graphql", kind.slug()));
        assert!(
            fixture.exists(),
            "add a fixture with the schema before and after the change: {}",
            fixture.display()
        );
    }
}

fn list_of_kinds() -> String {
    let severities = [
        ("Breaking", Severity::Breaking),
        ("Dangerous", Severity::Dangerous),
        ("Safe", Severity::Safe),
    ];
    let lists = severities.map(|(title, severity)| {
        let kinds = Kind::ALL.iter().filter(|kind| kind.severity() == severity);
        let names: Vec<String> = kinds.map(|kind| format!("`{}`", kind.slug())).collect();
        format!("{title}: {}.\n", names.join(", "))
    });
    lists.join("\n")
}

#[test]
fn every_kind_of_change_is_documented() {
    const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-schema --test fixtures";
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .with_file_name("docs")
        .join("changes.md");
    let page = fs::read_to_string(&path).unwrap();
    let (begin, end) = (
        format!("<!-- The list is generated by `{COMMAND}`. -->\n"),
        "<!-- End of the list. -->\n",
    );
    let (head, rest) = page.split_once(&begin).unwrap();
    let (_, tail) = rest.split_once(end).unwrap();
    let wanted = format!("{head}{begin}{}{end}{tail}", list_of_kinds());
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        fs::write(&path, &wanted).unwrap();
    }
    let existing = fs::read_to_string(&path).unwrap();
    assert!(existing == wanted, "{} is out of date. Run {COMMAND}", path.display());
}
