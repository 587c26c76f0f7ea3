//! `traitql scaffold`: missing resolvers, as `impl`s to fill in. Printed, or appended to a file that people write.
//!
//! What is in the file stays as it is to the byte; the new text comes behind it, with the line breaks that the file
//! has. It brings its own `use`s, for names that the file has not imported yet.

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
use crate::output::{Annotation, Answer, Failure, Level, Problem};
use crate::resolvers::{self, Implementation, Imports};
use crate::state;

/// What the person asks for.
#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    /// A type, or a coordinate; all that is missing when there is none.
    pub(crate) what: Option<&'a str>,
    /// The file to append to.
    pub(crate) into: Option<&'a str>,
    /// The type that resolves.
    pub(crate) for_type: Option<&'a str>,
}

pub(crate) fn run(config: &Path, request: &Request<'_>) -> Result<Answer, Failure> {
    if let Some(name) = request
        .for_type
        .filter(|name| syn::parse_str::<syn::TypePath>(name).is_err())
    {
        return Err(Failure::message(format!(
            "`--for`: `{name}` is no type of Rust; write one as in `--for App`"
        )));
    }
    let settings = config::read(config)?;
    let model = state::now(&settings)?;
    let all = traitql_codegen::resolvers(&model, &settings.codegen);
    let chosen = chosen(&model, &all, request.what)?;
    let written = resolvers::written(&settings)?;
    let missing: Vec<&Resolver> = chosen
        .iter()
        .copied()
        .filter(|resolver| !written.iter().any(|found| found.name == resolver.name))
        .collect();
    let coordinates: Vec<String> = missing.iter().map(|resolver| resolver.coordinate.clone()).collect();
    if missing.is_empty() {
        return Ok(Answer {
            annotations: there(&chosen, &written),
            ..answer(vec![nothing(&chosen, &written)], &coordinates)
        });
    }
    match request.into {
        None => {
            let around = around(&settings, request, &written, "", &[]);
            let scaffold = traitql_codegen::scaffold(&model, &settings.codegen, &coordinates, &around);
            Ok(answer(vec![appendix(&scaffold).trim_end().to_owned()], &coordinates))
        }
        Some(path) => {
            let text = append(&settings, &model, request, &written, path, &coordinates)?;
            let count = match coordinates.len() {
                1 => "1 resolver".to_owned(),
                count => format!("{count} resolvers"),
            };
            let mut lines = vec![format!("appended {count} to {path}: {}", coordinates.join(", "))];
            lines.push("each body is `todo!`: it compiles, and panics when it is called".to_owned());
            lines.extend(text);
            Ok(answer(lines, &coordinates))
        }
    }
}

fn answer(lines: Vec<String>, coordinates: &[String]) -> Answer {
    Answer {
        data: [("scaffolded".to_owned(), json!(coordinates))].into_iter().collect(),
        ..Answer::of(lines)
    }
}

/// The resolvers of a type, or one of them.
fn chosen<'r>(model: &Model, all: &'r [Resolver], what: Option<&str>) -> Result<Vec<&'r Resolver>, Failure> {
    let Some(what) = what else {
        return Ok(all.iter().collect());
    };
    let owner = |resolver: &Resolver| resolver.coordinate.split('.').next().unwrap_or_default().to_owned();
    let chosen: Vec<&Resolver> = all
        .iter()
        .filter(|resolver| resolver.coordinate == what || owner(resolver) == what)
        .collect();
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let help = match what.split_once('.') {
        Some((ty, field)) if has_field(model, ty, field) => {
            format!("`{what}` is data: a field of the struct `{ty}`. Mark it `@resolve` if it needs a resolver")
        }
        None if model.types.contains_key(what) => format!("no field of `{what}` needs a resolver"),
        _ => {
            let owners: Vec<String> = all.iter().map(owner).collect();
            let names = all.iter().map(|resolver| resolver.coordinate.as_str());
            let names = names.chain(owners.iter().map(String::as_str));
            match nearest(what, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a type of the schema (`Tour`), or one field of it (`Tour.draft`)".to_owned(),
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

fn nothing(chosen: &[&Resolver], written: &[Implementation]) -> String {
    let place = |resolver: &&Resolver| {
        let found = written.iter().find(|found| found.name == resolver.name)?;
        Some((format!("{}:{}", found.file, found.line), found.mocked))
    };
    match chosen {
        [one] => match place(one).unwrap_or_default() {
            (at, true) => format!("{} is mocked: take it out of {at} first", one.coordinate),
            (at, false) => format!("{} is resolved already: {at}", one.coordinate),
        },
        several => format!("all {} resolvers are written already", several.len()),
    }
}

/// Where the resolvers are that are written already, for a pull request that shows files at their places.
fn there(chosen: &[&Resolver], written: &[Implementation]) -> Vec<Annotation> {
    let found = |resolver: &&Resolver| {
        let found = written.iter().find(|found| found.name == resolver.name)?;
        Some(Annotation {
            level: Level::Notice,
            file: found.file.clone(),
            line: found.line,
            title: resolver.coordinate.clone(),
            text: match found.mocked {
                true => "answered with sample values".to_owned(),
                false => "resolved here".to_owned(),
            },
        })
    };
    chosen.iter().filter_map(found).collect()
}

/// Appends to a file and says what is left to do there.
fn append(
    settings: &Settings,
    model: &Model,
    request: &Request<'_>,
    written: &[Implementation],
    path: &str,
    coordinates: &[String],
) -> Result<Vec<String>, Failure> {
    // The file is named from where the command was started, like any other; the project's own paths begin at its
    // folder, and so do those of problems.
    let whole = Path::new(path);
    let shown = relative(settings, whole);
    let problem = |message: String| {
        Failure::Problems(vec![Problem {
            file: Some(shown.clone()),
            message,
            ..Problem::default()
        }])
    };
    if shown.starts_with(&format!("{}/", settings.generated_folder())) {
        return Err(problem(
            "this folder belongs to the generator; name a file of your own".to_owned(),
        ));
    }
    let (text, is_new) = match fs::read_to_string(whole) {
        Ok(text) => (text, false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), true),
        Err(error) => return Err(problem(format!("cannot read it: {error}"))),
    };
    let file = syn::parse_file(&text)
        .map_err(|error| problem(format!("this is not Rust yet, so its imports cannot be seen: {error}")))?;
    let around = around(settings, request, written, &shown, &file.items);
    let scaffold = traitql_codegen::scaffold(model, &settings.codegen, coordinates, &around);
    let addition = behind(&text, &appendix(&scaffold));
    let mut options = fs::OpenOptions::new();
    let opened = options.append(true).create(true).open(whole);
    opened
        .and_then(|mut file| file.write_all(addition.as_bytes()))
        .map_err(|error| problem(format!("cannot write it: {error}")))?;
    let mut left = Vec::new();
    if is_new {
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
        left.push(format!(
            "the file is new: `mod {name};` in the module above makes it known"
        ));
    }
    let is_known = around.imported.contains(&around.for_type)
        || around.for_type.contains("::")
        || file
            .items
            .iter()
            .any(|item| item_name(item).is_some_and(|name| name == around.for_type));
    if !is_known {
        left.push(format!(
            "`{}` stands for the type that resolves; import it, or say another with `--for`",
            around.for_type
        ));
    }
    Ok(left)
}

/// A path as the project names it.
fn relative(settings: &Settings, path: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let root = absolute(match settings.root.as_os_str().is_empty() {
        true => Path::new("."),
        false => &settings.root,
    });
    let path = absolute(path);
    path.strip_prefix(&root)
        .unwrap_or(&path)
        .to_string_lossy()
        .replace('\\', "/")
}

fn appendix(scaffold: &Scaffold) -> String {
    let uses: String = scaffold.uses.concat();
    match uses.is_empty() {
        true => scaffold.text.clone(),
        false => format!("{uses}\n{}", scaffold.text),
    }
}

/// What is to be written behind a text: a blank line between, and the text's own line breaks.
fn behind(text: &str, addition: &str) -> String {
    let windows = text.contains("\r\n");
    let gap = match text {
        "" => "",
        text if text.ends_with("\n\n") || text.ends_with("\n\r\n") => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let addition = format!("{gap}{addition}");
    match windows {
        true => addition.replace('\n', "\r\n"),
        false => addition,
    }
}

/// What the new text must know about its file.
fn around(
    settings: &Settings,
    request: &Request<'_>,
    written: &[Implementation],
    path: &str,
    items: &[Item],
) -> FileContext {
    let imports = Imports::of(items);
    let here = written.iter().filter(|found| found.file == path);
    let for_type = request
        .for_type
        .map(str::to_owned)
        .or_else(|| most_frequent(here.map(|found| found.for_type.as_str())))
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

/// Path of the generated code, seen from a file: inside its crate it is a module, outside a dependency.
fn path_of_generated(settings: &Settings, path: &str) -> String {
    let folder = &settings.codegen.crate_dir;
    let sources = match folder.as_str() {
        "." => "src/".to_owned(),
        folder => format!("{folder}/src/"),
    };
    let is_binary = path.ends_with("src/main.rs") || path.contains("/src/bin/") || path.starts_with("src/bin/");
    match path.starts_with(&sources) && !is_binary {
        true => settings.codegen.module(),
        false => resolvers::package(settings).replace('-', "_"),
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

/// The name that an item of a file takes.
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
    fn what_is_in_a_file_stays_whatever_its_line_breaks_are() {
        for (text, addition) in [
            ("", "a\nb\n"),
            ("one\n", "\na\nb\n"),
            ("one", "\n\na\nb\n"),
            ("one\n\n", "a\nb\n"),
            ("one\r\n", "\r\na\r\nb\r\n"),
            ("one\r\ntwo", "\r\n\r\na\r\nb\r\n"),
        ] {
            assert_eq!(behind(text, "a\nb\n"), addition, "behind {text:?}");
        }
    }
}
