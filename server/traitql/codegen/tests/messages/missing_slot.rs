// The message of an error has a slot without a value.
// Fix: set a value for each slot of the message.
use api::errors;

pub fn taken() -> errors::SlugTaken {
    errors::SlugTaken {}
}
