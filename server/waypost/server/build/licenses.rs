use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// Crates with the same text share it.
pub(crate) fn crate_notices(cargo: &str) -> io::Result<String> {
    let arguments = "tree --offline --locked --package waypost --edges normal --prefix none --format {p}|{l}";
    let tree = Command::new(cargo).args(arguments.split(' ')).output()?;
    if !tree.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&tree.stderr).into_owned()));
    }
    let sources = registry_sources()?;
    let mut crates_by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let tree = String::from_utf8_lossy(&tree.stdout);
    let mut lines: Vec<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    lines.sort_unstable();
    lines.dedup();
    for line in lines {
        let (package, license) = line.split_once('|').unwrap_or((line, ""));
        // Crates of this repository have a path in parentheses.
        let Some((name, version)) = package.split_once(" v").filter(|_| !package.contains('(')) else {
            continue;
        };
        let folder = sources.iter().map(|source| source.join(format!("{name}-{version}")));
        let text = match folder.into_iter().find(|folder| folder.is_dir()) {
            Some(folder) => notices_in(&folder)?,
            None => String::new(),
        };
        let name = format!("{name} {version} ({license})");
        crates_by_text.entry(text).or_default().push(name);
    }
    let mut all: Vec<(String, String)> = crates_by_text
        .into_iter()
        .map(|(text, crates)| (crates.join("\n"), text))
        .collect();
    all.sort();
    Ok(all
        .iter()
        .map(|(crates, text)| format!("{crates}\n\n{text}\n"))
        .collect())
}

fn registry_sources() -> io::Result<Vec<PathBuf>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let sources = home
        .ok_or_else(|| io::Error::other("set CARGO_HOME"))?
        .join("registry/src");
    fs::read_dir(sources)?.map(|entry| Ok(entry?.path())).collect()
}

fn notices_in(folder: &Path) -> io::Result<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_uppercase();
        let is_notice = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        if is_notice && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    let mut text = String::new();
    for file in files {
        text += String::from_utf8_lossy(&fs::read(file)?).trim();
        text += "\n\n";
    }
    Ok(text)
}
