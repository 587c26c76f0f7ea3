// The bound type does not implement its trait.
// Fix: paste the `impl` next to the type. A method can also compute its value instead of reading a field.
use crate::generated::bind;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    Draft,
    Out,
}

impl bind::State for Stage {
    const DRAFT: Self = Self::Draft;
    const OUT: Self = Self::Out;

    fn value(self) -> bind::value::State {
        match self {
            Self::Draft => bind::value::State::Draft,
            Self::Out => bind::value::State::Out,
        }
    }
}

pub struct TourRow {
    pub id: i64,
    pub stage: Stage,
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
