//! The call from the engine's vtable to the resolver's trait, and the mock that calls a closure.
//!
//! A macro and not a generic type, because fields differ in arguments, proof, column and lifetime.

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

/// The closures of a mock, by coordinate of the field.
#[derive(Default)]
pub struct Closures(HashMap<&'static str, Box<dyn Any + Send + Sync>>);

impl Closures {
    /// Stores the closure of a field, replacing an earlier one.
    pub fn put<C: Any + Send + Sync>(&mut self, coordinate: &'static str, closure: C) {
        self.0.insert(coordinate, Box::new(closure));
    }

    /// Returns the closure of a field.
    pub fn get<C: Any>(&self, coordinate: &'static str) -> Option<&C> {
        self.0.get(coordinate)?.downcast_ref()
    }
}

/// Boxes a resolver's future and converts its error for the engine.
pub fn boxed_resolver<'a, T, F>(
    future: impl Future<Output = Result<T, Throws<F>>> + Send + 'a,
) -> BoxFuture<'a, Result<T, FieldError>>
where
    T: 'a,
    F: 'a,
{
    Box::pin(IntoFieldError { future })
}

pin_project! {
    /// The usual combinators would instantiate thirty functions per resolver.
    struct IntoFieldError<A> {
        #[pin]
        future: A,
    }
}

impl<T, F, A: Future<Output = Result<T, Throws<F>>>> Future for IntoFieldError<A> {
    type Output = Result<T, FieldError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project().future.poll(cx) {
            Poll::Ready(Ok(value)) => Poll::Ready(Ok(value)),
            Poll::Ready(Err(error)) => Poll::Ready(Err(error.into_error())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl fmt::Debug for Closures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut coordinates: Vec<_> = self.0.keys().collect();
        coordinates.sort_unstable();
        f.debug_tuple("Closures").field(&coordinates).finish()
    }
}

/// For generated code only: declares the dispatch trait of an object type, with one method per resolver, and the
/// mock's closures.
///
/// The trait is implemented for every type that implements the traits of `resolve`, so that the executors are compiled
/// once, and editing a resolver does not rebuild them. A call costs one box per field and level.
///
/// No function body is an `async` block, because rustc takes several times as long for one as for a function call.
///
/// There is one trait per object type, because rustc checks every bound of a trait in every method of its
/// implementation. For a whole schema, this would take minutes.
///
/// A column carries the lifetime of its batch, so everything that its future borrows must live as long.
#[doc(hidden)]
#[macro_export]
macro_rules! fields {
    (
        $(#[$doc:meta])*
        pub trait $Object:ident<$b:lifetime>($Parents:ty);
        $($coordinate:literal => $Trait:ident: $method:ident($($arg:ident: $ty:ty),* $(,)?) -> $result:ty;)*
    ) => {
        $(#[$doc])*
        pub trait $Object: Send + Sync {
            $(
                #[doc = concat!("`", $coordinate, "`")]
                #[allow(clippy::too_many_arguments)]
                fn $method<$b>(&$b self, cx: &$b $crate::Ctx, parents: $Parents, $($arg: $ty),*)
                    -> $crate::__private::BoxFuture<$b, Result<$result, $crate::FieldError>>;
            )*
        }

        impl<T: Send + Sync $(+ resolve::$Trait)*> $Object for T {
            $(
                fn $method<$b>(&$b self, cx: &$b $crate::Ctx, parents: $Parents, $($arg: $ty),*)
                    -> $crate::__private::BoxFuture<$b, Result<$result, $crate::FieldError>>
                {
                    $crate::__private::boxed_resolver(resolve::$Trait::resolve(self, cx, parents, $($arg),*))
                }
            )*
        }

        const _: () = {
            $(
                type $Trait = dyn for<$b> Fn(&$crate::Ctx, $Parents, $($ty),*) -> Result<$result, $crate::Throws<field::$Trait>>
                    + Send + Sync;
            )*

            impl Mock {
                $(
                    #[doc = concat!("Resolves `", $coordinate, "` with a closure.")]
                    pub fn $method(
                        mut self,
                        closure: impl for<$b> Fn(&$crate::Ctx, $Parents, $($ty),*)
                            -> Result<$result, $crate::Throws<field::$Trait>> + Send + Sync + 'static,
                    ) -> Self {
                        self.closures.put::<Box<$Trait>>($coordinate, Box::new(closure));
                        self
                    }
                )*
            }

            $(
                #[diagnostic::do_not_recommend]
                impl resolve::$Trait for Mock {
                    fn resolve<$b>(&self, cx: &$crate::Ctx, parents: $Parents, $($arg: $ty),*)
                        -> impl Future<Output = Result<$result, $crate::Throws<field::$Trait>>> + Send
                    {
                        ::std::future::ready(match self.closures.get::<Box<$Trait>>($coordinate) {
                            Some(closure) => closure(cx, parents, $($arg),*),
                            None => Err($crate::__private::not_mocked($coordinate)),
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
                -> $result:ty;
        )*
    ) => {
        $(#[$doc])*
        pub trait $Object: Send + Sync {
            $(
                #[doc = concat!("`", $coordinate, "`")]
                #[allow(clippy::too_many_arguments)]
                fn $method<'a>(
                    &'a self, cx: &'a $crate::Ctx, $($viewer: &'a $crate::Viewer<$role>,)? $($arg: $ty),*
                ) -> $crate::__private::BoxFuture<'a, Result<$result, $crate::FieldError>>;
            )*
        }

        impl<T: Send + Sync $(+ resolve::$Trait)*> $Object for T {
            $(
                fn $method<'a>(
                    &'a self, cx: &'a $crate::Ctx, $($viewer: &'a $crate::Viewer<$role>,)? $($arg: $ty),*
                ) -> $crate::__private::BoxFuture<'a, Result<$result, $crate::FieldError>> {
                    $crate::__private::boxed_resolver(resolve::$Trait::resolve(self, cx, $($viewer,)? $($arg),*))
                }
            )*
        }

        const _: () = {
            $(
                type $Trait = dyn Fn(&$crate::Ctx, $(&$crate::Viewer<$role>,)? $($ty),*)
                    -> Result<$result, $crate::Throws<field::$Trait>> + Send + Sync;
            )*

            impl Mock {
                $(
                    #[doc = concat!("Resolves `", $coordinate, "` with a closure.")]
                    pub fn $method(
                        mut self,
                        closure: impl Fn(&$crate::Ctx, $(&$crate::Viewer<$role>,)? $($ty),*)
                            -> Result<$result, $crate::Throws<field::$Trait>> + Send + Sync + 'static,
                    ) -> Self {
                        self.closures.put::<Box<$Trait>>($coordinate, Box::new(closure));
                        self
                    }
                )*
            }

            $(
                #[diagnostic::do_not_recommend]
                impl resolve::$Trait for Mock {
                    fn resolve(&self, cx: &$crate::Ctx, $($viewer: &$crate::Viewer<$role>,)? $($arg: $ty),*)
                        -> impl Future<Output = Result<$result, $crate::Throws<field::$Trait>>> + Send
                    {
                        ::std::future::ready(match self.closures.get::<Box<$Trait>>($coordinate) {
                            Some(closure) => closure(cx, $($viewer,)? $($arg),*),
                            None => Err($crate::__private::not_mocked($coordinate)),
                        })
                    }
                }
            )*
        };
    };
}
