// A subscription is answered with one value; its resolver returns a stream of events.
// Mend: return a stream: `Ok(Box::pin(stream))`, whose items are results.
use api::{Tour, field, resolve};
use traitql::{Ctx, Throws};

pub struct App;

impl resolve::SubscriptionTourChanged for App {
    async fn resolve(&self, _: &Ctx) -> Result<Tour, Throws<field::SubscriptionTourChanged>> {
        todo!()
    }
}
