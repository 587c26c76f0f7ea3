//! Opens the sign-in page in the browser of the operator.

use std::process::{Command, Stdio};

use url::Url;

/// Returns false without a display or browser.
pub fn open_browser(url: &Url, environment: &dyn Fn(&str) -> Option<String>) -> bool {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else if ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| environment(name).is_some_and(|display| !display.is_empty()))
    {
        "xdg-open"
    } else {
        return false;
    };
    Command::new(program)
        .arg(url.as_str())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}
