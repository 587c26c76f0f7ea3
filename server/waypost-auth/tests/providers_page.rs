//! `PROVIDERS.md` says what the presets do.

#![allow(clippy::unwrap_used)]

use std::{env, fs, path::Path};

#[test]
fn the_page_of_providers_is_written_from_the_presets() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("PROVIDERS.md");
    let page = waypost_auth::preset::page();
    if env::var_os("WAYPOST_BLESS").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page,
        "PROVIDERS.md says something else than the presets in src/preset. People set their providers up by that page. \
         Write it anew with: WAYPOST_BLESS=1 cargo test -p waypost-auth --test providers_page"
    );
}
