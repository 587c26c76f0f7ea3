//! `traitql watch`: generates for both languages whenever a file is saved.
//!
//! While something is wrong, the problems are shown and nothing is written, so the server and the client go on with the last
//! good state. Editors save several files at once and in several steps; changes within a short time count as one.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use notify::{Event, RecursiveMode, Watcher};

use crate::config::{self, Settings};
use crate::output::{self, Failure};
use crate::typescript::Typescript;
use crate::{generate, glob};

/// How long nothing may happen before a change counts as complete. Editors write within a few milliseconds; whatever comes
/// later is generated once more, which costs less than to wait for it.
const QUIET: Duration = Duration::from_millis(20);
/// The first and the last line of each round: editors clear the problems of the round before at the one, and show those of
/// this round at the other (`docs/editors.md` of the runtime).
const BEGIN: &str = "generating";
const END: &str = "watching; every save generates";
/// How often the other language's process is looked after.
const TIDY: Duration = Duration::from_millis(500);

pub(crate) fn run(config: &Path) -> Result<(), Failure> {
    let mut settings = config::read(config)?;
    let mut typescript = Typescript::new(&settings.typescript, &settings.root);
    let (sender, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // The receiver is gone only when the command ends.
        let _ = sender.send(event);
    })
    .map_err(|error| Failure::message(format!("cannot watch files: {error}")))?;
    let folders = folders(&settings);
    for folder in &folders {
        watcher
            .watch(folder, RecursiveMode::Recursive)
            .map_err(|error| Failure::message(format!("cannot watch {}: {error}", folder.display())))?;
    }
    // Many editors save by putting another file in the place of the first, so the folder is watched and not the file.
    let config_file = config.canonicalize().unwrap_or_else(|_| config.to_owned());
    let config_folder = config_file.parent().unwrap_or(Path::new("."));
    if !folders.iter().any(|folder| config_folder.starts_with(folder)) {
        watcher
            .watch(config_folder, RecursiveMode::NonRecursive)
            .map_err(|error| Failure::message(format!("cannot watch {}: {error}", config.display())))?;
    }

    round(Ok(&settings), &mut typescript);
    let mut changed = false;
    loop {
        match events.recv_timeout(if changed { QUIET } else { TIDY }) {
            Ok(event) => changed |= event.is_ok_and(|event| matters(&event, &settings, &config_file)),
            Err(RecvTimeoutError::Timeout) if changed => {
                changed = false;
                let read = config::read(config).map(|read| settings = read);
                round(read.map(|()| &settings), &mut typescript);
            }
            Err(RecvTimeoutError::Timeout) => typescript.tidy(),
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::message("the watcher of files stopped")),
        }
    }
}

/// One generation of both languages, or the reasons why not.
fn round(settings: Result<&Settings, Failure>, typescript: &mut Typescript) {
    output::line(BEGIN);
    match settings.and_then(generate::update) {
        Ok(answer) => {
            answer.lines.iter().for_each(|line| output::line(line));
            typescript.generate();
        }
        Err(failure) => {
            output::failure(&failure);
            output::problem("the last good state stays until this is mended");
        }
    }
    output::line(END);
}

/// The folders that hold schema and operations; whole paths, because an event about a file that is gone has nothing else to be
/// recognised by.
fn folders(settings: &Settings) -> Vec<PathBuf> {
    let patterns = settings
        .schema
        .iter()
        .chain(&settings.documents)
        .filter(|pattern| !pattern.starts_with('!'));
    let mut folders: Vec<PathBuf> = patterns
        .filter_map(|pattern| settings.root.join(glob::base(pattern)).canonicalize().ok())
        .collect();
    folders.sort();
    folders.dedup();
    folders
}

/// Whether an event is about a file that is read; reading a file and writing a generated one are not.
fn matters(event: &Event, settings: &Settings, config: &Path) -> bool {
    if event.kind.is_access() {
        return false;
    }
    let root = settings.root.canonicalize().unwrap_or_else(|_| settings.root.clone());
    event.paths.iter().any(|path| {
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        let plain = |path: &Path| path.to_string_lossy().replace('\\', "/");
        let (whole, relative) = (plain(&path), glob::seen_from(&plain(&root), &plain(&path)));
        let fits = |patterns: &[String]| glob::matches_any(patterns, &relative) || glob::matches_any(patterns, &whole);
        path == config || fits(&settings.schema) || fits(&settings.documents)
    })
}
