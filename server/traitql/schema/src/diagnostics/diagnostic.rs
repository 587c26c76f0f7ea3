//! A report contains all problems of a run, those of the schema first, sorted by position. Its text follows rustc's format.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use apollo_compiler::parser::SourceMap;

use crate::diagnostics::code::{self, Code};
use crate::parse::source::{Location, ResolvedSpan, Sources};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub message: String,
    location: Option<ResolvedSpan>,
    pub notes: Vec<Note>,
    pub help: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub text: String,
    location: Option<ResolvedSpan>,
}

impl Diagnostic {
    pub fn file(&self) -> Option<&str> {
        self.location.as_ref().map(|location| location.file.as_str())
    }

    /// Returns line and column, starting at 1.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.location.as_ref().map(|location| (location.line, location.column))
    }

    /// Returns the end of the marked range: its line and the column after its last character, starting at 1.
    pub fn end(&self) -> Option<(usize, usize)> {
        self.location
            .as_ref()
            .map(|location| (location.line, location.column + location.width))
    }

    fn order(&self, schema: &HashSet<String>) -> impl Ord + '_ {
        (
            self.file().is_some_and(|file| !schema.contains(file)),
            self.location
                .as_ref()
                .map(|location| (&location.file, location.line, location.column)),
            self.code.id,
            &self.message,
        )
    }
}

impl Note {
    /// Returns path, line and column (starting at 1), if the note is about a file.
    pub fn location(&self) -> Option<(&str, usize, usize)> {
        self.location
            .as_ref()
            .map(|location| (location.file.as_str(), location.line, location.column))
    }
}

/// Maximum that [`Report::render`] shows, because one mistake can cause thousands.
const MAX_RENDERED: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    Color,
}

/// All problems of a run, those of the schema first, sorted by file, line and column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Renders the problems, at most 100, and a last line with their number.
    pub fn render(&self, style: Style) -> String {
        let mut out = String::new();
        let mut explained = HashSet::new();
        for diagnostic in self.diagnostics.iter().take(MAX_RENDERED) {
            let is_first = explained.insert(diagnostic.code);
            render_one(&mut out, diagnostic, is_first, style).expect("writing to a string never fails");
            out.push('\n');
        }
        let count = match self.diagnostics.len() {
            1 => "1 problem".to_owned(),
            count => format!("{count} problems"),
        };
        let omitted = match self.diagnostics.len() {
            0..=MAX_RENDERED => String::new(),
            _ => format!("; only the first {MAX_RENDERED} are shown"),
        };
        out.push_str(&paint(style, "1;31", &format!("{count} found{omitted}")));
        out.push('\n');
        out
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl std::error::Error for Report {}

fn paint(style: Style, code: &str, text: &str) -> String {
    match style {
        Style::Plain => text.to_owned(),
        Style::Color => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
    }
}

fn render_one(out: &mut String, diagnostic: &Diagnostic, with_link: bool, style: Style) -> fmt::Result {
    let Code { id, slug } = diagnostic.code;
    let title = paint(style, "1;31", &format!("error[{id} {slug}]"));
    writeln!(out, "{title}: {}", paint(style, "1", &diagnostic.message))?;
    let locations = diagnostic
        .location
        .iter()
        .chain(diagnostic.notes.iter().filter_map(|note| note.location.as_ref()));
    let gutter = locations
        .map(|location| location.line.to_string().len())
        .max()
        .unwrap_or(1);
    if let Some(location) = &diagnostic.location {
        render_location(out, location, "", gutter, ERROR, style)?;
    }
    for note in &diagnostic.notes {
        match &note.location {
            Some(location) => render_location(out, location, &note.text, gutter, NOTE, style)?,
            None => writeln!(out, "{:gutter$} {} {}", "", paint(style, "1;34", "= note:"), note.text)?,
        }
    }
    for help in &diagnostic.help {
        let mut lines = help.lines();
        let first = lines.next().unwrap_or_default();
        writeln!(out, "{:gutter$} {} {first}", "", paint(style, "1;34", "= help:"))?;
        for line in lines {
            writeln!(out, "{:gutter$}         {line}", "")?;
        }
    }
    if with_link {
        let link = diagnostic.code.link();
        writeln!(out, "{:gutter$} {} {link}", "", paint(style, "1;34", "= see:"))?;
    }
    Ok(())
}

/// Symbols that mark a span, as in rustc.
#[derive(Clone, Copy)]
struct Mark {
    arrow: &'static str,
    sign: &'static str,
    colour: &'static str,
}

const ERROR: Mark = Mark {
    arrow: "-->",
    sign: "^",
    colour: "1;31",
};
const NOTE: Mark = Mark {
    arrow: ":::",
    sign: "-",
    colour: "1;34",
};

fn render_location(
    out: &mut String,
    location: &ResolvedSpan,
    label: &str,
    gutter: usize,
    mark: Mark,
    style: Style,
) -> fmt::Result {
    let blue = |text: &str| paint(style, "1;34", text);
    writeln!(
        out,
        "{:gutter$}{} {}:{}:{}",
        "",
        blue(mark.arrow),
        location.file,
        location.line,
        location.column
    )?;
    writeln!(out, "{:gutter$} {}", "", blue("|"))?;
    let number = location.line.to_string();
    let Excerpt { text, column, width } = excerpt(location);
    writeln!(out, "{} {} {text}", blue(&format!("{number:>gutter$}")), blue("|"))?;
    let indent = " ".repeat(column);
    let carets = mark.sign.repeat(width);
    let label = if label.is_empty() {
        String::new()
    } else {
        format!(" {label}")
    };
    writeln!(
        out,
        "{:gutter$} {} {indent}{}",
        "",
        blue("|"),
        paint(style, mark.colour, &format!("{carets}{label}"))
    )
}

/// Maximum characters of a source line. Generated documents can be one line of megabytes.
const MAX_LINE: usize = 160;
/// Characters shown before the marked range of a long line.
const CONTEXT: usize = 60;

/// The shown part of a source line.
struct Excerpt {
    text: String,
    /// Starts at 0.
    column: usize,
    width: usize,
}

fn excerpt(location: &ResolvedSpan) -> Excerpt {
    // Terminals expand a tab to up to eight columns, but it counts as one.
    let line = location.text.trim_end().replace('\t', " ");
    let column = location.column - 1;
    let length = line.chars().count();
    if length <= MAX_LINE {
        return Excerpt {
            text: line,
            column,
            width: location.width,
        };
    }
    let start = column.saturating_sub(CONTEXT).min(length - MAX_LINE);
    let end = start + MAX_LINE;
    let shown: String = line.chars().skip(start).take(MAX_LINE).collect();
    let (before, after) = (if start > 0 { "… " } else { "" }, if end < length { " …" } else { "" });
    Excerpt {
        text: format!("{before}{shown}{after}"),
        column: column - start + before.chars().count(),
        width: location.width.min(end.saturating_sub(column)).max(1),
    }
}

#[derive(Clone)]
pub(crate) struct Collector {
    sources: Sources,
    /// Files whose problems are reported first, because those of other files can follow from them.
    schema: HashSet<String>,
    report: Report,
}

impl Collector {
    /// `schema` are the paths of the schema files.
    pub(crate) fn new(schema: impl IntoIterator<Item = String>) -> Self {
        Self {
            sources: Sources::default(),
            schema: schema.into_iter().collect(),
            report: Report::default(),
        }
    }

    pub(crate) fn add_sources(&mut self, sources: &SourceMap) {
        self.sources.add(sources);
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Reports a problem of a whole file.
    pub(crate) fn report_file(&mut self, code: Code, path: &str, message: impl Into<String>) -> DiagnosticBuilder<'_> {
        let draft = self.report(code, Location::NOWHERE, message);
        draft.diagnostic.location = Some(ResolvedSpan {
            file: path.to_owned(),
            line: 1,
            column: 1,
            text: String::new(),
            width: 1,
        });
        draft
    }

    /// Notes and help can be added to the returned builder.
    pub(crate) fn report(
        &mut self,
        code: Code,
        at: impl Into<Location>,
        message: impl Into<String>,
    ) -> DiagnosticBuilder<'_> {
        let location = self.sources.resolve(at.into());
        let diagnostics = &mut self.report.diagnostics;
        diagnostics.push(Diagnostic {
            code,
            message: message.into(),
            location,
            notes: Vec::new(),
            help: Vec::new(),
        });
        DiagnosticBuilder {
            diagnostic: diagnostics.last_mut().expect("a diagnostic was just pushed"),
            sources: &self.sources,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.report.diagnostics.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.report.diagnostics.len()
    }

    /// Keeps the first `from` problems.
    pub(crate) fn retain_from(&mut self, from: usize, keep: impl Fn(&Diagnostic) -> bool) {
        let recent = self.report.diagnostics.split_off(from);
        self.report.diagnostics.extend(recent.into_iter().filter(keep));
    }

    /// Returns all problems, those of the schema first, sorted by position, without duplicates.
    pub(crate) fn finish(mut self) -> Report {
        let schema = &self.schema;
        self.report
            .diagnostics
            .sort_by(|a, b| a.order(schema).cmp(&b.order(schema)));
        // Several checks find one mistake in different words, but one definition can break several documents of
        // releases.
        self.report.diagnostics.dedup_by(|a, b| {
            let same = a.code == b.code && a.location == b.location && a.location.is_some();
            same && (a.code != code::RELEASE_BROKEN || a.message == b.message)
        });
        self.report
    }
}

pub(crate) struct DiagnosticBuilder<'c> {
    diagnostic: &'c mut Diagnostic,
    sources: &'c Sources,
}

impl DiagnosticBuilder<'_> {
    /// Ignores an empty string.
    pub(crate) fn help(self, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.diagnostic.help.push(text);
        }
        self
    }

    pub(crate) fn note(self, at: impl Into<Location>, text: impl Into<String>) -> Self {
        let location = self.sources.resolve(at.into());
        self.diagnostic.notes.push(Note {
            text: text.into(),
            location,
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, SourceText, load};

    #[test]
    fn long_lines_are_cut_around_the_marked_range() {
        let missing: String = (0..400)
            .map(|index| format!("f{index}: {} ", if index % 200 == 0 { "Missing" } else { "Int" }))
            .collect();
        let schema = SourceText::new("schema.graphql", format!("type Query {{ {missing} }} # end"));
        let report = load(&[schema], &[], &Options::lenient()).expect_err("the type does not exist");
        let text = report.render(Style::Plain);
        assert!(text.contains("1 | type Query { f0: Missing f1: Int "), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= MAX_LINE + 10, "{line}");
        }
        for (index, line) in text.lines().enumerate().filter(|(_, line)| line.contains('^')) {
            let at = line.find('^').unwrap_or_default();
            let above = text.lines().nth(index - 1).unwrap_or_default();
            let marked: String = above.chars().skip(at).take(line.matches('^').count()).collect();
            assert_eq!(marked, "Missing", "{text}");
        }
        let all = "Missing".repeat(100);
        let schema = SourceText::new("schema.graphql", format!("type Query {{ a: {all} }}"));
        let report = load(&[schema], &[], &Options::lenient()).expect_err("the type does not exist");
        let text = report.render(Style::Plain);
        assert!(
            text.lines()
                .filter(|line| line.contains('|'))
                .all(|line| line.chars().count() <= MAX_LINE + 10)
        );
    }

    #[test]
    fn only_the_first_problems_are_rendered() {
        let fields: String = (0..MAX_RENDERED + 20)
            .map(|index| format!("field{index}: Missing\n"))
            .collect();
        let schema = SourceText::new("schema.graphql", format!("type Query {{\n{fields}}}"));
        let report = load(&[schema], &[], &Options::lenient()).expect_err("the type does not exist");
        assert_eq!(report.diagnostics().len(), MAX_RENDERED + 20);
        let text = report.render(Style::Plain);
        assert_eq!(text.matches("error[G001").count(), MAX_RENDERED);
        assert!(
            text.ends_with("\n120 problems found; only the first 100 are shown\n"),
            "{text}"
        );
    }
}
