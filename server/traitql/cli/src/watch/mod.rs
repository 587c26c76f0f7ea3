//! `traitql watch`: generates Rust and TypeScript whenever a file is saved.
//!
//! While there are errors, they are printed and nothing is written, so that server and client keep the last valid
//! state. Changes within a short time are processed together, because editors save several files at once and in several
//! steps.
//!
//! File system events only wake the command up. A fingerprint of the input files ([`Inputs`]), taken before a round
//! reads them, determines if a new round is necessary. Therefore the command detects saves during a round, replaced
//! files and moved folders, and ignores changes of other files.

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

use folders::WatchedFolders;
use inputs::Inputs;

/// Time without events after which a change is complete. Editors write all files within a few milliseconds. Another
/// round for a late event costs less than a longer wait.
const QUIET_PERIOD: Duration = Duration::from_millis(20);
/// Maximum time to wait for a quiet period, because other processes such as a compiler can cause events continuously.
const MAX_WAIT: Duration = Duration::from_millis(200);
/// Interval for polling the TypeScript process. The files are also checked once after each change, because there are no
/// events for files that were added to a new folder before it was watched.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// First line of each round. Editors clear the errors of the previous round when they read it (`docs/editors.md` of the
/// runtime).
const ROUND_START: &str = "generating";
/// Last line of each round. Editors show the errors of the round when they read it.
const ROUND_END: &str = "watching; every save generates";

pub(crate) fn run(config: &Path) -> Result<(), Failure> {
    let mut settings = config::read(config)?;
    let mut typescript = Typescript::new(&settings.typescript, &settings.root);
    let (sender, events) = mpsc::channel();
    let mut folders = WatchedFolders::new(config, sender);
    let mut previous = None;
    let mut wake_reason = WakeReason::ByTime;
    loop {
        let text = config::text(config);
        let mut current = Inputs::of(&text, &settings);
        if previous.as_ref() != Some(&current) {
            let outcome = match text.and_then(|text| Ok((config::parse_file(config, &text)?, text))) {
                Ok((new, text)) => {
                    if new.typescript != settings.typescript {
                        typescript = Typescript::new(&new.typescript, &new.root);
                    }
                    settings = new;
                    // Watch before reading, so that a change in between causes an event.
                    folders.watch(&settings)?;
                    current = Inputs::of(&Ok(text), &settings);
                    Ok(&settings)
                }
                Err(failure) => Err(failure),
            };
            previous = Some(current);
            round(outcome, &mut typescript);
        } else if wake_reason == (WakeReason::ByEvent { of_folder: true }) {
            folders.watch(&settings)?;
        }
        wake_reason = wait(&events, &folders, wake_reason, &mut typescript)?;
    }
}

/// The reason for checking the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WakeReason {
    /// An event. `of_folder` is true if it may concern a watched folder itself, which must then be watched again.
    ByEvent { of_folder: bool },
    /// A timeout after an event.
    ByTime,
}

/// Waits for a possible change of the files.
fn wait(
    events: &Receiver<Event>,
    folders: &WatchedFolders,
    previous: WakeReason,
    typescript: &mut Typescript,
) -> Result<WakeReason, Failure> {
    let ended = || Failure::message("the file watcher stopped");
    let mut of_folder = loop {
        match events.recv_timeout(POLL_INTERVAL) {
            Ok(event) => break folders.concerns(&event),
            Err(RecvTimeoutError::Timeout) => {
                typescript.poll();
                if previous != WakeReason::ByTime {
                    return Ok(WakeReason::ByTime);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Err(ended()),
        }
    };
    let end = Instant::now() + MAX_WAIT;
    while Instant::now() < end {
        match events.recv_timeout(QUIET_PERIOD) {
            Ok(event) => of_folder |= folders.concerns(&event),
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return Err(ended()),
        }
    }
    Ok(WakeReason::ByEvent { of_folder })
}

/// Runs one round: generates both languages, or prints the errors.
fn round(settings: Result<&Settings, Failure>, typescript: &mut Typescript) {
    output::line(ROUND_START);
    match settings.and_then(generate::update) {
        Ok(answer) => {
            answer.lines.iter().for_each(|line| output::line(line));
            typescript.generate();
        }
        Err(failure) => {
            output::failure(&failure);
            output::problem("the generated files keep their last valid state until this is fixed");
        }
    }
    output::line(ROUND_END);
}
