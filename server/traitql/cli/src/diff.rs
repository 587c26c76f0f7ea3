use std::path::Path;

use clap::ValueEnum;
use serde_json::{Value, json};
use traitql_schema::Report;
use traitql_schema::diff::{self, AffectedOperation, Change, ChangeSign, Severity};
use traitql_schema::model::Model;

use crate::config::Settings;
use crate::git::Revision;
use crate::output::{Annotation, CommandOutput, Failure, Level, paint};
use crate::resolvers::{self, Implementation};
use crate::{config, format, state};

/// The lowest severity that makes the command fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Changes that break clients.
    Breaking,
    /// Breaking changes, and changes that clients may not be prepared for.
    Dangerous,
}

struct Missing {
    coordinate: String,
    name: String,
}

pub(crate) fn run(config: &Path, revision: &str, deny: Option<Deny>) -> Result<CommandOutput, Failure> {
    let settings = config::read(config)?;
    let revision = Revision::find(&settings.root, revision)?;
    let then = state::at(&settings, &config::file_name(config), &revision)?;
    let (now, broken) = present(&settings, &then)?;
    let changes = diff::changes(&then, &now);
    let touched = diff::affected_operations(&then, &now, &changes);

    let written = resolvers::written(&settings)?;
    let required = traitql_codegen::resolvers(&now, &settings.codegen);
    let is_written = |name: &str| written.iter().any(|found| found.name == name);
    let sampled: Vec<&Implementation> = written.iter().filter(|found| found.mocked).collect();
    let missing: Vec<Missing> = required
        .iter()
        .filter(|resolver| !is_written(&resolver.name))
        .map(|resolver| Missing {
            coordinate: resolver.coordinate.clone(),
            name: resolver.name.clone(),
        })
        .collect();
    let orphaned: Vec<&Implementation> = written
        .iter()
        .filter(|found| !required.iter().any(|resolver| resolver.name == found.name))
        .collect();

    let limit = deny.map(|deny| match deny {
        Deny::Breaking => Severity::Breaking,
        Deny::Dangerous => Severity::Dangerous,
    });
    let changes: Vec<(Change, Vec<AffectedOperation>)> = changes.into_iter().zip(touched).collect();
    let denied =
        limit.is_some_and(|limit| broken.is_some() || changes.iter().any(|(change, _)| change.severity() >= limit));
    let against = json!({ "name": revision.name, "commit": revision.short() });
    let mut data = vec![
        ("against".to_owned(), against),
        ("changes".to_owned(), changes.iter().map(object).collect()),
        ("resolvers".to_owned(), resolvers_object(&missing, &orphaned, &sampled)),
    ];
    let mut lines = change_lines(&revision, &changes);
    let mut annotations = annotations(&changes, limit, &orphaned);
    if let Some(report) = &broken {
        lines.push(String::new());
        lines.push(paint("1;31", "clients of earlier releases"));
        lines.extend(report.to_string().lines().map(|line| format!("  {line}")));
        let found = report.diagnostics().iter().map(format::diagnostic).collect();
        annotations.extend(report.diagnostics().iter().filter_map(|found| {
            Some(Annotation {
                level: Level::Error,
                file: found.file()?.to_owned(),
                line: found.line_column()?.0,
                title: found.code.to_string(),
                text: found.message.clone(),
            })
        }));
        data.push(("broken_releases".to_owned(), found));
    }
    lines.extend(resolver_lines(&missing, &orphaned, written.is_empty()));
    if !sampled.is_empty() {
        lines.push(String::new());
        lines.push(match sampled.len() {
            1 => "1 field returns sample values".to_owned(),
            count => format!("{count} fields return sample values"),
        });
    }
    if denied {
        lines.push(format!(
            "failed: `--deny {}` does not allow these changes",
            limit.map_or("", Severity::as_str)
        ));
    }
    Ok(CommandOutput {
        lines,
        data: data.into_iter().collect(),
        annotations,
        page: None,
        denied,
    })
}

/// Broken documents of releases do not prevent the comparison, and become part of the output.
fn present(settings: &Settings, then: &Model) -> Result<(Model, Option<Report>), Failure> {
    match state::now(settings) {
        Ok(model) => Ok((model, None)),
        Err(Failure::Report(report))
            if report
                .diagnostics()
                .iter()
                .all(|found| found.code.slug == "release_broken") =>
        {
            let model = state::with_releases(settings, Vec::new())?;
            let releases = then.releases.clone();
            Ok((Model { releases, ..model }, Some(report)))
        }
        Err(failure) => Err(failure),
    }
}

/// Sorts by severity, highest first.
fn change_lines(revision: &Revision, changes: &[(Change, Vec<AffectedOperation>)]) -> Vec<String> {
    let against = format!("{} ({})", revision.name, revision.short());
    if changes.is_empty() {
        return vec![format!("no changes of schema or operations since {against}")];
    }
    let mut lines = vec![format!("since {against}")];
    let mut counts = Vec::new();
    for (severity, colour) in [
        (Severity::Breaking, "1;31"),
        (Severity::Dangerous, "1;33"),
        (Severity::Safe, "1;32"),
    ] {
        let group: Vec<_> = changes
            .iter()
            .filter(|(change, _)| change.severity() == severity)
            .collect();
        if group.is_empty() {
            continue;
        }
        counts.push(format!("{} {severity}", group.len()));
        lines.push(String::new());
        lines.push(paint(colour, severity.as_str()));
        for (change, touched) in group {
            lines.push(format!("  {change}"));
            if severity != Severity::Safe && !touched.is_empty() {
                let operations = touched
                    .iter()
                    .map(|touched| format!("{} ({})", touched.name, touched.file));
                lines.push(format!("      affects {}", operations.collect::<Vec<_>>().join(", ")));
            }
        }
    }
    lines.push(String::new());
    lines.push(counts.join(", "));
    lines
}

const MAX_LISTED: usize = 12;

fn resolver_lines(missing: &[Missing], orphaned: &[&Implementation], none_written: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if !missing.is_empty() {
        lines.push(String::new());
        lines.push(match (none_written, missing.len()) {
            (true, count) => format!("there are no resolvers yet; {count} are missing"),
            (false, 1) => "1 resolver is missing".to_owned(),
            (false, count) => format!("{count} resolvers are missing"),
        });
        for Missing { coordinate, name } in missing.iter().take(MAX_LISTED) {
            lines.push(format!("  resolve::{name}  (cargo traitql scaffold {coordinate})"));
        }
        if missing.len() > MAX_LISTED {
            lines.push(format!(
                "  and {} more: cargo traitql scaffold",
                missing.len() - MAX_LISTED
            ));
        }
    }
    if !orphaned.is_empty() {
        lines.push(String::new());
        lines.push(match orphaned.len() {
            1 => "1 resolver is orphaned".to_owned(),
            count => format!("{count} resolvers are orphaned"),
        });
        let line = |found: &&Implementation| {
            let Implementation { name, for_type, .. } = found;
            let what = if found.mocked {
                format!("field::{name} in traitql::mocked!")
            } else {
                format!("impl resolve::{name} for {for_type}")
            };
            format!("  {what}  {}:{}", found.file, found.line)
        };
        lines.extend(orphaned.iter().map(line));
    }
    lines
}

fn object((change, touched): &(Change, Vec<AffectedOperation>)) -> Value {
    change_object(change, touched)
}

pub(crate) fn change_object(change: &Change, touched: &[AffectedOperation]) -> Value {
    let facts = change.facts.iter().map(|fact| {
        json!({
            "kind": fact.kind.slug(),
            "severity": fact.kind.severity().as_str(),
            "message": fact.text,
            "explanation": fact.kind.explanation(),
        })
    });
    json!({
        "change": match change.sign {
            ChangeSign::Added => "added",
            ChangeSign::Removed => "removed",
            ChangeSign::Changed => "changed",
        },
        "coordinate": change.coordinate,
        "severity": change.severity().as_str(),
        "subject": change.subject,
        "facts": facts.collect::<Vec<_>>(),
        "file": change.origin.as_ref().map(|origin| origin.file.as_str()),
        "line": change.origin.as_ref().map(|origin| origin.line),
        "operations": touched
            .iter()
            .map(|touched| json!({ "name": touched.name, "file": touched.file }))
            .collect::<Vec<_>>(),
    })
}

fn resolvers_object(missing: &[Missing], orphaned: &[&Implementation], sampled: &[&Implementation]) -> Value {
    let missing = missing
        .iter()
        .map(|missing| json!({ "coordinate": missing.coordinate, "trait": missing.name }));
    let list = |found: &[&Implementation]| -> Value {
        let object = |found: &&Implementation| json!({ "trait": found.name, "for": found.for_type, "file": found.file, "line": found.line });
        found.iter().map(object).collect()
    };
    json!({
        "missing": missing.collect::<Vec<_>>(),
        "orphaned": list(orphaned),
        "sampled": list(sampled),
    })
}

/// Shows a removed definition at its former line.
fn annotations(
    changes: &[(Change, Vec<AffectedOperation>)],
    limit: Option<Severity>,
    orphaned: &[&Implementation],
) -> Vec<Annotation> {
    let unsafe_changes = changes.iter().filter(|(change, _)| change.severity() > Severity::Safe);
    let mut annotations: Vec<Annotation> = unsafe_changes
        .filter_map(|(change, touched)| {
            let origin = change.origin.as_ref()?;
            let names: Vec<&str> = touched.iter().map(|touched| touched.name.as_str()).collect();
            let facts = change.facts.iter().filter(|fact| fact.kind.severity() > Severity::Safe);
            let reasons: String = facts.map(|fact| format!("\n{}", fact.kind.explanation())).collect();
            let affected = if names.is_empty() {
                String::new()
            } else {
                format!("\nAffects {}.", names.join(", "))
            };
            Some(Annotation {
                level: match (change.severity(), limit) {
                    (severity, Some(limit)) if severity >= limit => Level::Error,
                    (Severity::Breaking, _) => Level::Warning,
                    _ => Level::Notice,
                },
                file: origin.file.clone(),
                line: origin.line,
                title: format!("{} change", change.severity()),
                text: format!("{change}{reasons}{affected}"),
            })
        })
        .collect();
    annotations.extend(orphaned.iter().map(|found| Annotation {
        level: Level::Warning,
        file: found.file.clone(),
        line: found.line,
        title: "orphaned resolver".to_owned(),
        text: format!("The schema no longer has a field for `resolve::{}`.", found.name),
    }));
    annotations
}
