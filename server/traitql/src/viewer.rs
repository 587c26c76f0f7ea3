//! Proofs of who calls.
//!
//! A guarded resolver takes a `&Viewer<role::Author>`. A viewer comes into being only where the rule of `@auth` was checked,
//! so a guarded resolver cannot be called by code that forgot to check: it has nothing to pass.

use std::{fmt, marker::PhantomData};

use crate::Id;

/// The marker of a role: a type per value of the schema's role enum.
pub trait Level: 'static {
    /// The schema's role enum, ordered from the lowest role to the highest.
    type Role: Copy + Ord + fmt::Debug;
    /// The least role that a viewer of this level has.
    const LEAST: Self::Role;
}

/// Says that every viewer of the level `Self` is also one of the level `L`.
#[diagnostic::on_unimplemented(
    message = "a viewer with `{Self}` need not have `{L}`",
    note = "a viewer can be passed on for its own role or for a lower one"
)]
pub trait Includes<L> {}

/// The marker of `@auth` without a role: somebody is signed in.
pub enum SignedIn {}

/// An account's role, and where it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant<R> {
    /// The whole that the subject belongs to: the workspace of a tour, for instance.
    pub scope: Id,
    /// The account's role in that whole.
    pub role: R,
}

/// Proof that somebody is signed in and, where `R` is a role, that they have this role or a higher one on the subject.
pub struct Viewer<R> {
    /// Who it is.
    pub account: Id,
    /// The scope of the grant; `None` when no role was asked for.
    pub scope: Option<Id>,
    level: PhantomData<fn() -> R>,
}

impl<R> Viewer<R> {
    /// A viewer that nobody checked, for tests of resolvers.
    pub fn for_test(account: impl Into<Id>, scope: Option<Id>) -> Self {
        Self {
            account: account.into(),
            scope,
            level: PhantomData,
        }
    }

    /// The same person seen as a viewer of a lower level, to call another guarded resolver.
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
    /// The scope of the grant.
    pub fn scope(&self) -> &Id {
        self.scope
            .as_ref()
            .expect("a viewer with a role is made from a grant, and a grant has a scope")
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

/// Makes the proof of a role out of a grant; `None` when the role of the grant is too low. A free function in a hidden
/// module, because rustc suggests associated functions to those who lack a viewer.
pub(crate) fn granted<R: Level>(account: Id, grant: Grant<R::Role>) -> Option<Viewer<R>> {
    (grant.role >= R::LEAST).then_some(Viewer {
        account,
        scope: Some(grant.scope),
        level: PhantomData,
    })
}

/// Makes the proof that somebody is signed in.
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
        const LEAST: u8 = 2;
    }

    impl Includes<SignedIn> for Author {}

    #[test]
    fn a_role_that_is_too_low_makes_no_proof() {
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
