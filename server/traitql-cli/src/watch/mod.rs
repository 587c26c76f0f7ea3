//! `traitql watch`: generates for both languages whenever a file is saved.
//!
//! While something is wrong, the problems are shown and nothing is written, so the server and the client go on with the last
//! good state. Editors save several files at once and in several steps; changes within a short time count as one.
//!
//! What the system says about files only wakes this command up. Whether there is something to do is decided by what the files
//! hold ([`Inputs`]), taken down before a round reads them: so a save in the middle of a round, a file that was put in the
//! place of another, and a folder that came with everything in it are all seen, and files that nobody reads are no change.

mod folders;
mod inputs;

use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::Event;

use crate::config::{self, Settings};
use crate::generate;
use crate::output::{self, Failure};
use crate::typescript::Typescript;

use folders::Folders;
use inputs::Inputs;

/// How long nothing may happen before a change counts as complete. Editors write within a few milliseconds; whatever comes
/// later is generated once more, which costs less than to wait for it.
const QUIET: Duration = Duration::from_millis(20);
/// A change counts as complete after this time even where something goes on happening: a compiler that writes nearby.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often the other language's process is looked after. Once after each change the files are looked at too: what was put into
/// a new folder before the system began to watch it is told by nobody.
const TIDY: Duration = Duration::from_millis(500);
/// The first and the last line of each round: editors clear the problems of the round before at the one, and show those of
/// this round at the other (`docs/editors.md` of the runtime).
const BEGIN: &str = "generating";
const END: &str = "watching; every save generates";

pub(crate) fn run(config: &Path) -> Result<(), Failure> {
    let mut settings = config::read(config)?;
    let mut typescript = Typescript::new(&settings.typescript, &settings.root);
    let (sender, events) = mpsc::channel();
    let mut folders = Folders::new(config, sender);
    let mut known = None;
    let mut woken = Woken::ByTime;
    loop {
        let text = config::text(config);
        let mut seen = Inputs::of(&text, &settings);
        if known.as_ref() != Some(&seen) {
            let outcome = match text.and_then(|text| Ok((config::understand(config, &text)?, text))) {
                Ok((new, text)) => {
                    if new.typescript != settings.typescript {
                        typescript = Typescript::new(&new.typescript, &new.root);
                    }
                    settings = new;
                    // First the watch, then the look: what changes in between is told.
                    folders.watch(&settings)?;
                    seen = Inputs::of(&Ok(text), &settings);
                    Ok(&settings)
                }
                Err(failure) => Err(failure),
            };
            known = Some(seen);
            round(outcome, &mut typescript);
        } else if woken == (Woken::ByEvent { of_folder: true }) {
            folders.watch(&settings)?;
        }
        woken = wait(&events, &folders, woken, &mut typescript)?;
    }
}

/// Why the files are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Woken {
    /// Something happened; to a watched folder itself, perhaps, which then has to be watched anew.
    ByEvent { of_folder: bool },
    /// Nothing happened for a while after something had.
    ByTime,
}

/// Waits until something may have changed.
fn wait(
    events: &Receiver<Event>,
    folders: &Folders,
    before: Woken,
    typescript: &mut Typescript,
) -> Result<Woken, Failure> {
    let ended = || Failure::message("the watcher of files stopped");
    let mut of_folder = loop {
        match events.recv_timeout(TIDY) {
            Ok(event) => break folders.concerns(&event),
            Err(RecvTimeoutError::Timeout) => {
                typescript.tidy();
                if before != Woken::ByTime {
                    return Ok(Woken::ByTime);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Err(ended()),
        }
    };
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        match events.recv_timeout(QUIET) {
            Ok(event) => of_folder |= folders.concerns(&event),
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return Err(ended()),
        }
    }
    Ok(Woken::ByEvent { of_folder })
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
