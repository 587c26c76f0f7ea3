//! The three states of an optional input field.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What an input says about a nullable field without a default: nothing, null, or a value. GraphQL tells the first two apart
/// (October 2021, section 3.10), and an update means different things by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Patch<T> {
    /// The field was left out: keep what is there.
    #[default]
    Keep,
    /// The field was null: clear what is there.
    Clear,
    /// The field had a value: it takes the place of what is there.
    Set(T),
}

impl<T> Patch<T> {
    /// The value, if there is one; "left out" and "null" become the same.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// Borrows the value.
    pub fn as_ref(&self) -> Patch<&T> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(value),
        }
    }

    /// Changes the value, if there is one.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(change(value)),
        }
    }

    /// Like [`map`](Self::map), for a change that can fail.
    pub fn try_map<U, E>(self, change: impl FnOnce(T) -> Result<U, E>) -> Result<Patch<U>, E> {
        Ok(match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(change(value)?),
        })
    }

    /// Changes an optional place accordingly.
    pub fn apply(self, place: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *place = None,
            Self::Set(value) => *place = Some(value),
        }
    }

    /// Changes a place that cannot be empty: null leaves it as it is, like a field that was left out.
    pub fn replace(self, place: &mut T) {
        if let Self::Set(value) = self {
            *place = value;
        }
    }

    /// What a place that holds `current` holds afterwards.
    pub fn or(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// Whether the field was left out.
    pub fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

impl<T> From<T> for Patch<T> {
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}

/// Null and values as they are. A field that was left out cannot be written by itself: generated types leave it out.
impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Clear => serializer.serialize_none(),
            Self::Set(value) => serializer.serialize_some(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Option::<T>::deserialize(deserializer)?;
        Ok(given.map_or(Self::Clear, Self::Set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_changes_a_place_in_its_own_way() {
        let applied = |patch: Patch<u8>| {
            let (mut optional, mut required) = (Some(1), 1);
            patch.apply(&mut optional);
            patch.replace(&mut required);
            assert_eq!(patch.or(Some(1)), optional);
            (optional, required)
        };
        assert_eq!(applied(Patch::Keep), (Some(1), 1));
        assert_eq!(applied(Patch::Clear), (None, 1));
        assert_eq!(applied(Patch::Set(2)), (Some(2), 2));
    }

    #[test]
    fn a_change_of_the_value_keeps_the_state() {
        assert!(Patch::Set(300).try_map(u8::try_from).is_err());
        assert_eq!(Patch::<i32>::Clear.try_map(u8::try_from), Ok(Patch::Clear));
        assert_eq!(Patch::Keep.map(|one: u8| one + 1), Patch::Keep);
        assert_eq!(Patch::Set(1).as_ref().value(), Some(&1));
    }
}
