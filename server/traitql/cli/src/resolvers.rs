//! Finds `impl resolve::TourDraft for App`, with any path or import, in all crates that use the generated one, but not
//! in tests, benchmarks and macros. `traitql::mocked!` counts as sample values.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, UseTree};

use crate::config::Settings;
use crate::files;
use crate::output::Failure;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Implementation {
    /// Name of the trait: `TourDraft`.
    pub(crate) name: String,
    /// The type as it is written: `App`.
    pub(crate) for_type: String,
    pub(crate) file: String,
    pub(crate) line: usize,
    /// True if the field is in `traitql::mocked!`.
    pub(crate) mocked: bool,
}

pub(crate) fn written(settings: &Settings) -> Result<Vec<Implementation>, Failure> {
    let mut paths = BTreeSet::new();
    files::walk(&settings.root, "", &mut paths)?;
    let generated = format!("{}/", settings.generated_folder());
    // Another project.
    let others: Vec<String> = paths
        .iter()
        .filter_map(|path| path.strip_suffix("codegen.yml").filter(|folder| !folder.is_empty()))
        .map(str::to_owned)
        .collect();
    let manifests: BTreeSet<&str> = paths
        .iter()
        .filter_map(|path| {
            path.strip_suffix("Cargo.toml")
                .filter(|folder| folder.is_empty() || folder.ends_with('/'))
        })
        .collect();
    let package = package(settings);
    let mut uses_package: BTreeMap<&str, bool> = BTreeMap::new();
    let mut found = Vec::new();
    for path in paths.iter().filter(|path| path.ends_with(".rs")) {
        let is_test = path.split('/').any(|part| matches!(part, "tests" | "benches"));
        if is_test || path.starts_with(&generated) || others.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let crate_folder = manifests
            .iter()
            .filter(|folder| path.starts_with(**folder))
            .max_by_key(|folder| folder.len());
        let Some(crate_folder) = crate_folder else { continue };
        let uses = *uses_package.entry(crate_folder).or_insert_with(|| {
            let text = fs::read_to_string(settings.root.join(format!("{crate_folder}Cargo.toml"))).unwrap_or_default();
            mentions(&text, &package)
        });
        if !uses {
            continue;
        }
        let text = fs::read_to_string(settings.root.join(path))
            .map_err(|error| Failure::message(format!("cannot read {path}: {error}")))?;
        let listed = mocked(&text).into_iter().map(|found| (found, true));
        let all = in_text(&text).into_iter().map(|found| (found, false)).chain(listed);
        found.extend(all.map(|((name, for_type, line), mocked)| Implementation {
            name,
            for_type,
            file: path.clone(),
            line,
            mocked,
        }));
    }
    found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    Ok(found)
}

pub(crate) fn package(settings: &Settings) -> String {
    let folder = settings.root.join(&settings.codegen.crate_dir);
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let mut lines = text
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "[package]")
        .skip(1);
    let name = lines.find_map(|line| {
        let value = line.strip_prefix("name")?.trim_start().strip_prefix('=')?;
        Some(value.trim().trim_matches('"').to_owned())
    });
    let last = || {
        settings
            .codegen
            .crate_dir
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    name.unwrap_or_else(last)
}

fn mentions(manifest: &str, package: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    manifest.match_indices(package).any(|(at, _)| {
        let (before, after) = (&manifest[..at], &manifest[at + package.len()..]);
        !package.is_empty() && !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

fn in_text(text: &str) -> Vec<(String, String, usize)> {
    // Parsing is slow, and most files have no resolvers.
    if !text.contains("resolve") {
        return Vec::new();
    }
    let Ok(file) = syn::parse_file(text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    items(&file.items, text, &mut found);
    found
}

fn mocked(text: &str) -> Vec<(String, String, usize)> {
    let file = text.contains("mocked!").then(|| syn::parse_file(text).ok()).flatten();
    let lists = file.iter().flat_map(|file| &file.items).filter_map(|item| match item {
        Item::Macro(item) if item.mac.path.segments.last()?.ident == "mocked" => item.mac.parse_body::<Mocked>().ok(),
        _ => None,
    });
    let line = |name: &str| {
        let is_it = |line: &str| line.trim().trim_end_matches(',').ends_with(&format!("::{name}"));
        text.lines().position(is_it).map_or(1, |index| index + 1)
    };
    lists
        .flat_map(|list| list.fields.into_iter().map(move |field| (field, list.for_type.clone())))
        .map(|(field, for_type)| {
            let line = line(&field);
            (field, for_type, line)
        })
        .collect()
}

/// The input of `mocked!`: `App: field::QueryTours, field::TourDraft`.
struct Mocked {
    for_type: String,
    fields: Vec<String>,
}

impl Parse for Mocked {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = |path: syn::Path| {
            path.segments
                .last()
                .map_or_else(String::new, |last| last.ident.to_string())
        };
        let for_type = name(input.parse()?);
        input.parse::<syn::Token![:]>()?;
        let fields = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated(input)?;
        Ok(Self {
            for_type,
            fields: fields.into_iter().map(name).collect(),
        })
    }
}

fn items(items: &[Item], text: &str, found: &mut Vec<(String, String, usize)>) {
    let imports = Imports::of(items);
    for item in items {
        match item {
            Item::Impl(item) if !is_for_tests(&item.attrs) => {
                let Some((path, for_type)) = item.trait_.as_ref().map(|(path, _)| (path, &*item.self_ty)) else {
                    continue;
                };
                let Some(name) = imports.trait_name(path) else { continue };
                let for_type = prettyplease::unparse(&type_alias(for_type));
                let for_type = for_type
                    .trim_start_matches("type T = ")
                    .trim_end()
                    .trim_end_matches(';')
                    .to_owned();
                let line = line_of(
                    text,
                    &path
                        .segments
                        .last()
                        .map_or_else(String::new, |last| last.ident.to_string()),
                );
                found.push((name, for_type, line));
            }
            Item::Mod(module) if !is_for_tests(&module.attrs) => {
                if let Some((_, inner)) = &module.content {
                    self::items(inner, text, found);
                }
            }
            _ => {}
        }
    }
}

/// prettyplease formats only files.
fn type_alias(ty: &syn::Type) -> syn::File {
    syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![syn::parse_quote! { type T = #ty; }],
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string().contains("test"))
    })
}

/// Starts at 1. syn provides lines only within macros.
fn line_of(text: &str, name: &str) -> usize {
    let is_it = |line: &str| {
        let Some(at) = line.find("impl") else { return false };
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let rest = &line[at..];
        let mut matches = rest.match_indices(name);
        matches.any(|(at, _)| !rest[..at].ends_with(is_part) && !rest[at + name.len()..].starts_with(is_part))
    };
    text.lines().position(is_it).map_or(1, |index| index + 1)
}

#[derive(Debug, Default)]
pub(crate) struct Imports {
    pub(crate) names: BTreeMap<String, Vec<String>>,
    pub(crate) globs: Vec<Vec<String>>,
}

impl Imports {
    pub(crate) fn of(items: &[Item]) -> Self {
        let mut imports = Self::default();
        for item in items {
            if let Item::Use(item) = item {
                imports.add(&item.tree, &mut Vec::new());
            }
        }
        imports
    }

    fn add(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.add(&inner.tree, path);
                path.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(tree, path)),
            UseTree::Glob(_) => self.globs.push(path.clone()),
            UseTree::Name(name) => self.named(name.ident.to_string(), name.ident.to_string(), path),
            UseTree::Rename(rename) => self.named(rename.rename.to_string(), rename.ident.to_string(), path),
        }
    }

    fn named(&mut self, name: String, original: String, path: &[String]) {
        let mut full_path = path.to_vec();
        let name = match original.as_str() {
            // `use traitql::{self}` imports `traitql`.
            "self" if name == "self" => path.last().cloned().unwrap_or(name),
            "self" => name,
            _ => {
                full_path.push(original);
                name
            }
        };
        self.names.insert(name, full_path);
    }

    /// Returns `None` unless the path refers to a module `resolve`.
    fn trait_name(&self, path: &syn::Path) -> Option<String> {
        let written: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let first = written.first()?;
        let full_path = match self.names.get(first) {
            Some(import) => import.iter().chain(&written[1..]).cloned().collect(),
            None if written.len() == 1 => {
                let glob = self
                    .globs
                    .iter()
                    .find(|glob| glob.last().is_some_and(|last| last == "resolve"))?;
                glob.iter().chain(&written).cloned().collect()
            }
            None => written,
        };
        let [.., module, name] = full_path.as_slice() else {
            return None;
        };
        (module == "resolve").then(|| name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mocked_fields_are_found_with_their_lines() {
        let text = "//! Fields.\n\nuse crate::App;\n\ntraitql::mocked! { App:\n    api::field::TourDraft,\n    api::field::TourSteps,\n}\n";
        let found = |name: &str, line| (name.to_owned(), "App".to_owned(), line);
        assert_eq!(mocked(text), [found("TourDraft", 6), found("TourSteps", 7)]);
        assert!(mocked("other! { App: api::field::TourDraft }").is_empty());
    }

    #[test]
    fn implementations_are_found_with_any_path_or_import() {
        let text = "use api::{field, resolve, resolve::TourDraft as Draft};\n\
            impl resolve::QueryTour for App {}\n\
            impl Draft for App {}\n\
            impl api::resolve::QueryTours for crate::App {}\n\
            impl Clone for App {}\n\
            mod inner {\n    use api::resolve::*;\n    impl TourSites for super::App {}\n}\n\
            #[cfg(test)]\nmod tests {\n    impl api::resolve::QueryHidden for Mock {}\n}\n";
        let found = in_text(text);
        let found: Vec<(&str, &str, usize)> = found
            .iter()
            .map(|(name, ty, line)| (name.as_str(), ty.as_str(), *line))
            .collect();
        assert_eq!(
            found,
            [
                ("QueryTour", "App", 2),
                ("TourDraft", "App", 3),
                ("QueryTours", "crate::App", 4),
                ("TourSites", "super::App", 8),
            ]
        );
    }

    #[test]
    fn package_names_match_only_as_whole_words() {
        assert!(mentions("[dependencies]\ntour-api.workspace = true\n", "tour-api"));
        assert!(!mentions("[dependencies]\ntour-api-client = \"1\"\n", "tour-api"));
        assert!(!mentions("[dependencies]\nmy-tour-api = \"1\"\n", "tour-api"));
    }
}
