//! The files that `schema` and `documents` of codegen.yml name, and their like on the command line.
//!
//! A pattern that no file fits is refused where that can only be a slip: there are GraphQL files which it passes by, or its folder
//! is not there and another one is called almost so, or something was generated from it before. Whoever mistypes a pattern
//! would otherwise lose every operation without a word. To begin without operations is no slip.

use std::collections::BTreeSet;
use std::path::Path;

use traitql_schema::nearest;

use crate::config::Place;
use crate::glob;
use crate::output::{Failure, Problem, count};
use crate::project::{is_generated, walk};

/// A list of patterns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patterns {
    /// What names them: `documents`, `--operations`.
    name: String,
    /// The file that they stand in.
    file: Option<String>,
    entries: Vec<Entry>,
}

/// What is known beside the patterns.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    /// What other patterns name is nothing that these could mean.
    pub(crate) others: Option<&'a Patterns>,
    /// Whether there were files when something was generated last.
    pub(crate) had_files: &'a dyn Fn() -> bool,
}

impl Around<'_> {
    pub(crate) const NOTHING: Self = Self {
        others: None,
        had_files: &|| true,
    };
}

#[derive(Debug, Clone)]
struct Entry {
    text: String,
    at: Option<Place>,
    /// `!` takes files out again.
    takes_out: bool,
    alternatives: Vec<String>,
}

impl Entry {
    fn new(text: &str, at: Option<Place>) -> Self {
        let bare = text.strip_prefix('!');
        Self {
            text: text.to_owned(),
            at,
            takes_out: bare.is_some(),
            alternatives: glob::alternatives(bare.unwrap_or(text)),
        }
    }

    fn fits(&self, path: &str) -> bool {
        self.alternatives.iter().any(|pattern| glob::matches(pattern, path))
    }
}

impl Patterns {
    /// Patterns of codegen.yml, each with its place.
    pub(crate) fn of_file(name: &str, file: &str, patterns: Vec<(String, Place)>) -> Self {
        Self {
            name: name.to_owned(),
            file: Some(file.to_owned()),
            entries: patterns.iter().map(|(text, at)| Entry::new(text, Some(*at))).collect(),
        }
    }

    /// Patterns of an option.
    pub(crate) fn of_option(name: &str, patterns: &[String]) -> Self {
        Self {
            name: name.to_owned(),
            file: None,
            entries: patterns.iter().map(|text| Entry::new(text, None)).collect(),
        }
    }

    /// All of them, as a list in a sentence.
    pub(crate) fn shown(&self) -> String {
        let texts: Vec<&str> = self.entries.iter().map(|entry| entry.text.as_str()).collect();
        texts.join(", ")
    }

    /// Whether a path (with `/` between its parts) is named.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let fits = |takes_out| {
            let mut entries = self.entries.iter().filter(|entry| entry.takes_out == takes_out);
            entries.any(|entry| entry.fits(path))
        };
        fits(false) && !fits(true)
    }

    /// What names files, without alternatives.
    pub(crate) fn named(&self) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().filter(|entry| !entry.takes_out);
        entries.flat_map(|entry| &entry.alternatives).map(String::as_str)
    }

    /// The paths below `root` that are named, in order.
    pub(crate) fn paths(&self, root: &Path, around: Around<'_>) -> Result<BTreeSet<String>, Failure> {
        let mut there = BTreeSet::new();
        for base in self.named().filter(|pattern| pattern.contains('*')).map(glob::base) {
            walk(root, &base, &mut there)?;
        }
        // A generated schema is what all others become: read beside them, each definition would be there twice.
        there.retain(|path| !(self.matches(path) && is_generated(&root.join(path))));
        let mut problems = Vec::new();
        for entry in self.entries.iter().filter(|entry| !entry.takes_out) {
            let (patterns, files): (Vec<&str>, Vec<&str>) = entry
                .alternatives
                .iter()
                .map(String::as_str)
                .partition(|one| one.contains('*'));
            // A path without a star is a file, wherever it is; its folder need not be searched.
            for path in files {
                match self.plain(root, entry, path) {
                    Ok(path) => drop(there.insert(path)),
                    Err(problem) => problems.push(problem),
                }
            }
            if !patterns.is_empty() && !there.iter().any(|path| entry.fits(path)) {
                problems.extend(self.slip(root, entry, &there, around)?);
            }
        }
        if !problems.is_empty() {
            return Err(Failure::Problems(problems));
        }
        there.retain(|path| self.matches(path));
        Ok(there)
    }

    fn plain(&self, root: &Path, entry: &Entry, path: &str) -> Result<String, Problem> {
        let whole = root.join(path);
        if whole.is_dir() {
            let folder = path.trim_end_matches('/');
            let help = format!("`{folder}/**/*.graphql` stands for the files in it");
            return Err(self.problem(entry, format!("`{path}` is a folder"), Some(help)));
        }
        if !whole.is_file() {
            let help = match path {
                path if path.contains("://") => Some(
                    "that is an address: save the schema in a file, as GraphQL or as the JSON answer of an introspection query",
                ),
                path if path.contains(['?', '[']) => Some("a pattern has `*`, `**` and `{a,b}`"),
                _ => None,
            };
            return Err(self.problem(entry, format!("there is no file `{path}`"), help.map(str::to_owned)));
        }
        Ok(path.trim_start_matches("./").to_owned())
    }

    /// Why no file fits a pattern, where that cannot be meant.
    fn slip(
        &self,
        root: &Path,
        entry: &Entry,
        there: &BTreeSet<String>,
        around: Around<'_>,
    ) -> Result<Option<Problem>, Failure> {
        let text = &entry.text;
        let base = entry
            .alternatives
            .first()
            .map(|pattern| glob::base(pattern))
            .unwrap_or_default();
        let passed_by = |paths: &BTreeSet<String>, base: &str| {
            let passed = self.passed_by(paths, base, around.others);
            let first = passed.first()?;
            let end = first.rsplit_once('.').map_or("graphql", |(_, end)| end);
            let folder = match base {
                "" => first.split_once('/').map_or("", |(folder, _)| folder),
                base => base,
            };
            let wider = [folder, "**", &format!("*.{end}")].join("/");
            let wider = wider.trim_start_matches('/');
            let more = if passed.len() > 1 { ", …" } else { "" };
            let passed = count(passed.len(), "file");
            let message = format!("no file fits `{text}`, and it passes by {passed}: `{first}`{more}");
            Some(self.problem(entry, message, Some(format!("`{wider}` takes what is there"))))
        };
        if root.join(&base).is_dir() {
            return Ok(passed_by(there, &base));
        }
        let message = format!("no file fits `{text}`: there is no folder `{base}`");
        if let Some(near) = near_folder(root, &base) {
            let help = format!("did you mean `{}`?", text.replacen(&base, &near, 1));
            return Ok(Some(self.problem(entry, message, Some(help))));
        }
        // On a command line the folder is where somebody happens to be.
        let mut all = BTreeSet::new();
        if self.file.is_some() {
            walk(root, "", &mut all)?;
        }
        if let Some(problem) = passed_by(&all, "") {
            return Ok(Some(problem));
        }
        let help = || "make the folder, or correct the pattern".to_owned();
        Ok((around.had_files)().then(|| self.problem(entry, message, Some(help()))))
    }

    /// GraphQL files below a folder that nobody names.
    fn passed_by<'p>(&self, paths: &'p BTreeSet<String>, base: &str, others: Option<&Self>) -> Vec<&'p String> {
        let is_inside = |path: &str| base.is_empty() || path.starts_with(&format!("{base}/"));
        let is_graphql = |path: &str| [".graphql", ".gql", ".graphqls"].iter().any(|end| path.ends_with(end));
        // What a generator has put there is nobody's operation.
        let is_generated = |path: &str| path.split('/').any(|part| part == "generated");
        let is_named = |path: &str| self.matches(path) || others.is_some_and(|others| others.matches(path));
        let passed = |path: &&String| is_inside(path) && is_graphql(path) && !is_generated(path) && !is_named(path);
        paths.iter().filter(passed).collect()
    }

    fn problem(&self, entry: &Entry, message: String, help: Option<String>) -> Problem {
        Problem {
            file: self.file.clone(),
            place: entry.at.map(|Place { line, column }| (line, column)),
            message: format!("`{}`: {message}", self.name),
            help,
        }
    }
}

/// A folder that is there, in the place of one that is not.
fn near_folder(root: &Path, base: &str) -> Option<String> {
    let mut good = String::new();
    let mut parts = base.split('/').peekable();
    while let Some(part) = parts.peek() {
        let next = format!("{good}{part}/");
        if !root.join(&next).is_dir() {
            break;
        }
        good = next;
        parts.next();
    }
    let missing = parts.next()?;
    let entries = std::fs::read_dir(root.join(&good)).ok()?.flatten();
    let folders: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let near = nearest(missing, folders.iter().map(String::as_str))?;
    let rest: String = parts.map(|part| format!("/{part}")).collect();
    Some(format!("{good}{near}{rest}"))
}
