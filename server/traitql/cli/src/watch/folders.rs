use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::ModifyKind;
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::config::Settings;
use crate::glob;
use crate::output::Failure;

pub(super) struct WatchedFolders {
    config: PathBuf,
    sender: Sender<Event>,
    watcher: Option<RecommendedWatcher>,
    watch_set: WatchSet,
}

/// Paths of removed files cannot be canonicalized.
#[derive(Debug, Default, PartialEq, Eq)]
struct WatchSet {
    bases: BTreeSet<PathBuf>,
    watched: BTreeMap<PathBuf, RecursiveMode>,
}

impl WatchedFolders {
    /// Receives all events except read accesses.
    pub(super) fn new(config: &Path, sender: Sender<Event>) -> Self {
        Self {
            config: config.to_owned(),
            sender,
            watcher: None,
            watch_set: WatchSet::default(),
        }
    }

    /// Creates a new watcher each time, because an existing one does not detect that a removed folder was created
    /// again.
    pub(super) fn watch(&mut self, settings: &Settings) -> Result<(), Failure> {
        self.watch_set = WatchSet::of(&self.config, settings);
        let sender = self.sender.clone();
        let root = canonical(&settings.root);
        let on_event = move |event: notify::Result<Event>| {
            // Events may be lost, so this is a change.
            let event = event.unwrap_or_else(|_| Event::new(EventKind::Any));
            if !event.kind.is_access() && !is_ignored(&root, &event) {
                // The command is about to exit.
                let _ = sender.send(event);
            }
        };
        let mut watcher = notify::recommended_watcher(on_event)
            .map_err(|error| Failure::message(format!("cannot watch files: {error}")))?;
        for (folder, mode) in &self.watch_set.watched {
            match watcher.watch(folder, *mode) {
                Ok(()) => {}
                // Just removed. Its parent is watched.
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => {}
                Err(error) => {
                    return Err(Failure::message(format!("cannot watch {}: {error}", folder.display())));
                }
            }
        }
        self.watcher = Some(watcher);
        Ok(())
    }

    /// A watched folder or a parent may have been created, moved or removed.
    pub(super) fn concerns(&self, event: &Event) -> bool {
        let changes_names = matches!(
            event.kind,
            EventKind::Any | EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        let WatchSet { bases, watched } = &self.watch_set;
        let contains_folder = |path: &PathBuf| {
            bases
                .iter()
                .chain(watched.keys())
                .any(|folder| folder.starts_with(path))
        };
        changes_names && (event.paths.is_empty() || event.paths.iter().any(contains_folder))
    }
}

impl WatchSet {
    fn of(config: &Path, settings: &Settings) -> Self {
        let mut watch_set = Self::default();
        let root = canonical(&settings.root);
        for pattern in settings.schema.inclusions().chain(settings.documents.inclusions()) {
            watch_set.add_base(&root, &glob::base(pattern), glob::is_deep(pattern));
        }
        // The folder, because many editors replace the file.
        for file in [std::path::absolute(config), config.canonicalize()]
            .into_iter()
            .flatten()
        {
            watch_set.add(file.parent().unwrap_or(&root), RecursiveMode::NonRecursive);
        }
        // Already covered.
        let deep: Vec<PathBuf> = watch_set
            .watched
            .iter()
            .filter(|(_, mode)| **mode == RecursiveMode::Recursive)
            .map(|(folder, _)| folder.clone())
            .collect();
        let is_below = |folder: &Path| deep.iter().any(|deep| folder != deep && folder.starts_with(deep));
        watch_set.watched.retain(|folder, _| !is_below(folder));
        watch_set
    }

    /// Watches the parents in which a removed folder can be created again, too.
    fn add_base(&mut self, root: &Path, base: &str, is_deep: bool) {
        let base = normalized(root, base);
        let mode = if is_deep {
            RecursiveMode::Recursive
        } else {
            RecursiveMode::NonRecursive
        };
        self.add(&base, mode);
        for parent in base.ancestors().skip(1).filter(|_| base != root) {
            self.add(parent, RecursiveMode::NonRecursive);
            let is_outside = !parent.starts_with(root) && parent.is_dir();
            if parent == root || is_outside {
                break;
            }
        }
        self.bases.insert(base);
    }

    fn add(&mut self, folder: &Path, mode: RecursiveMode) {
        let Ok(folder) = folder.canonicalize() else { return };
        let existing = self.watched.entry(folder).or_insert(mode);
        if mode == RecursiveMode::Recursive {
            *existing = mode;
        }
    }
}

/// Resolves `..` lexically, because the path may not exist.
fn normalized(root: &Path, path: &str) -> PathBuf {
    let mut normalized = root.to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(normalized.pop()),
            Component::CurDir => {}
            part => normalized.push(part),
        }
    }
    normalized
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Ignores compiler output, git's files, and temporary files of editors.
fn is_ignored(root: &Path, event: &Event) -> bool {
    let hidden = |part: &OsStr| part.to_string_lossy().starts_with('.') || part == "node_modules" || part == "target";
    let is_hidden = |path: &PathBuf| match path.strip_prefix(root) {
        Ok(below) => below.iter().any(hidden),
        Err(_) => path.file_name().is_some_and(hidden),
    };
    !event.paths.is_empty() && event.paths.iter().all(is_hidden)
}
