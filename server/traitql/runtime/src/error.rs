//! An error has a safe text for the caller, from the schema's catalog, and details for the log ([`FieldError`]).
//! Resolvers return the error types of `@throws`, or let `?` convert any other error to [`Internal`].

use std::{error::Error, fmt, io, marker::PhantomData};

use serde_json::{Map, Value};

/// An error of one field. The maps are boxed because every `Result` of a resolver is as large as its error type.
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
    /// Entries of `extensions` next to `code` and `slots`, such as the violations of `INVALID_INPUT`.
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

    /// Creates an error for an unexpected failure. The request id in the message leads to the log entry.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self::new("INTERNAL", 500, "Something failed on our side.").with_cause(cause)
    }

    /// Creates an internal error with the message of a panic.
    pub(crate) fn of_panic(panic: Box<dyn std::any::Any + Send>) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Self::internal(format!("panicked: {}", text.unwrap_or("(no message)")))
    }

    fn unavailable(problem: &str, cause: String) -> Self {
        let message = format!("The service is temporarily unavailable: {problem}.");
        Self::new("UNAVAILABLE", 503, message)
            .slot("problem", problem)
            .detail("retryAfter", OUTAGE_RETRY_SECONDS)
            .with_cause(cause)
    }

    pub(crate) fn is_failure(&self) -> bool {
        self.code == "INTERNAL" || (self.code == "UNAVAILABLE" && self.cause.is_some())
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

/// An unexpected failure, such as a bug, or an [`Outage`]. `?` converts any `std::error::Error`, and strings.
#[derive(Clone)]
pub struct Internal {
    cause: String,
    outage: Option<&'static str>,
}

impl Internal {
    /// Creates an error from a cause that does not implement `std::error::Error`.
    pub fn new(cause: impl fmt::Display) -> Self {
        Self {
            cause: cause.to_string(),
            outage: None,
        }
    }

    /// True if the cause contains an [`Outage`].
    pub fn is_outage(&self) -> bool {
        self.outage.is_some()
    }
}

impl fmt::Debug for Internal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl<E: Into<Box<dyn Error>>> From<E> for Internal {
    fn from(error: E) -> Self {
        let error: Box<dyn Error> = error.into();
        let mut text = error.to_string();
        let mut outage = Outage::within(&*error);
        let mut source = error.source();
        while let Some(inner) = source {
            outage = outage.or_else(|| Outage::within(inner));
            let inner_text = inner.to_string();
            // Many errors include the text of their source.
            if !text.ends_with(&inner_text) {
                text.push_str(": ");
                text.push_str(&inner_text);
            }
            source = inner.source();
        }
        Self { cause: text, outage }
    }
}

/// A failure of a service, such as a database that does not respond or a full disk.
///
/// It is sent as `UNAVAILABLE`, so that clients retry. An [`io::Error`] carries an outage through an error type of
/// another crate.
#[derive(Debug)]
pub struct Outage {
    problem: &'static str,
    cause: Box<dyn Error + Send + Sync>,
}

/// Time after which clients should retry after an outage, in seconds.
pub const OUTAGE_RETRY_SECONDS: u32 = 5;

impl Outage {
    /// Creates an outage. The caller receives `problem`, the end of a sentence.
    pub fn new(problem: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            problem,
            cause: cause.into(),
        }
    }

    fn within(error: &(dyn Error + 'static)) -> Option<&'static str> {
        let wrapped = || error.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref::<Self>();
        let outage = error.downcast_ref::<Self>().or_else(wrapped);
        outage.map(|outage| outage.problem)
    }
}

impl fmt::Display for Outage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl Error for Outage {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.cause)
    }
}

/// An error generated for a code of the catalog. Its fields are the slots of the message.
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
    // After `?`, rustc only shows the label.
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
        Self::__new(error.into())
    }
}

/// Converts an error of the whole field to one of a parent.
impl<F> From<Throws<F>> for FieldError {
    fn from(throws: Throws<F>) -> Self {
        throws.error
    }
}

impl From<Internal> for FieldError {
    fn from(Internal { cause, outage }: Internal) -> Self {
        match outage {
            Some(problem) => Self::unavailable(problem, cause),
            None => Self::internal(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_found_behind_errors_of_other_crates() {
        let full = || Outage::new("the disk is full", "code 13");
        for error in [Internal::from(full()), Internal::from(io::Error::other(full()))] {
            assert!(error.is_outage());
            let error = FieldError::from(error);
            assert_eq!((error.code, error.http), ("UNAVAILABLE", 503));
            assert_eq!(error.extensions("r1")["slots"]["problem"], "the disk is full");
            assert_eq!(error.extensions("r1")["retryAfter"], 5);
            assert_eq!(error.cause.as_deref(), Some("code 13"));
        }
        let bug = FieldError::from(Internal::from(io::Error::other("a bug")));
        assert_eq!((bug.code, bug.cause.as_deref()), ("INTERNAL", Some("a bug")));
    }
}
