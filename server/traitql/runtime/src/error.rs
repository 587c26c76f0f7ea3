//! Errors that can occur while a request is executed.
//!
//! An error has two texts: a safe one for the caller, from the schema's error catalog, and all details for the log.
//! [`FieldError`] carries both. Resolvers do not construct it. They return the generated error types of the codes that
//! their field declares with `@throws`, or let `?` convert any other error to [`Internal`].

use std::{fmt, marker::PhantomData};

use serde_json::{Map, Value};

/// An error of one field, ready to be written into a response. The maps are boxed because every `Result` of a resolver
/// is as large as its error type.
#[derive(Clone, PartialEq)]
pub struct FieldError {
    /// A code of the schema's error catalog.
    pub code: &'static str,
    /// HTTP status of a response that contains only this error (RFC 9110).
    pub http: u16,
    /// The catalog's message with its slots filled in.
    pub message: String,
    /// The values of the slots, for clients that translate the message.
    pub slots: Box<Map<String, Value>>,
    /// Further entries of `extensions` next to `code` and `slots`, such as the violations of an `INVALID_INPUT`.
    pub details: Box<Map<String, Value>>,
    /// Cause, for the log only.
    pub cause: Option<String>,
}

impl FieldError {
    /// Creates an error without slots.
    pub fn new(code: &'static str, http: u16, message: impl Into<String>) -> Self {
        Self {
            code,
            http,
            message: message.into(),
            slots: Box::default(),
            details: Box::default(),
            cause: None,
        }
    }

    /// Adds the value of a slot.
    pub fn slot(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.slots.insert(name.to_owned(), value.into());
        self
    }

    /// Adds an entry to `extensions`.
    pub fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the cause, which is logged and never sent to the caller.
    pub fn with_cause(mut self, cause: impl fmt::Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    /// Creates an error for an unexpected failure. The message is the same for all causes; the request id in it leads
    /// to the log entry.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::new("INTERNAL", 500, "Something failed on our side.").with_cause(cause)
    }

    /// Returns the error's `extensions`.
    pub fn extensions(&self, request_id: &str) -> Map<String, Value> {
        let mut out = Map::new();
        out.insert("code".into(), self.code.into());
        if !self.slots.is_empty() {
            out.insert("slots".into(), (*self.slots).clone().into());
        }
        out.extend((*self.details).clone());
        out.insert("requestId".into(), request_id.into());
        out
    }
}

impl fmt::Debug for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        match &self.cause {
            Some(cause) => write!(f, " ({cause})"),
            None => Ok(()),
        }
    }
}

/// An unexpected failure, such as a disk error or a bug. `?` converts any `std::error::Error` to it, and also a
/// string.
pub struct Internal(pub(crate) String);

impl Internal {
    /// Creates an error from a cause that does not implement `std::error::Error`.
    pub fn new(cause: impl fmt::Display) -> Self {
        Self(cause.to_string())
    }
}

impl fmt::Debug for Internal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: Into<Box<dyn std::error::Error>>> From<E> for Internal {
    fn from(error: E) -> Self {
        let error: Box<dyn std::error::Error> = error.into();
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            text.push_str(": ");
            text.push_str(&inner.to_string());
            source = inner.source();
        }
        Self(text)
    }
}

/// An error type generated for one code of the catalog. Its fields are the slots of the message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an error of the schema",
    label = "`{Self}` is not an error of the schema: write `.map_err(traitql::Internal::from)?` for an unexpected failure, or return a type of `errors`",
    note = "use `traitql::Internal::new(text)` for a failure that has no error type"
)]
pub trait Code: Sized {
    /// Converts the error to a [`FieldError`] with its message filled in.
    fn into_field_error(self) -> FieldError;
}

/// Marks that the field `Self` lists the code `E` in its `@throws`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare the error `{E}`",
    // After `?`, rustc only shows the label, so it contains the fix.
    label = "this field must not fail with `{E}`: if it is an error of the schema, add its code to the field's `@throws`, then run `cargo traitql generate`"
)]
pub trait Declares<E> {}

/// The error of the field `F`: one of its declared codes, or an internal failure.
pub struct Throws<F> {
    error: FieldError,
    field: PhantomData<fn() -> F>,
}

impl<F> Throws<F> {
    #[doc(hidden)]
    pub fn __new(error: FieldError) -> Self {
        Self {
            error,
            field: PhantomData,
        }
    }

    /// Returns the error that will be written into the response.
    pub fn error(&self) -> &FieldError {
        &self.error
    }

    /// Returns the error that will be written into the response.
    pub fn into_error(self) -> FieldError {
        self.error
    }
}

impl<F> fmt::Debug for Throws<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<F, E: Code> From<E> for Throws<F>
where
    F: Declares<E>,
{
    fn from(error: E) -> Self {
        Self::__new(error.into_field_error())
    }
}

impl<F> From<Internal> for Throws<F> {
    fn from(error: Internal) -> Self {
        Self::__new(FieldError::internal(error.0))
    }
}

/// For the cells of a column: converts an error of the whole field to an error of one parent.
impl<F> From<Throws<F>> for FieldError {
    fn from(throws: Throws<F>) -> Self {
        throws.error
    }
}

impl From<Internal> for FieldError {
    fn from(error: Internal) -> Self {
        Self::internal(error.0)
    }
}
