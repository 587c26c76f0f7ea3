//! Compares the expanded size of a document with the limits. Rejects fragment cycles, so later steps can follow spreads.

use apollo_compiler::ast::Document;
use traitql_constraints::shape::{Weigher, Weight};

use super::{Limits, Rejection};

/// Reports the first limit that is exceeded.
pub(super) fn check(document: &Document, limits: &Limits) -> Result<(), Rejection> {
    let mut weigher = Weigher::new([document]);
    for definition in &document.definitions {
        // The validator reports type definitions.
        let Some(weight) = weigher.weigh(definition) else {
            continue;
        };
        if let Some(name) = weigher.cycle() {
            let problem = format!("the fragment `{name}` contains itself.");
            return Err(Rejection::invalid(problem));
        }
        compare(&weight, limits)?;
    }
    Ok(())
}

fn compare(weight: &Weight, limits: &Limits) -> Result<(), Rejection> {
    let counts = [
        (
            "selections",
            weight.selections,
            limits.selections,
            "fields, with its fragments expanded",
        ),
        (
            "root_fields",
            weight.root_fields,
            limits.root_fields,
            "fields at its root",
        ),
        (
            "aliases",
            weight.aliases,
            limits.aliases,
            "aliases, with its fragments expanded",
        ),
        (
            "directives",
            weight.directives,
            limits.directives,
            "directives, with its fragments expanded",
        ),
    ];
    for (name, count, limit, what) in counts {
        if count > limit {
            return Err(Rejection::too_large(name, &format!("it has more than {limit} {what}")));
        }
    }
    if weight.depth > limits.depth {
        let problem = format!("its fields are nested more than {} levels deep", limits.depth);
        return Err(Rejection::too_large("depth", &problem));
    }
    Ok(())
}
