// A batch is stored for later, but it lives only as long as one level of the request.
// Fix: copy the data that you need. The rows of a batch belong to the request.
use api::{Person, Step, Tour, field, resolve};
use traitql::{Batch, Ctx, Many, One, Throws};

pub struct App;

pub struct Later {
    tours: Option<Batch<'static, Tour>>,
}

pub async fn keep<'b>(later: &mut Later, tours: Batch<'b, Tour>) {
    later.tours = Some(tours);
}
