use std::path::Path;

/// Settings of the server that bound what pages can store.
#[derive(Debug, Clone, Copy)]
pub struct StorageLimits {
    pub visitors: u32,
    pub runs: u32,
    /// The free space of the disk with the SQLite database, in megabytes. 0 disables the check.
    pub min_free_disk: u32,
}

impl Default for StorageLimits {
    fn default() -> Self {
        Self {
            visitors: 2_000_000,
            runs: 5_000_000,
            min_free_disk: 500,
        }
    }
}

/// Returns the megabytes available to this process, or `None` if the system does not report them.
#[cfg(unix)]
pub fn free_disk(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize) / 1_000_000)
}

#[cfg(not(unix))]
pub fn free_disk(_folder: &Path) -> Option<u64> {
    None
}
