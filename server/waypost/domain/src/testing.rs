//! Test inputs shared by this crate.

use waypost_api::{StepInput, TargetInput, TourSaveInput};

pub(crate) fn step(key: &str) -> StepInput {
    let mut step = StepInput::new(key.into(), format!("Step {key}"));
    step.target = TargetInput::new(key.into()).into();
    step
}

pub(crate) fn save_input(tour: &str, version: i32) -> TourSaveInput {
    TourSaveInput::new(tour.into(), version)
}
