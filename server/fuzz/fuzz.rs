#![no_main]

use std::{env, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use waypost_fuzz::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("WAYPOST_FUZZ").unwrap_or_default();
    let found = TARGETS.into_iter().find(|(target, _)| *target == name);
    found.unwrap_or_else(|| {
        let names = TARGETS.map(|(name, _)| name).join(", ");
        panic!("WAYPOST_FUZZ is `{name}`, but must be one of {names}.")
    })
});

fuzz_target!(|data: &[u8]| {
    let (_, run) = *TARGET;
    run(data);
});
