// The resolver of a subscription returns one value instead of a stream.
// Fix: return a stream of results: `Ok(Box::pin(stream))`.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

impl resolve::SubscriptionTourChanged for App {
    async fn resolve(&self, _: &Ctx) -> Result<Tour, Throws<field::SubscriptionTourChanged>> {
        todo!()
    }
}
