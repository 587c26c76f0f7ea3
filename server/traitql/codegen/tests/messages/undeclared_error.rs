// The resolver returns an error code that the field's `@throws` does not declare.
// Fix: add the code to `@throws` in the schema if clients should handle it. Otherwise return another error.
use api::{Tour, errors, field, resolve, role};
use traitql::{Ctx, Id, Throws, Viewer};

pub struct App;

impl resolve::MutationTourRename for App {
    async fn resolve(
        &self,
        _: &Ctx,
        _: &Viewer<role::Author>,
        _: Id,
        title: String,
    ) -> Result<Tour, Throws<field::MutationTourRename>> {
        Err(errors::SlugTaken { slug: title })?
    }
}
