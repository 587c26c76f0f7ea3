// The sentence of an error has a slot that nobody fills in.
// Mend: give a value for each slot of the sentence.
use api::errors;

pub fn taken() -> errors::SlugTaken {
    errors::SlugTaken {}
}
