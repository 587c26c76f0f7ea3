//! Prints the cost of an engine without documents and with all of a manifest. `npm run bench` compiles it with Linear's
//! API.

use std::{error::Error, sync::Arc, time::Instant};

use linear_api::{MANIFEST, Resolvers, engine::Generated, mock::Mock};
use serde_json::{Value, json};
use traitql::{RateLimits, engine::PlanEngine};

const EMPTY_MANIFEST: &str = r#"{ "format": "apollo-persisted-query-manifest", "version": 1, "operations": [] }"#;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{}",
        json!({ "without": measure(EMPTY_MANIFEST), "all": measure(MANIFEST) })
    );
    Ok(())
}

fn measure(manifest: &str) -> Value {
    let resolvers = Resolvers::new(Arc::new(Mock::default()));
    let mut engine = None;
    let mut ms = 0.0;
    let counted = allocation_counter::measure(|| {
        let started = Instant::now();
        engine = Some(PlanEngine::<Generated>::new(
            resolvers.schema(),
            Arc::new(RateLimits::default()),
            manifest,
        ));
        ms = started.elapsed().as_secs_f64() * 1_000.0;
    });
    let (documents, fields) = engine.map_or((0, 0), |engine| engine.size());
    json!({ "documents": documents, "fields": fields, "ms": ms, "most": counted.bytes_max, "kept": counted.bytes_current })
}
