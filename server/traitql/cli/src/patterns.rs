//! A pattern without matches is an error if it is probably a typo, which would remove all operations: other GraphQL
//! files match no pattern, a similar folder exists, or files were generated from it before.

use std::collections::BTreeSet;
use std::path::Path;

use traitql_schema::nearest;

use crate::files::{is_generated, walk};
use crate::glob;
use crate::output::{Failure, Position, Problem, count};

#[derive(Debug, Clone, Default)]
pub(crate) struct Patterns {
    /// Key or option: `documents`, `--operations`.
    name: String,
    /// The file of the patterns, unless they are from the command line.
    file: Option<String>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
pub(crate) struct PatternContext<'a> {
    /// Excludes their files from suggestions.
    pub(crate) others: Option<&'a Patterns>,
    pub(crate) had_files: &'a dyn Fn() -> bool,
}

impl PatternContext<'_> {
    pub(crate) const NOTHING: Self = Self {
        others: None,
        had_files: &|| true,
    };
}

#[derive(Debug, Clone)]
struct Entry {
    text: String,
    at: Option<Position>,
    /// `!` excludes files.
    is_exclusion: bool,
    alternatives: Vec<String>,
}

impl Entry {
    fn new(text: &str, at: Option<Position>) -> Self {
        let bare = text.strip_prefix('!');
        Self {
            text: text.to_owned(),
            at,
            is_exclusion: bare.is_some(),
            alternatives: glob::alternatives(bare.unwrap_or(text)),
        }
    }

    fn matches(&self, path: &str) -> bool {
        self.alternatives.iter().any(|pattern| glob::matches(pattern, path))
    }
}

impl Patterns {
    pub(crate) fn of_file(name: &str, file: &str, patterns: Vec<(String, Position)>) -> Self {
        Self {
            name: name.to_owned(),
            file: Some(file.to_owned()),
            entries: patterns.iter().map(|(text, at)| Entry::new(text, Some(*at))).collect(),
        }
    }

    pub(crate) fn of_option(name: &str, patterns: &[String]) -> Self {
        Self {
            name: name.to_owned(),
            file: None,
            entries: patterns.iter().map(|text| Entry::new(text, None)).collect(),
        }
    }

    pub(crate) fn shown(&self) -> String {
        let texts: Vec<&str> = self.entries.iter().map(|entry| entry.text.as_str()).collect();
        texts.join(", ")
    }

    /// `path` is separated by `/`.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let any_matches = |is_exclusion| {
            let mut entries = self.entries.iter().filter(|entry| entry.is_exclusion == is_exclusion);
            entries.any(|entry| entry.matches(path))
        };
        any_matches(false) && !any_matches(true)
    }

    pub(crate) fn inclusions(&self) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().filter(|entry| !entry.is_exclusion);
        entries.flat_map(|entry| &entry.alternatives).map(String::as_str)
    }

    pub(crate) fn paths(&self, root: &Path, context: PatternContext<'_>) -> Result<BTreeSet<String>, Failure> {
        let mut existing = BTreeSet::new();
        for base in self
            .inclusions()
            .filter(|pattern| glob::has_wildcard(pattern))
            .map(glob::base)
        {
            walk(root, &base, &mut existing)?;
        }
        // A generated schema would duplicate all definitions.
        existing.retain(|path| !(self.matches(path) && is_generated(&root.join(path))));
        let mut problems = Vec::new();
        for entry in self.entries.iter().filter(|entry| !entry.is_exclusion) {
            let (patterns, files): (Vec<&str>, Vec<&str>) = entry
                .alternatives
                .iter()
                .map(String::as_str)
                .partition(|one| glob::has_wildcard(one));
            // Without a wildcard, no folder is searched.
            for path in files {
                match self.file(root, entry, path) {
                    Ok(path) => drop(existing.insert(path)),
                    Err(problem) => problems.push(problem),
                }
            }
            if !patterns.is_empty() && !existing.iter().any(|path| entry.matches(path)) {
                problems.extend(self.typo(root, entry, &existing, context)?);
            }
        }
        if !problems.is_empty() {
            return Err(Failure::Problems(problems));
        }
        existing.retain(|path| self.matches(path));
        Ok(existing)
    }

    fn file(&self, root: &Path, entry: &Entry, path: &str) -> Result<String, Problem> {
        let full_path = root.join(path);
        if full_path.is_dir() {
            let folder = path.trim_end_matches('/');
            let help = format!("use `{folder}/**/*.graphql` for the files in it");
            return Err(self.problem(entry, format!("`{path}` is a folder"), Some(help)));
        }
        if !full_path.is_file() {
            let help = match path {
                path if path.contains("://") => Some(
                    "URLs are not supported: save the schema in a file, as GraphQL or as the JSON response of an introspection query",
                ),
                _ => None,
            };
            return Err(self.problem(
                entry,
                format!("the file `{path}` does not exist"),
                help.map(str::to_owned),
            ));
        }
        Ok(path.trim_start_matches("./").to_owned())
    }

    fn typo(
        &self,
        root: &Path,
        entry: &Entry,
        existing: &BTreeSet<String>,
        context: PatternContext<'_>,
    ) -> Result<Option<Problem>, Failure> {
        let text = &entry.text;
        let base = entry
            .alternatives
            .first()
            .map(|pattern| glob::base(pattern))
            .unwrap_or_default();
        let unmatched = |paths: &BTreeSet<String>, base: &str| {
            let unmatched = self.unmatched(paths, base, context.others);
            let first = unmatched.first()?;
            let end = first.rsplit_once('.').map_or("graphql", |(_, end)| end);
            let folder = match base {
                "" => first.split_once('/').map_or("", |(folder, _)| folder),
                base => base,
            };
            let wider = [folder, "**", &format!("*.{end}")].join("/");
            let wider = wider.trim_start_matches('/');
            let more = if unmatched.len() > 1 { ", …" } else { "" };
            let unmatched = count(unmatched.len(), "other file");
            let message = format!("no file matches `{text}`; found {unmatched}: `{first}`{more}");
            Some(self.problem(entry, message, Some(format!("use `{wider}` to match them"))))
        };
        if root.join(&base).is_dir() {
            return Ok(unmatched(existing, &base));
        }
        let message = format!("no file matches `{text}`: the folder `{base}` does not exist");
        if let Some(near) = similar_folder(root, &base) {
            let help = format!("did you mean `{}`?", text.replacen(&base, &near, 1));
            return Ok(Some(self.problem(entry, message, Some(help))));
        }
        // Only for codegen.yml, because a command can run in any folder.
        let mut all = BTreeSet::new();
        if self.file.is_some() {
            walk(root, "", &mut all)?;
        }
        if let Some(problem) = unmatched(&all, "") {
            return Ok(Some(problem));
        }
        let help = || "create the folder, or correct the pattern".to_owned();
        Ok((context.had_files)().then(|| self.problem(entry, message, Some(help()))))
    }

    fn unmatched<'p>(&self, paths: &'p BTreeSet<String>, base: &str, others: Option<&Self>) -> Vec<&'p String> {
        let is_inside = |path: &str| base.is_empty() || path.starts_with(&format!("{base}/"));
        let is_graphql = |path: &str| [".graphql", ".gql", ".graphqls"].iter().any(|end| path.ends_with(end));
        // Generated files are not operations.
        let is_generated = |path: &str| path.split('/').any(|part| part == "generated");
        let is_matched = |path: &str| self.matches(path) || others.is_some_and(|others| others.matches(path));
        let is_unmatched =
            |path: &&String| is_inside(path) && is_graphql(path) && !is_generated(path) && !is_matched(path);
        paths.iter().filter(is_unmatched).collect()
    }

    fn problem(&self, entry: &Entry, message: String, help: Option<String>) -> Problem {
        Problem {
            file: self.file.clone(),
            position: entry.at.map(|Position { line, column }| (line, column)),
            message: format!("`{}`: {message}", self.name),
            help,
        }
    }
}

fn similar_folder(root: &Path, base: &str) -> Option<String> {
    let mut existing = String::new();
    let mut parts = base.split('/').peekable();
    while let Some(part) = parts.peek() {
        let next = format!("{existing}{part}/");
        if !root.join(&next).is_dir() {
            break;
        }
        existing = next;
        parts.next();
    }
    let missing = parts.next()?;
    let entries = std::fs::read_dir(root.join(&existing)).ok()?.flatten();
    let folders: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let near = nearest(missing, folders.iter().map(String::as_str))?;
    let rest: String = parts.map(|part| format!("/{part}")).collect();
    Some(format!("{existing}{near}{rest}"))
}
