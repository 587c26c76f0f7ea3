//! Makes an engine of a schema, with no document and with all of its manifest, and prints what that took. `npm run bench`
//! compiles it with Linear's API.

use std::{error::Error, sync::Arc, time::Instant};

use linear_api::{MANIFEST, Resolvers, engine::Wired, mock::Mock};
use serde_json::{Value, json};
use traitql::{Rates, engine::PlanEngine};

const NONE: &str = r#"{ "format": "apollo-persisted-query-manifest", "version": 1, "operations": [] }"#;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", json!({ "without": made(NONE), "all": made(MANIFEST) }));
    Ok(())
}

fn made(manifest: &str) -> Value {
    let resolvers = Resolvers::new(Arc::new(Mock::default()));
    let mut engine = None;
    let mut ms = 0.0;
    let counted = allocation_counter::measure(|| {
        let begun = Instant::now();
        engine = Some(PlanEngine::<Wired>::new(
            resolvers.schema(),
            Arc::new(Rates::default()),
            manifest,
        ));
        ms = begun.elapsed().as_secs_f64() * 1_000.0;
    });
    let (documents, fields) = engine.map_or((0, 0), |engine| engine.size());
    json!({ "documents": documents, "fields": fields, "ms": ms, "most": counted.bytes_max, "kept": counted.bytes_current })
}
