//! What repeats for every field with a resolver, written once: the way from the engine's vtable to the resolver's trait, and
//! the mock that answers with a closure.
//!
//! Generated code lists its fields in [`fields!`], one entry each, and says nothing twice. A macro and not a generic type,
//! because signatures differ in everything: arguments, proof, column, lifetime.

use std::{
    any::Any,
    collections::HashMap,
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::future::BoxFuture;
use pin_project_lite::pin_project;

use crate::{FieldError, Throws};

/// The closures of a mock, by the coordinates of the fields that they answer.
#[derive(Default)]
pub struct Closures(HashMap<&'static str, Box<dyn Any + Send + Sync>>);

impl Closures {
    /// Keeps the closure of a field; a later one takes the place of an earlier one.
    pub fn put<C: Any + Send + Sync>(&mut self, coordinate: &'static str, closure: C) {
        self.0.insert(coordinate, Box::new(closure));
    }

    /// The closure of a field.
    pub fn get<C: Any>(&self, coordinate: &'static str) -> Option<&C> {
        self.0.get(coordinate)?.downcast_ref()
    }
}

/// A resolver's answer as the seam passes it on.
pub fn asked<'a, T, F>(
    answer: impl Future<Output = Result<T, Throws<F>>> + Send + 'a,
) -> BoxFuture<'a, Result<T, FieldError>>
where
    T: 'a,
    F: 'a,
{
    Box::pin(Asked { answer })
}

pin_project! {
    /// The future of a resolver, told in the words of the engine. The general combinators would do, but rustc makes thirty functions
    /// of them for each resolver, in the crate that is built again after each edit.
    struct Asked<A> {
        #[pin]
        answer: A,
    }
}

impl<T, F, A: Future<Output = Result<T, Throws<F>>>> Future for Asked<A> {
    type Output = Result<T, FieldError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project().answer.poll(cx) {
            Poll::Ready(Ok(answer)) => Poll::Ready(Ok(answer)),
            Poll::Ready(Err(error)) => Poll::Ready(Err(error.into_error())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl fmt::Debug for Closures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut answered: Vec<_> = self.0.keys().collect();
        answered.sort_unstable();
        f.debug_tuple("Closures").field(&answered).finish()
    }
}

/// For generated code only: the resolvers of an object type behind one vtable, and their closures in `Mock`.
///
/// The trait is implemented for whatever implements the traits of `resolve`, so executors are compiled once, with the
/// generated crate, and editing a resolver rebuilds nothing there. A call costs one box per field and level.
///
/// No body is an `async` block: rustc takes several times as long for one as for a call of a function.
///
/// There is a trait per object type and not one for the whole schema, because rustc looks at every bound of a trait in every
/// method of its implementation: thousands of bounds times thousands of methods take minutes.
///
/// A column carries the lifetime of its batch, so everything that its future borrows has to live as long.
#[doc(hidden)]
#[macro_export]
macro_rules! fields {
    (
        $(#[$doc:meta])*
        pub trait $Object:ident<$b:lifetime>($Parents:ty);
        $($coordinate:literal => $Trait:ident: $method:ident($($arg:ident: $ty:ty),* $(,)?) -> $answer:ty;)*
    ) => {
        $(#[$doc])*
        pub trait $Object: Send + Sync {
            $(
                #[doc = concat!("`", $coordinate, "`")]
                #[allow(clippy::too_many_arguments)]
                fn $method<$b>(&$b self, cx: &$b $crate::Ctx, parents: $Parents, $($arg: $ty),*)
                    -> $crate::__private::BoxFuture<$b, Result<$answer, $crate::FieldError>>;
            )*
        }

        impl<T: Send + Sync $(+ resolve::$Trait)*> $Object for T {
            $(
                fn $method<$b>(&$b self, cx: &$b $crate::Ctx, parents: $Parents, $($arg: $ty),*)
                    -> $crate::__private::BoxFuture<$b, Result<$answer, $crate::FieldError>>
                {
                    $crate::__private::asked(resolve::$Trait::resolve(self, cx, parents, $($arg),*))
                }
            )*
        }

        const _: () = {
            $(
                type $Trait = dyn for<$b> Fn(&$crate::Ctx, $Parents, $($ty),*) -> Result<$answer, $crate::Throws<field::$Trait>>
                    + Send + Sync;
            )*

            impl Mock {
                $(
                    #[doc = concat!("Answers `", $coordinate, "`.")]
                    pub fn $method(
                        mut self,
                        answer: impl for<$b> Fn(&$crate::Ctx, $Parents, $($ty),*)
                            -> Result<$answer, $crate::Throws<field::$Trait>> + Send + Sync + 'static,
                    ) -> Self {
                        self.closures.put::<Box<$Trait>>($coordinate, Box::new(answer));
                        self
                    }
                )*
            }

            $(
                #[diagnostic::do_not_recommend]
                impl resolve::$Trait for Mock {
                    fn resolve<$b>(&self, cx: &$crate::Ctx, parents: $Parents, $($arg: $ty),*)
                        -> impl Future<Output = Result<$answer, $crate::Throws<field::$Trait>>> + Send
                    {
                        ::std::future::ready(match self.closures.get::<Box<$Trait>>($coordinate) {
                            Some(answer) => answer(cx, parents, $($arg),*),
                            None => Err($crate::__private::unanswered($coordinate)),
                        })
                    }
                }
            )*
        };
    };
    (
        $(#[$doc:meta])*
        pub trait $Object:ident;
        $(
            $coordinate:literal => $Trait:ident: $method:ident$([$viewer:ident: $role:ty])?($($arg:ident: $ty:ty),* $(,)?)
                -> $answer:ty;
        )*
    ) => {
        $(#[$doc])*
        pub trait $Object: Send + Sync {
            $(
                #[doc = concat!("`", $coordinate, "`")]
                #[allow(clippy::too_many_arguments)]
                fn $method<'a>(
                    &'a self, cx: &'a $crate::Ctx, $($viewer: &'a $crate::Viewer<$role>,)? $($arg: $ty),*
                ) -> $crate::__private::BoxFuture<'a, Result<$answer, $crate::FieldError>>;
            )*
        }

        impl<T: Send + Sync $(+ resolve::$Trait)*> $Object for T {
            $(
                fn $method<'a>(
                    &'a self, cx: &'a $crate::Ctx, $($viewer: &'a $crate::Viewer<$role>,)? $($arg: $ty),*
                ) -> $crate::__private::BoxFuture<'a, Result<$answer, $crate::FieldError>> {
                    $crate::__private::asked(resolve::$Trait::resolve(self, cx, $($viewer,)? $($arg),*))
                }
            )*
        }

        const _: () = {
            $(
                type $Trait = dyn Fn(&$crate::Ctx, $(&$crate::Viewer<$role>,)? $($ty),*)
                    -> Result<$answer, $crate::Throws<field::$Trait>> + Send + Sync;
            )*

            impl Mock {
                $(
                    #[doc = concat!("Answers `", $coordinate, "`.")]
                    pub fn $method(
                        mut self,
                        answer: impl Fn(&$crate::Ctx, $(&$crate::Viewer<$role>,)? $($ty),*)
                            -> Result<$answer, $crate::Throws<field::$Trait>> + Send + Sync + 'static,
                    ) -> Self {
                        self.closures.put::<Box<$Trait>>($coordinate, Box::new(answer));
                        self
                    }
                )*
            }

            $(
                #[diagnostic::do_not_recommend]
                impl resolve::$Trait for Mock {
                    fn resolve(&self, cx: &$crate::Ctx, $($viewer: &$crate::Viewer<$role>,)? $($arg: $ty),*)
                        -> impl Future<Output = Result<$answer, $crate::Throws<field::$Trait>>> + Send
                    {
                        ::std::future::ready(match self.closures.get::<Box<$Trait>>($coordinate) {
                            Some(answer) => answer(cx, $($viewer,)? $($arg),*),
                            None => Err($crate::__private::unanswered($coordinate)),
                        })
                    }
                }
            )*
        };
    };
}
