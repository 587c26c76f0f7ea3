//! What can go wrong while a request is answered.
//!
//! A failure has two texts: a safe one for the caller, built from the schema's error catalogue, and everything there is to
//! know for the log. [`FieldError`] carries both. Resolvers do not build it: they return the generated error types of the
//! codes that their field declares with `@throws`, or let `?` turn any other error into [`Internal`].

use std::{fmt, marker::PhantomData};

use serde_json::{Map, Value};

/// One error of a field, ready to be written into an answer. Its maps are boxed because every `Result` of a resolver is as
/// large as its error.
#[derive(Clone, PartialEq)]
pub struct FieldError {
    /// A code of the schema's error catalogue.
    pub code: &'static str,
    /// HTTP status of an answer that holds nothing but this error (RFC 9110).
    pub http: u16,
    /// The catalogue's sentence with its slots filled.
    pub message: String,
    /// The values of the slots, for clients that have the sentence in another language.
    pub slots: Box<Map<String, Value>>,
    /// More for clients, beside `code` and `slots` in `extensions`: the violations of an `INVALID_INPUT`, for instance.
    pub details: Box<Map<String, Value>>,
    /// For the log only.
    pub cause: Option<String>,
}

impl FieldError {
    /// An error without slots.
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

    /// Adds something to `extensions`.
    pub fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// Adds what the log should know and the caller should not.
    pub fn because(mut self, cause: impl fmt::Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    /// The failure nobody expected. The text is the same for all causes; the reference leads to the log.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::new("INTERNAL", 500, "Something failed on our side.").because(cause)
    }

    /// Writes the error's `extensions`.
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

/// An error that the schema does not speak of: a failing disk, a bug. Any `std::error::Error` becomes one
/// through `?`, and so does a text.
///
/// ```
/// fn noon() -> Result<traitql::DateTime, traitql::Internal> {
///     Ok("2026-11-05T12:00:00Z".parse()?)
/// }
/// assert!(noon().is_ok());
/// ```
pub struct Internal(pub(crate) String);

impl Internal {
    /// For failures that are no `std::error::Error`.
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

/// An error type generated for one code of the catalogue: its fields are the slots of the sentence.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no error of the schema",
    label = "`{Self}` is no error of the schema: write `.map_err(traitql::Internal::from)?` for a failure that nobody expected, or return a type of `errors`",
    note = "a failure without an error type of its own becomes one by `traitql::Internal::new(text)`"
)]
pub trait Code: Sized {
    /// The error with its sentence filled in.
    fn into_field_error(self) -> FieldError;
}

/// Says that the field `Self` lists the code `E` in its `@throws`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare the error `{E}`",
    // After `?` rustc shows the label only, so it says what to do.
    label = "this field may not fail with `{E}`: if it is an error of the schema, add its code to the field's `@throws`, then run `cargo traitql generate`"
)]
pub trait Declares<E> {}

/// The error of the field `F`: one of the codes it declares, or an internal failure.
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

    /// What will be written into the answer.
    pub fn error(&self) -> &FieldError {
        &self.error
    }

    /// What will be written into the answer.
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

/// For the slots of a column: a failure of the whole field becomes the failure of one parent.
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
