//! Which folders are watched: those that hold the files, and those in which one of them would be made again.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::ModifyKind;
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::config::Settings;
use crate::glob;
use crate::output::Failure;

pub(super) struct Folders {
    config: PathBuf,
    sender: Sender<Event>,
    watcher: Option<RecommendedWatcher>,
    wanted: Wanted,
}

/// Whole paths, because an event about something that is gone has nothing else to be recognised by.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wanted {
    /// The folders that patterns name, whether they are there or not.
    bases: BTreeSet<PathBuf>,
    /// What is to be watched of what is there.
    watched: BTreeMap<PathBuf, RecursiveMode>,
}

impl Folders {
    /// Whoever holds the receiver hears of everything but of reading.
    pub(super) fn new(config: &Path, sender: Sender<Event>) -> Self {
        Self {
            config: config.to_owned(),
            sender,
            watcher: None,
            wanted: Wanted::default(),
        }
    }

    /// Watches what the settings name, from now on. A watcher that has lost a folder does not find it again when it comes back, so
    /// each time there is a new one.
    pub(super) fn watch(&mut self, settings: &Settings) -> Result<(), Failure> {
        self.wanted = Wanted::of(&self.config, settings);
        let sender = self.sender.clone();
        let root = whole(&settings.root);
        let tell = move |event: notify::Result<Event>| {
            // Where the watcher failed to tell what happened, something did.
            let event = event.unwrap_or_else(|_| Event::new(EventKind::Any));
            if !event.kind.is_access() && !is_passed_over(&root, &event) {
                // The receiver is gone only when the command ends.
                let _ = sender.send(event);
            }
        };
        let mut watcher = notify::recommended_watcher(tell)
            .map_err(|error| Failure::message(format!("cannot watch files: {error}")))?;
        for (folder, mode) in &self.wanted.watched {
            match watcher.watch(folder, *mode) {
                Ok(()) => {}
                // It went a moment ago; the folder around it tells when it is back.
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => {}
                Err(error) => {
                    return Err(Failure::message(format!("cannot watch {}: {error}", folder.display())));
                }
            }
        }
        self.watcher = Some(watcher);
        Ok(())
    }

    /// Whether an event says that a watched folder was made, moved or removed, or one around it.
    pub(super) fn concerns(&self, event: &Event) -> bool {
        let is_of_names = matches!(
            event.kind,
            EventKind::Any | EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        let Wanted { bases, watched } = &self.wanted;
        let holds = |path: &PathBuf| {
            bases
                .iter()
                .chain(watched.keys())
                .any(|folder| folder.starts_with(path))
        };
        is_of_names && (event.paths.is_empty() || event.paths.iter().any(holds))
    }
}

impl Wanted {
    fn of(config: &Path, settings: &Settings) -> Self {
        let mut wanted = Self::default();
        let root = whole(&settings.root);
        for pattern in settings.schema.named().chain(settings.documents.named()) {
            wanted.add_base(&root, &glob::base(pattern), glob::is_deep(pattern));
        }
        // Many editors save by putting another file in the place of the first, so the folder is watched and not the file.
        for file in [std::path::absolute(config), config.canonicalize()]
            .into_iter()
            .flatten()
        {
            wanted.add(file.parent().unwrap_or(&root), RecursiveMode::NonRecursive);
        }
        // A folder is watched once, and as much as anybody wants.
        let deep: Vec<PathBuf> = wanted
            .watched
            .iter()
            .filter(|(_, mode)| **mode == RecursiveMode::Recursive)
            .map(|(folder, _)| folder.clone())
            .collect();
        let is_below = |folder: &Path| deep.iter().any(|deep| folder != deep && folder.starts_with(deep));
        wanted.watched.retain(|folder, _| !is_below(folder));
        wanted
    }

    /// A folder that holds files, and the folders in which it would be made again if it went.
    fn add_base(&mut self, root: &Path, base: &str, is_deep: bool) {
        let base = below(root, base);
        let mode = match is_deep {
            true => RecursiveMode::Recursive,
            false => RecursiveMode::NonRecursive,
        };
        self.add(&base, mode);
        for around in base.ancestors().skip(1).filter(|_| base != root) {
            self.add(around, RecursiveMode::NonRecursive);
            let is_outside = !around.starts_with(root) && around.is_dir();
            if around == root || is_outside {
                break;
            }
        }
        self.bases.insert(base);
    }

    fn add(&mut self, folder: &Path, mode: RecursiveMode) {
        let Ok(folder) = folder.canonicalize() else { return };
        let there = self.watched.entry(folder).or_insert(mode);
        if mode == RecursiveMode::Recursive {
            *there = mode;
        }
    }
}

/// A path with nothing in it that goes up, even where it does not exist.
fn below(root: &Path, path: &str) -> PathBuf {
    let mut whole = root.to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether an event is about nothing that patterns look into: what a compiler writes, what git does, what an editor keeps for
/// itself.
fn is_passed_over(root: &Path, event: &Event) -> bool {
    let hidden = |part: &OsStr| part.to_string_lossy().starts_with('.') || part == "node_modules" || part == "target";
    let is_hidden = |path: &PathBuf| match path.strip_prefix(root) {
        Ok(below) => below.iter().any(hidden),
        Err(_) => path.file_name().is_some_and(hidden),
    };
    !event.paths.is_empty() && event.paths.iter().all(is_hidden)
}
