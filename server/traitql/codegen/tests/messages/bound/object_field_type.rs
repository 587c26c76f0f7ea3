// The bound type returns another type for a field than the schema declares.
// Fix: return the type of the schema. A nullable field is an `Option`.
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

    fn title(&self) -> String {
        format!("Tour {}", self.id)
    }

    fn state(&self) -> Stage {
        self.stage
    }

    fn day(&self) -> Day {
        Day(1)
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
