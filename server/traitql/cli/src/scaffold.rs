//! Appended text has the line endings of the file, and `use` declarations for missing imports.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::json;
use syn::Item;
use traitql_codegen::{FileContext, Resolver, Scaffold};
use traitql_schema::model::{Model, Type};
use traitql_schema::nearest;

use crate::config::{self, Settings};
use crate::output::{Annotation, CommandOutput, Failure, Level, Problem};
use crate::resolvers::{self, Implementation, Imports};
use crate::state;

#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    pub(crate) what: Option<&'a str>,
    pub(crate) into: Option<&'a str>,
    pub(crate) for_type: Option<&'a str>,
}

pub(crate) fn run(config: &Path, request: &Request<'_>) -> Result<CommandOutput, Failure> {
    if let Some(name) = request
        .for_type
        .filter(|name| syn::parse_str::<syn::TypePath>(name).is_err())
    {
        return Err(Failure::message(format!(
            "`--for`: `{name}` is not a Rust type; use for example `--for App`"
        )));
    }
    let settings = config::read(config)?;
    let model = state::now(&settings)?;
    let all = traitql_codegen::resolvers(&model, &settings.codegen);
    let selected = select(&model, &all, request.what)?;
    let written = resolvers::written(&settings)?;
    let missing: Vec<&Resolver> = selected
        .iter()
        .copied()
        .filter(|resolver| !written.iter().any(|found| found.name == resolver.name))
        .collect();
    let coordinates: Vec<String> = missing.iter().map(|resolver| resolver.coordinate.clone()).collect();
    if missing.is_empty() {
        return Ok(CommandOutput {
            annotations: existing(&selected, &written),
            ..answer(vec![nothing_missing(&selected, &written)], &coordinates)
        });
    }
    match request.into {
        None => {
            let context = file_context(&settings, request, &written, "", &[]);
            let scaffold = traitql_codegen::scaffold(&model, &settings.codegen, &coordinates, &context);
            Ok(answer(vec![full_text(&scaffold).trim_end().to_owned()], &coordinates))
        }
        Some(path) => {
            let notes = append(&settings, &model, request, &written, path, &coordinates)?;
            let count = match coordinates.len() {
                1 => "1 resolver".to_owned(),
                count => format!("{count} resolvers"),
            };
            let mut lines = vec![format!("appended {count} to {path}: {}", coordinates.join(", "))];
            lines.push("each body is `todo!`, which compiles but panics when it is called".to_owned());
            lines.extend(notes);
            Ok(answer(lines, &coordinates))
        }
    }
}

fn answer(lines: Vec<String>, coordinates: &[String]) -> CommandOutput {
    CommandOutput {
        data: [("scaffolded".to_owned(), json!(coordinates))].into_iter().collect(),
        ..CommandOutput::of(lines)
    }
}

fn select<'r>(model: &Model, all: &'r [Resolver], what: Option<&str>) -> Result<Vec<&'r Resolver>, Failure> {
    let Some(what) = what else {
        return Ok(all.iter().collect());
    };
    let owner = |resolver: &Resolver| resolver.coordinate.split('.').next().unwrap_or_default().to_owned();
    let selected: Vec<&Resolver> = all
        .iter()
        .filter(|resolver| resolver.coordinate == what || owner(resolver) == what)
        .collect();
    if !selected.is_empty() {
        return Ok(selected);
    }
    let help = match what.split_once('.') {
        Some((ty, field)) if has_field(model, ty, field) => {
            format!("`{what}` is data: a field of the struct `{ty}`. Add `@resolve` if it needs a resolver")
        }
        None if model.types.contains_key(what) => format!("no field of `{what}` needs a resolver"),
        _ => {
            let owners: Vec<String> = all.iter().map(owner).collect();
            let names = all.iter().map(|resolver| resolver.coordinate.as_str());
            let names = names.chain(owners.iter().map(String::as_str));
            match nearest(what, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "use a type of the schema (`Tour`) or a field (`Tour.draft`)".to_owned(),
            }
        }
    };
    Err(Failure::message(format!(
        "there is no resolver for `{what}`\n  = help: {help}"
    )))
}

fn has_field(model: &Model, ty: &str, field: &str) -> bool {
    let fields = match model.types.get(ty) {
        Some(Type::Object(object)) => &object.fields,
        Some(Type::Interface(interface)) => &interface.fields,
        _ => return false,
    };
    fields.iter().any(|known| known.name == field)
}

fn nothing_missing(selected: &[&Resolver], written: &[Implementation]) -> String {
    let position = |resolver: &&Resolver| {
        let found = written.iter().find(|found| found.name == resolver.name)?;
        Some((format!("{}:{}", found.file, found.line), found.mocked))
    };
    match selected {
        [one] => match position(one).unwrap_or_default() {
            (at, true) => format!("{} is mocked: remove it from {at} first", one.coordinate),
            (at, false) => format!("{} already has a resolver: {at}", one.coordinate),
        },
        several => {
            let found = several.iter().filter_map(position);
            let mocked: Vec<_> = found.filter(|(_, mocked)| *mocked).collect();
            match mocked.first() {
                None => format!("all {} resolvers already exist", several.len()),
                Some((at, _)) => format!(
                    "all {} resolvers already exist; {} mocked: remove one from the list at {at} before you write it",
                    several.len(),
                    match mocked.len() {
                        1 => "1 is".to_owned(),
                        count => format!("{count} are"),
                    },
                ),
            }
        }
    }
}

fn existing(selected: &[&Resolver], written: &[Implementation]) -> Vec<Annotation> {
    let found = |resolver: &&Resolver| {
        let found = written.iter().find(|found| found.name == resolver.name)?;
        Some(Annotation {
            level: Level::Notice,
            file: found.file.clone(),
            line: found.line,
            title: resolver.coordinate.clone(),
            text: if found.mocked {
                "returns sample values".to_owned()
            } else {
                "resolved here".to_owned()
            },
        })
    };
    selected.iter().filter_map(found).collect()
}

fn append(
    settings: &Settings,
    model: &Model,
    request: &Request<'_>,
    written: &[Implementation],
    path: &str,
    coordinates: &[String],
) -> Result<Vec<String>, Failure> {
    // Errors have paths relative to the project.
    let file_path = Path::new(path);
    let shown = relative(settings, file_path);
    let problem = |message: String| {
        Failure::Problems(vec![Problem {
            file: Some(shown.clone()),
            message,
            ..Problem::default()
        }])
    };
    if shown.starts_with(&format!("{}/", settings.generated_folder())) {
        return Err(problem(
            "this folder may contain only generated files; use another file".to_owned(),
        ));
    }
    let (text, is_new) = match fs::read_to_string(file_path) {
        Ok(text) => (text, false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), true),
        Err(error) => return Err(problem(format!("cannot read it: {error}"))),
    };
    let file =
        syn::parse_file(&text).map_err(|error| problem(format!("this file cannot be parsed as Rust: {error}")))?;
    let context = file_context(settings, request, written, &shown, &file.items);
    let scaffold = traitql_codegen::scaffold(model, &settings.codegen, coordinates, &context);
    let addition = addition(&text, &full_text(&scaffold));
    let mut options = fs::OpenOptions::new();
    let opened = options.append(true).create(true).open(file_path);
    opened
        .and_then(|mut file| file.write_all(addition.as_bytes()))
        .map_err(|error| problem(format!("cannot write it: {error}")))?;
    let mut notes = Vec::new();
    if is_new {
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
        notes.push(format!("the file is new: add `mod {name};` to its parent module"));
    }
    let is_known = context.imported.contains(&context.for_type)
        || context.for_type.contains("::")
        || file
            .items
            .iter()
            .any(|item| item_name(item).is_some_and(|name| name == context.for_type));
    if !is_known {
        notes.push(format!(
            "`{}` is not defined in the file; import it, or set another type with `--for`",
            context.for_type
        ));
    }
    Ok(notes)
}

fn relative(settings: &Settings, path: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let root = absolute(if settings.root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        &settings.root
    });
    let path = absolute(path);
    path.strip_prefix(&root)
        .unwrap_or(&path)
        .to_string_lossy()
        .replace('\\', "/")
}

fn full_text(scaffold: &Scaffold) -> String {
    let uses: String = scaffold.uses.concat();
    if uses.is_empty() {
        scaffold.text.clone()
    } else {
        format!("{uses}\n{}", scaffold.text)
    }
}

/// Adds a blank line before `stubs`, and uses the line endings of `text`.
fn addition(text: &str, stubs: &str) -> String {
    let is_crlf = text.contains("\r\n");
    let gap = match text {
        "" => "",
        text if text.ends_with("\n\n") || text.ends_with("\n\r\n") => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let addition = format!("{gap}{stubs}");
    if is_crlf {
        addition.replace('\n', "\r\n")
    } else {
        addition
    }
}

fn file_context(
    settings: &Settings,
    request: &Request<'_>,
    written: &[Implementation],
    path: &str,
    items: &[Item],
) -> FileContext {
    let imports = Imports::of(items);
    let in_file = written.iter().filter(|found| found.file == path);
    let for_type = request
        .for_type
        .map(str::to_owned)
        .or_else(|| most_frequent(in_file.map(|found| found.for_type.as_str())))
        .or_else(|| most_frequent(written.iter().map(|found| found.for_type.as_str())))
        .unwrap_or_else(|| "App".to_owned());
    let generated = imports
        .names
        .values()
        .find_map(|path| {
            let (last, module) = path.split_last()?;
            (matches!(last.as_str(), "resolve" | "field" | "role") && !module.is_empty()).then(|| module.join("::"))
        })
        .unwrap_or_else(|| path_of_generated(settings, path));
    let taken = items.iter().filter_map(item_name).collect();
    let imported = imports.names.into_keys().collect();
    FileContext {
        for_type,
        generated,
        imported,
        taken,
    }
}

/// Returns a module in the same crate, else the name of the dependency.
fn path_of_generated(settings: &Settings, path: &str) -> String {
    let folder = &settings.codegen.crate_dir;
    let sources = match folder.as_str() {
        "." => "src/".to_owned(),
        folder => format!("{folder}/src/"),
    };
    let is_binary = path.ends_with("src/main.rs") || path.contains("/src/bin/") || path.starts_with("src/bin/");
    if path.starts_with(&sources) && !is_binary {
        settings.codegen.module()
    } else {
        resolvers::package(settings).replace('-', "_")
    }
}

fn most_frequent<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map(|(name, _)| name.to_owned())
}

fn item_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Struct(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Mod(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_appended_with_the_line_endings_of_the_file() {
        for (text, expected) in [
            ("", "a\nb\n"),
            ("one\n", "\na\nb\n"),
            ("one", "\n\na\nb\n"),
            ("one\n\n", "a\nb\n"),
            ("one\r\n", "\r\na\r\nb\r\n"),
            ("one\r\ntwo", "\r\n\r\na\r\nb\r\n"),
        ] {
            assert_eq!(addition(text, "a\nb\n"), expected, "appended to {text:?}");
        }
    }
}
