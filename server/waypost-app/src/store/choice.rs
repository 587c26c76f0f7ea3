//! Enums of the schema as texts: in columns, and inside JSON columns with `#[serde(with = "choice")]`.

use serde::{Deserialize, Deserializer, Serializer, de};
use waypost_api::{EndReason, Frequency, MissingTarget, ReleaseState, RevisionState, Role, RunState, Side, StepKind};
use waypost_api::{EventKind, TargetBy, Trigger};

/// An enum of the schema. Its values are stored by the names that the schema gives them.
pub(crate) trait Choice: Copy {
    fn name(self) -> &'static str;
    fn named(name: &str) -> Option<Self>;
}

macro_rules! choices {
    ($($name:ident),*) => {
        $(impl Choice for $name {
            fn name(self) -> &'static str {
                self.as_graphql()
            }

            fn named(name: &str) -> Option<Self> {
                Self::from_graphql(name)
            }
        })*
    };
}

choices!(
    EndReason,
    EventKind,
    Frequency,
    MissingTarget,
    ReleaseState,
    RevisionState,
    Role,
    RunState,
    Side,
    StepKind,
    TargetBy,
    Trigger
);

pub(crate) fn serialize<T: Choice, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.name())
}

pub(crate) fn deserialize<'de, T: Choice, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let name = String::deserialize(deserializer)?;
    T::named(&name).ok_or_else(|| de::Error::custom(format!("`{name}` is no value of the enum")))
}
