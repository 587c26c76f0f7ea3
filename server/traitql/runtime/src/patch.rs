use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A nullable input field without a default. GraphQL distinguishes absent from null (October 2021, section 3.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Patch<T> {
    /// Absent: keep the current value.
    #[default]
    Keep,
    /// Null: clear the current value.
    Clear,
    /// Replaces the current value.
    Set(T),
}

impl<T> Patch<T> {
    /// Returns the value, if there is one.
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

    /// Converts the value, if there is one.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(change(value)),
        }
    }

    /// Like [`map`](Self::map), for a fallible conversion.
    pub fn try_map<U, E>(self, change: impl FnOnce(T) -> Result<U, E>) -> Result<Patch<U>, E> {
        Ok(match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(change(value)?),
        })
    }

    /// Applies the patch to an optional value.
    pub fn apply(self, place: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *place = None,
            Self::Set(value) => *place = Some(value),
        }
    }

    /// Applies the patch to a required value. Ignores null.
    pub fn replace(self, place: &mut T) {
        if let Self::Set(value) = self {
            *place = value;
        }
    }

    /// Applies the patch to `current`.
    pub fn or(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Keep => current,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// True if the field is absent.
    pub fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

impl<T> From<T> for Patch<T> {
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}

/// `Keep` cannot be represented, so generated types skip the field.
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
    fn each_state_is_applied_differently() {
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
    fn mapping_the_value_keeps_the_state() {
        assert!(Patch::Set(300).try_map(u8::try_from).is_err());
        assert_eq!(Patch::<i32>::Clear.try_map(u8::try_from), Ok(Patch::Clear));
        assert_eq!(Patch::Keep.map(|one: u8| one + 1), Patch::Keep);
        assert_eq!(Patch::Set(1).as_ref().value(), Some(&1));
    }
}
