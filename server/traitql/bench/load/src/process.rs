//! Returns `None` on other systems than Linux.

use std::fs;

pub(crate) fn time(pid: u32) -> Option<u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let times = threads.filter_map(|thread| schedstat(&format!("{}/schedstat", thread.ok()?.path().display())));
    Some(times.sum())
}

/// The first number is the time on the CPU (Documentation/scheduler/sched-stats.rst of Linux).
fn schedstat(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.split(' ').next()?.parse().ok()
}

pub(crate) fn memory(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
