//! Edges of state machines, as `@transition` declares them.

use std::fmt;

/// The edge that a mutation walks: from one of several states to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition<S: 'static> {
    /// Coordinate of the mutation that walks it.
    pub field: &'static str,
    /// States it may begin in.
    pub from: &'static [S],
    /// State it ends in.
    pub to: S,
}

impl<S: Copy + PartialEq> Transition<S> {
    /// The state after the edge, or the reason why it cannot be walked from `state`.
    pub fn apply(&self, state: S) -> Result<S, IllegalEdge<S>> {
        if self.allows(state) {
            Ok(self.to)
        } else {
            Err(IllegalEdge {
                from: state,
                to: self.to,
            })
        }
    }

    /// Whether the edge may begin in `state`.
    pub fn allows(&self, state: S) -> bool {
        self.from.contains(&state)
    }
}

/// A change of state that the schema does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalEdge<S> {
    /// The state now.
    pub from: S,
    /// The state that was asked for.
    pub to: S,
}

impl<S: fmt::Debug> fmt::Display for IllegalEdge<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no edge leads from {:?} to {:?}", self.from, self.to)
    }
}

impl<S: fmt::Debug> std::error::Error for IllegalEdge<S> {}
