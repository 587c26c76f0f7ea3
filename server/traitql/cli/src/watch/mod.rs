//! On errors, nothing is written, so that server and client keep the last valid state.
//!
//! Events only wake the command up: a fingerprint ([`Inputs`]) from before a round decides about the next one, so that
//! saves during a round, replaced files and moved folders are detected.

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

/// A change is complete after this time, because editors write within milliseconds. Another round for a late event
/// costs less than a longer wait.
const QUIET_PERIOD: Duration = Duration::from_millis(20);
/// A compiler can cause events continuously.
const MAX_WAIT: Duration = Duration::from_millis(200);
/// Files are also checked once after each change, because they can precede the watch of a new folder.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Editors clear errors at this line (`docs/editors.md` of the runtime).
const ROUND_START: &str = "generating";
/// Editors show errors at this line.
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
                    // A change in between causes an event.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WakeReason {
    /// `of_folder`: a watched folder may have to be watched again.
    ByEvent { of_folder: bool },
    /// A timeout after an event.
    ByTime,
}

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
