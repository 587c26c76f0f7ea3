//! Sends requests of pages to `/e/`.

use crate::installation::{INSTALLATION, Installation};

const PATHS: [&str; 4] = ["/e/boot", "/e/record", "/e/attempts", "/e/goals"];

/// The first byte selects the route, and the rest is the body, with the ids of the installation for `$SITE` and
/// `$RELEASE`.
pub(crate) fn run(data: &[u8]) {
    let Some((route, body)) = data.split_first() else {
        return;
    };
    let Installation { site_key, release, .. } = &*INSTALLATION;
    let Ok(text) = std::str::from_utf8(body) else {
        INSTALLATION.page(PATHS[usize::from(*route) % PATHS.len()], body.to_vec());
        return;
    };
    let body = text.replace("$SITE", site_key).replace("$RELEASE", release);
    let reply = INSTALLATION.page(PATHS[usize::from(*route) % PATHS.len()], body.into_bytes());
    if reply.status.is_client_error() {
        assert!(
            reply.body["error"]["code"].is_string(),
            "{}: {} has no code",
            reply.status,
            reply.body
        );
    }
}
