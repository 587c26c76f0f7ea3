//! Proofs of the caller's access.
//!
//! A guarded resolver takes a `&Viewer<role::Author>`. Viewers exist only after the check of `@auth`, so code that
//! forgets it cannot call a guarded resolver.

use std::{fmt, marker::PhantomData};

use crate::Id;

/// A role, as a type.
pub trait Level: 'static {
    /// The schema's role enum, ordered from the lowest role to the highest.
    type Role: Copy + Ord + fmt::Debug;
    /// The lowest role that satisfies this level.
    const MIN_ROLE: Self::Role;
}

/// Marks that every viewer of the level `Self` is also one of the level `L`.
#[diagnostic::on_unimplemented(
    message = "a viewer with `{Self}` does not necessarily have `{L}`",
    note = "a viewer can be passed on for its own role or a lower one"
)]
pub trait Includes<L> {}

/// `@auth` without a role.
pub enum SignedIn {}

/// An account's role, and the scope in which it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant<R> {
    /// The container to which the subject belongs, such as the workspace of a tour.
    pub scope: Id,
    /// The account's role in the scope.
    pub role: R,
}

/// Proof that the caller is signed in and has at least the role `R` on the subject.
pub struct Viewer<R> {
    /// The caller's account.
    pub account: Id,
    /// Scope of the grant, if a role is required.
    pub scope: Option<Id>,
    level: PhantomData<fn() -> R>,
}

impl<R> Viewer<R> {
    /// Creates a viewer without a check, for tests.
    pub fn for_test(account: impl Into<Id>, scope: Option<Id>) -> Self {
        Self {
            account: account.into(),
            scope,
            level: PhantomData,
        }
    }

    /// Returns the viewer at a lower level.
    pub fn lower<L>(&self) -> Viewer<L>
    where
        R: Includes<L>,
    {
        Viewer {
            account: self.account.clone(),
            scope: self.scope.clone(),
            level: PhantomData,
        }
    }
}

impl<R: Level> Viewer<R> {
    /// Returns the scope of the grant.
    pub fn scope(&self) -> &Id {
        self.scope
            .as_ref()
            .expect("a viewer with a role is created from a grant, which has a scope")
    }
}

impl<R> fmt::Debug for Viewer<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Viewer")
            .field("account", &self.account)
            .field("scope", &self.scope)
            .finish()
    }
}

/// Returns `None` if the role of the grant is too low. A free function in a hidden module, because rustc would suggest
/// an associated function to code that lacks a viewer.
pub(crate) fn granted<R: Level>(account: Id, grant: Grant<R::Role>) -> Option<Viewer<R>> {
    (grant.role >= R::MIN_ROLE).then_some(Viewer {
        account,
        scope: Some(grant.scope),
        level: PhantomData,
    })
}

pub(crate) fn signed_in(account: Id) -> Viewer<SignedIn> {
    Viewer {
        account,
        scope: None,
        level: PhantomData,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Author;

    impl Level for Author {
        type Role = u8;
        const MIN_ROLE: u8 = 2;
    }

    impl Includes<SignedIn> for Author {}

    #[test]
    fn a_role_that_is_too_low_yields_no_viewer() {
        let grant = |role| Grant {
            scope: "w1".into(),
            role,
        };
        assert!(granted::<Author>("ann".into(), grant(1)).is_none());
        let viewer = granted::<Author>("ann".into(), grant(3)).expect("a role that is high enough");
        assert_eq!((viewer.account.as_str(), viewer.scope().as_str()), ("ann", "w1"));
        assert_eq!(viewer.lower::<SignedIn>().account, signed_in("ann".into()).account);
    }
}
