#![allow(clippy::unwrap_used)]

use std::{env, fs, path::Path};

#[test]
fn the_providers_page_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("PROVIDERS.md");
    let page = waypost_auth::preset::page();
    if env::var_os("WAYPOST_BLESS").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page,
        "PROVIDERS.md does not match the presets in src/preset, but operators set up their providers by it. \
         Regenerate it with: WAYPOST_BLESS=1 cargo test -p waypost-auth --test providers_page"
    );
}
