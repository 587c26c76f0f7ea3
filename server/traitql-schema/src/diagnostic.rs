//! What is wrong, where, and how to mend it; and how that is shown.
//!
//! A report holds every problem of a run, sorted by place. Its text looks like rustc's, because its readers know rustc: the
//! code and the message, the place, the source line with carets, then notes, help and, at the first problem of each kind, the
//! address of the page that explains it. Colour is a choice of the caller; snapshots and files take the plain text.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use apollo_compiler::parser::SourceMap;

use crate::code::{self, Code};
use crate::source::{At, Place, Sources};

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code of the kind of problem.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    place: Option<Place>,
    /// Other places that matter.
    pub notes: Vec<Note>,
    /// What to do about it.
    pub help: Vec<String>,
}

/// Another place that a problem has to do with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What is there.
    pub text: String,
    place: Option<Place>,
}

impl Diagnostic {
    /// Path of the file, or nothing when the problem belongs to no file.
    pub fn file(&self) -> Option<&str> {
        self.place.as_ref().map(|place| place.file.as_str())
    }

    /// Line and column, from 1.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.place.as_ref().map(|place| (place.line, place.column))
    }

    /// Where its last marked character ends: a line and the column after it, from 1.
    pub fn end(&self) -> Option<(usize, usize)> {
        self.place
            .as_ref()
            .map(|place| (place.line, place.column + place.width))
    }

    fn order(&self) -> impl Ord + '_ {
        (
            self.place.as_ref().map(|place| (&place.file, place.line, place.column)),
            self.code.id,
            &self.message,
        )
    }
}

impl Note {
    /// Path of the file, line and column from 1; nothing when the note belongs to no file.
    pub fn place(&self) -> Option<(&str, usize, usize)> {
        self.place
            .as_ref()
            .map(|place| (place.file.as_str(), place.line, place.column))
    }
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Text alone.
    Plain,
    /// With the escape sequences of terminals.
    Colour,
}

/// All problems of a run, sorted by file, line and column. `Display` writes it plainly.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// The problems.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Writes all problems and a last line that counts them.
    pub fn render(&self, style: Style) -> String {
        let mut out = String::new();
        let mut explained = HashSet::new();
        for diagnostic in &self.diagnostics {
            // One link for each kind of problem: the tenth of the same kind needs no tenth link.
            let is_first = explained.insert(diagnostic.code);
            render_one(&mut out, diagnostic, is_first, style).expect("writing to a string never fails");
            out.push('\n');
        }
        let count = match self.diagnostics.len() {
            1 => "1 problem".to_owned(),
            count => format!("{count} problems"),
        };
        out.push_str(&paint(style, "1;31", &format!("{count} found")));
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
        Style::Colour => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
    }
}

fn render_one(out: &mut String, diagnostic: &Diagnostic, with_link: bool, style: Style) -> fmt::Result {
    let Code { id, slug } = diagnostic.code;
    let title = paint(style, "1;31", &format!("error[{id} {slug}]"));
    writeln!(out, "{title}: {}", paint(style, "1", &diagnostic.message))?;
    let places = diagnostic
        .place
        .iter()
        .chain(diagnostic.notes.iter().filter_map(|note| note.place.as_ref()));
    let gutter = places.map(|place| place.line.to_string().len()).max().unwrap_or(1);
    if let Some(place) = &diagnostic.place {
        render_place(out, place, "", gutter, ERROR, style)?;
    }
    for note in &diagnostic.notes {
        match &note.place {
            Some(place) => render_place(out, place, &note.text, gutter, NOTE, style)?,
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

/// How a place is shown, in the signs of rustc.
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

fn render_place(out: &mut String, place: &Place, label: &str, gutter: usize, mark: Mark, style: Style) -> fmt::Result {
    let blue = |text: &str| paint(style, "1;34", text);
    writeln!(
        out,
        "{:gutter$}{} {}:{}:{}",
        "",
        blue(mark.arrow),
        place.file,
        place.line,
        place.column
    )?;
    writeln!(out, "{:gutter$} {}", "", blue("|"))?;
    let number = place.line.to_string();
    // A tab is one character to the compiler and up to eight on screen; one blank each keeps the carets in line.
    writeln!(
        out,
        "{} {} {}",
        blue(&format!("{number:>gutter$}")),
        blue("|"),
        place.text.replace('\t', " ").trim_end()
    )?;
    let indent = " ".repeat(place.column - 1);
    let carets = mark.sign.repeat(place.width);
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

/// Collects problems while a schema is read.
#[derive(Clone)]
pub(crate) struct Collector {
    sources: Sources,
    report: Report,
}

impl Collector {
    pub(crate) fn new() -> Self {
        Self {
            sources: Sources::default(),
            report: Report::default(),
        }
    }

    /// Makes the places of another set of files known.
    pub(crate) fn add_sources(&mut self, sources: &SourceMap) {
        self.sources.add(sources);
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Adds a problem; the answer takes notes and help.
    pub(crate) fn report(&mut self, code: Code, at: impl Into<At>, message: impl Into<String>) -> Draft<'_> {
        let place = self.sources.place(at.into());
        let diagnostics = &mut self.report.diagnostics;
        diagnostics.push(Diagnostic {
            code,
            message: message.into(),
            place,
            notes: Vec::new(),
            help: Vec::new(),
        });
        Draft {
            diagnostic: diagnostics.last_mut().expect("it was pushed just now"),
            sources: &self.sources,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.report.diagnostics.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.report.diagnostics.len()
    }

    /// Drops problems that were reported after the first `from` and that `keep` refuses.
    pub(crate) fn retain_from(&mut self, from: usize, keep: impl Fn(&Diagnostic) -> bool) {
        let recent = self.report.diagnostics.split_off(from);
        self.report.diagnostics.extend(recent.into_iter().filter(keep));
    }

    /// All problems in the order of their places, each once.
    pub(crate) fn finish(mut self) -> Report {
        self.report.diagnostics.sort_by(|a, b| a.order().cmp(&b.order()));
        // One mistake is often found in several ways, which are told in different words. Clients in the field are different
        // each time, though one definition may stop several of them.
        self.report.diagnostics.dedup_by(|a, b| {
            let same = a.code == b.code && a.place == b.place && a.place.is_some();
            same && (a.code != code::RELEASE_BROKEN || a.message == b.message)
        });
        self.report
    }
}

/// A problem that is being described.
pub(crate) struct Draft<'c> {
    diagnostic: &'c mut Diagnostic,
    sources: &'c Sources,
}

impl Draft<'_> {
    /// What to do about it. An empty text is left out, so a missing suggestion needs no branch.
    pub(crate) fn help(self, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.diagnostic.help.push(text);
        }
        self
    }

    /// Another place that matters.
    pub(crate) fn note(self, at: impl Into<At>, text: impl Into<String>) -> Self {
        let place = self.sources.place(at.into());
        self.diagnostic.notes.push(Note {
            text: text.into(),
            place,
        });
        self
    }
}
