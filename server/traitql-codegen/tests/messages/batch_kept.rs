// A batch is put aside for later: it lives only as long as the request's level.
// Mend: copy what you need out of the batch: its rows belong to the request.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

pub struct Later {
    tours: Option<Batch<'static, Tour>>,
}

pub async fn keep<'b>(later: &mut Later, tours: Batch<'b, Tour>) {
    later.tours = Some(tours);
}
