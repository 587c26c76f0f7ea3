use std::fmt;

/// The transition that a mutation performs: from one of several states to one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition<S: 'static> {
    /// Coordinate of the mutation.
    pub field: &'static str,
    /// Allowed states before the transition.
    pub from: &'static [S],
    /// State after the transition.
    pub to: S,
}

impl<S: Copy + PartialEq> Transition<S> {
    /// Returns the new state, or an error if the transition is not allowed.
    pub fn apply(&self, state: S) -> Result<S, IllegalTransition<S>> {
        if self.allows(state) {
            Ok(self.to)
        } else {
            Err(IllegalTransition {
                from: state,
                to: self.to,
            })
        }
    }

    /// True if the transition is allowed from `state`.
    pub fn allows(&self, state: S) -> bool {
        self.from.contains(&state)
    }
}

/// A change of state that the schema does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalTransition<S> {
    /// The current state.
    pub from: S,
    /// The requested state.
    pub to: S,
}

impl<S: fmt::Debug> fmt::Display for IllegalTransition<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no transition from {:?} to {:?}", self.from, self.to)
    }
}

impl<S: fmt::Debug> std::error::Error for IllegalTransition<S> {}
