// The schema has a field that the bound type does not implement.
// Fix: add the method for the field, with the signature that rustc shows.
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

impl bind::Tour for TourRow {
    fn id(&self) -> traitql::Id {
        self.id.to_string().into()
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
