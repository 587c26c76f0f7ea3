//! A marker per field with a resolver, and which errors each field declares.

use super::api::Api;
use crate::{GeneratedFile, names::variant, render};

/// `field.rs`: sorted, so that branches that add fields merge.
pub(crate) fn file(api: &Api<'_>) -> GeneratedFile {
    let mut file = api.whole(
        "field.rs",
        "A marker for each field with a resolver: `Throws<field::TourDraft>` is the error of `Tour.draft`.",
    );
    for resolver in api.sorted() {
        let name = &resolver.name;
        let doc = render::lines(&format!("`{}: {}`", resolver.coordinate, resolver.field.ty));
        file.item(format!("{doc}#[derive(Debug)]\npub enum {name} {{}}"));
        for code in &resolver.field.throws {
            file.item(format!(
                "impl traitql::Declares<super::errors::{}> for {name} {{}}",
                variant(code)
            ));
        }
    }
    file.finish()
}
