// The bound enum does not implement its trait.
// Fix: paste the `impl` next to the type, and insert the names of your variants.
use crate::generated::bind;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    Draft,
    Out,
}

pub struct TourRow {
    pub id: i64,
    pub stage: Stage,
}

impl bind::Tour for TourRow {
    fn id(&self) -> traitql::Id {
        self.id.to_string().into()
    }

    fn title(&self) -> String {
        format!("Tour {}", self.id)
    }

    fn state(&self) -> Stage {
        self.stage
    }

    fn day(&self) -> Option<Day> {
        None
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Day(pub i64);

impl traitql::Scalar for Day {
    fn parse(value: &traitql::Json) -> Result<Self, String> {
        value.as_i64().map(Self).ok_or_else(|| "must be a number".to_owned())
    }

    fn write(&self) -> traitql::Json {
        self.0.into()
    }
}
