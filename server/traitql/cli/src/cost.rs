use std::path::Path;

use serde_json::{Value, json};
use traitql_schema::diff::format_rate;
use traitql_schema::model::{Access, Field, Model, Operation, RootKind, Type};

use crate::git::Revision;
use crate::output::{self, CommandOutput, Failure};
use crate::{config, state};

const PUBLIC: &str = "public";

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    name: String,
    file: String,
    kind: &'static str,
    cost: u64,
    depth: u32,
    calls: u32,
    constant: bool,
    bytes: usize,
    hash: String,
    /// Strictest of the root fields.
    access: &'static str,
    /// Lowest first; empty if none is required.
    roles: Vec<String>,
    rates: Vec<String>,
}

pub(crate) fn run(config: &Path, revision: Option<&str>) -> Result<CommandOutput, Failure> {
    let settings = config::read(config)?;
    let model = state::now(&settings)?;
    let now = rows(&model);
    let Some(revision) = revision else {
        return Ok(CommandOutput {
            lines: table(&HEAD, &now.iter().map(cells).collect::<Vec<_>>(), &totals(&now)),
            page: Some(markdown(
                &HEAD,
                &now.iter().map(cells).collect::<Vec<_>>(),
                &totals(&now),
            )),
            data: [("operations".to_owned(), now.iter().map(object).collect())]
                .into_iter()
                .collect(),
            ..CommandOutput::default()
        });
    };
    let revision = Revision::find(&settings.root, revision)?;
    let before = rows(&state::at(&settings, &config::file_name(config), &revision)?);
    Ok(compared(&revision, &before, &now))
}

/// Returns all operations, sorted by descending cost.
fn rows(model: &Model) -> Vec<Row> {
    let mut rows: Vec<Row> = model.operations.iter().map(|operation| row(model, operation)).collect();
    rows.sort_by(|a, b| b.cost.cmp(&a.cost).then_with(|| a.name.cmp(&b.name)));
    rows
}

fn row(model: &Model, operation: &Operation) -> Row {
    let fields: Vec<&Field> = operation
        .root_fields
        .iter()
        .filter_map(|coordinate| root_field(model, coordinate))
        .collect();
    let all = roles(model);
    let strictness = |field: &&Field| match &field.access {
        None | Some(Access::Public) => 0,
        Some(Access::SignedIn { .. }) => 1,
        Some(Access::Role { role, .. }) => 2 + all.iter().position(|name| name == role).unwrap_or_default(),
    };
    let highest = fields.iter().map(strictness).max().unwrap_or_default();
    Row {
        name: operation.name.clone(),
        file: operation.origin.file.clone(),
        kind: match operation.kind {
            RootKind::Query => "query",
            RootKind::Mutation => "mutation",
            RootKind::Subscription => "subscription",
        },
        cost: operation.cost,
        depth: operation.depth,
        calls: operation.calls.max,
        constant: operation.calls.is_constant,
        bytes: operation.body.len(),
        hash: traitql_codegen::manifest::id(&operation.body),
        access: match highest {
            0 => PUBLIC,
            1 => "signed in",
            _ => "role",
        },
        roles: match highest {
            0 | 1 => Vec::new(),
            lowest => all.get(lowest - 2..).unwrap_or_default().to_vec(),
        },
        rates: fields
            .iter()
            .filter_map(|field| field.rate.as_ref().map(format_rate))
            .collect(),
    }
}

fn root_field<'m>(model: &'m Model, coordinate: &str) -> Option<&'m Field> {
    let (ty, name) = coordinate.split_once('.')?;
    match model.types.get(ty)? {
        Type::Object(object) => object.fields.iter().find(|field| field.name == name),
        _ => None,
    }
}

fn roles(model: &Model) -> Vec<String> {
    let name = model.role_enum.as_ref();
    match name.and_then(|name| model.types.get(name)) {
        Some(Type::Enum(roles)) => roles.values.iter().map(|value| value.name.clone()).collect(),
        _ => Vec::new(),
    }
}

type Column = (&'static str, bool);

const HEAD: [Column; 9] = [
    ("operation", false),
    ("", false),
    ("cost", true),
    ("depth", true),
    ("calls", true),
    ("bytes", true),
    ("access", false),
    ("rate", false),
    ("hash", false),
];

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.name.clone(),
        row.kind.to_owned(),
        row.cost.to_string(),
        row.depth.to_string(),
        calls(row),
        row.bytes.to_string(),
        access(row),
        row.rates.join("; "),
        row.hash.get(..8).unwrap_or_default().to_owned(),
    ]
}

/// Formats the number of resolver calls: `4` if it is constant, else `≤ 4`.
fn calls(row: &Row) -> String {
    if row.constant {
        row.calls.to_string()
    } else {
        format!("≤ {}", row.calls)
    }
}

fn access(row: &Row) -> String {
    match row.roles.as_slice() {
        [] if row.access == PUBLIC => "public".to_owned(),
        [] => row.access.to_owned(),
        [only] => only.clone(),
        [lowest, ..] => format!("{lowest} and above"),
    }
}

fn totals(rows: &[Row]) -> String {
    let bytes: usize = rows.iter().map(|row| row.bytes).sum();
    let max_cost = rows.iter().map(|row| row.cost).max().unwrap_or_default();
    let operations = output::count(rows.len(), "operation");
    format!("{operations}, {bytes} bytes, cost at most {max_cost}")
}

fn object(row: &Row) -> Value {
    json!({
        "name": row.name,
        "file": row.file,
        "type": row.kind,
        "cost": row.cost,
        "depth": row.depth,
        "calls": { "max": row.calls, "constant": row.constant },
        "bytes": row.bytes,
        "hash": row.hash,
        "access": row.access,
        "roles": row.roles,
        "rates": row.rates,
    })
}

fn compared(revision: &Revision, before: &[Row], now: &[Row]) -> CommandOutput {
    const HEAD: [Column; 4] = [("operation", false), ("metric", false), ("before", true), ("now", true)];
    let mut cells: Vec<Vec<String>> = Vec::new();
    let mut objects = Vec::new();
    for row in now {
        match before.iter().find(|earlier| earlier.name == row.name) {
            None => {
                let description = format!("new: cost {}, calls {}, {}", row.cost, calls(row), access(row));
                cells.push(vec![row.name.clone(), description, String::new(), String::new()]);
                objects.push(json!({ "name": row.name, "before": null, "now": object(row) }));
            }
            Some(earlier) if earlier != row => {
                let pairs = differences(earlier, row);
                if pairs.is_empty() {
                    continue;
                }
                for (metric, before, now) in pairs {
                    cells.push(vec![row.name.clone(), metric.to_owned(), before, now]);
                }
                objects.push(json!({ "name": row.name, "before": object(earlier), "now": object(row) }));
            }
            Some(_) => {}
        }
    }
    for row in before
        .iter()
        .filter(|row| !now.iter().any(|later| later.name == row.name))
    {
        let description = format!("removed: cost {}", row.cost);
        cells.push(vec![row.name.clone(), description, String::new(), String::new()]);
        objects.push(json!({ "name": row.name, "before": object(row), "now": null }));
    }
    let against = json!({ "name": revision.name, "commit": revision.short() });
    let data = [
        ("against".to_owned(), against),
        ("changed".to_owned(), Value::Array(objects)),
    ];
    let name = format!("{} ({})", revision.name, revision.short());
    let unchanged = format!("no metric of an operation changed since {name}");
    let summary = format!("{}; at {name}: {}", totals(now), totals(before));
    let (lines, page) = if cells.is_empty() {
        (vec![unchanged.clone()], unchanged)
    } else {
        (table(&HEAD, &cells, &summary), markdown(&HEAD, &cells, &summary))
    };
    CommandOutput {
        lines,
        page: Some(page),
        data: data.into_iter().collect(),
        ..CommandOutput::default()
    }
}

fn differences(before: &Row, now: &Row) -> Vec<(&'static str, String, String)> {
    let pairs = [
        ("cost", before.cost.to_string(), now.cost.to_string()),
        ("depth", before.depth.to_string(), now.depth.to_string()),
        ("calls", calls(before), calls(now)),
        ("bytes", before.bytes.to_string(), now.bytes.to_string()),
        ("access", access(before), access(now)),
        ("rate", before.rates.join("; "), now.rates.join("; ")),
        (
            "hash",
            before.hash.get(..8).unwrap_or_default().to_owned(),
            now.hash.get(..8).unwrap_or_default().to_owned(),
        ),
    ];
    pairs.into_iter().filter(|(_, before, now)| before != now).collect()
}

/// Right-aligns numbers.
fn table(head: &[Column], rows: &[Vec<String>], summary: &str) -> Vec<String> {
    let titles: Vec<String> = head.iter().map(|(title, _)| (*title).to_owned()).collect();
    let width = |column: usize| {
        let cells = rows.iter().chain([&titles]).map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).zip(head).map(|((cell, width), (_, numbers))| {
            let gap = " ".repeat(width - cell.chars().count());
            if *numbers {
                format!("{gap}{cell}")
            } else {
                format!("{cell}{gap}")
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&titles)];
    lines.extend(rows.iter().map(line));
    lines.push(String::new());
    lines.push(summary.to_owned());
    lines
}

fn markdown(head: &[Column], rows: &[Vec<String>], summary: &str) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut page = line(head.iter().map(|(title, _)| (*title).to_owned()).collect());
    page += &line(
        head.iter()
            .map(|(_, numbers)| if *numbers { "---:" } else { "---" }.to_owned())
            .collect(),
    );
    for row in rows {
        let mut cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        cells[0] = format!("`{}`", cells[0]);
        page += &line(cells);
    }
    format!("{page}\n{summary}\n")
}
