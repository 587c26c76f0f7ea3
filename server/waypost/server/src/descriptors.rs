//! The limit of open files, which includes connections.

/// Raises the limit of this process to the highest value that the system permits, and returns it, or `None` if there is
/// no limit. Many systems start processes with a limit of 1,024 although they permit more.
#[cfg(unix)]
pub(crate) fn raise_limit() -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let effective = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files could not be raised");
            limit.current
        }
    };
    effective.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// Returns `None`, because there is no such limit.
#[cfg(not(unix))]
pub(crate) fn raise_limit() -> Option<usize> {
    None
}
