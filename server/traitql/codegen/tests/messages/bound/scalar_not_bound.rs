// The bound type does not implement parsing and serialization.
// Fix: paste the `impl` next to the type. Clients receive the error of `parse`, after the name of the input value.
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

    fn day(&self) -> Option<Day> {
        None
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Day(pub i64);

