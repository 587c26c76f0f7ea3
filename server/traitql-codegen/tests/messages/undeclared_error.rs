// The field fails with a code that its `@throws` does not list.
// Mend: add the code to `@throws` in the schema, if clients should know of it; otherwise return another error.
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
