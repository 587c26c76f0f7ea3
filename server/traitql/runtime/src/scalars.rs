//! The trait of custom scalars, and three scalars that many schemas need.

use std::{fmt, ops::Deref, str::FromStr};

use jiff::{Timestamp, civil};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

/// A custom scalar: defines how its values are represented in JSON. The generator's configuration names a type that
/// implements it.
///
/// Generated types contain these values, so the type must implement the traits that generated types derive.
///
/// ```
/// /// A price in cents, written as a text with two decimals.
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// struct Price(i64);
///
/// impl traitql::Scalar for Price {
///     fn parse(value: &traitql::Json) -> Result<Self, String> {
///         let cents = value.as_str().and_then(|text| text.replacen('.', "", 1).parse().ok());
///         cents.map(Price).ok_or_else(|| "must be a price such as 12.50".to_owned())
///     }
///
///     fn write(&self) -> traitql::Json {
///         format!("{}.{:02}", self.0 / 100, self.0 % 100).into()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read and written as a scalar",
    label = "needs `impl traitql::Scalar`",
    note = "codegen.yml lists it under `traitql.scalars`; add this next to the type, or next to a wrapper type of your own:\n\nimpl traitql::Scalar for {Self} {{\n    fn parse(value: &traitql::Json) -> Result<Self, String> {{\n        todo!()\n    }}\n\n    fn write(&self) -> traitql::Json {{\n        todo!()\n    }}\n}}\n"
)]
pub trait Scalar: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// Reads a non-null value. The error follows the name of the value: "must be a day such as 2026-11-05".
    fn parse(value: &Value) -> Result<Self, String>;

    /// Writes a value.
    fn write(&self) -> Value;

    /// Appends the JSON of a value without an intermediate [`Value`]. Returns false if the type does not support it.
    #[doc(hidden)]
    fn append(&self, _answer: &mut Vec<u8>) -> bool {
        false
    }
}

/// Any JSON value: the default type of a custom scalar.
pub type Json = Value;

impl Scalar for Json {
    fn parse(value: &Value) -> Result<Self, String> {
        Ok(value.clone())
    }

    fn write(&self) -> Value {
        self.clone()
    }
}

/// An instant, written as RFC 3339 in UTC with milliseconds: `2026-11-05T09:30:00.000Z`. Accepts offsets. Drops
/// fractions of a millisecond, so that a value survives writing and reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime(Timestamp);

impl DateTime {
    /// Returns the current time.
    pub fn now() -> Self {
        Timestamp::now().into()
    }

    /// Returns the milliseconds since 1970-01-01T00:00:00Z.
    pub fn as_millis(self) -> i64 {
        self.0.as_millisecond()
    }

    /// Returns the instant `millis` milliseconds after 1970-01-01T00:00:00Z, or `None` outside of the years -9999 to
    /// 9999.
    pub fn from_millis(millis: i64) -> Option<Self> {
        Timestamp::from_millisecond(millis).ok().map(Self)
    }

    /// Returns the instant as a jiff timestamp.
    pub fn timestamp(self) -> Timestamp {
        self.0
    }
}

impl From<Timestamp> for DateTime {
    fn from(timestamp: Timestamp) -> Self {
        let millis = timestamp.as_millisecond();
        Self(Timestamp::from_millisecond(millis).expect("the milliseconds of a timestamp are in range"))
    }
}

impl From<DateTime> for Timestamp {
    fn from(instant: DateTime) -> Self {
        instant.0
    }
}

impl Deref for DateTime {
    type Target = Timestamp;

    fn deref(&self) -> &Timestamp {
        &self.0
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

impl FromStr for DateTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse::<Timestamp>()
            .map(Self::from)
            .map_err(|_| "must be an RFC 3339 instant such as 2026-11-05T09:30:00.000Z".to_owned())
    }
}

/// A calendar day, written as RFC 3339: `2026-11-05`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(civil::Date);

impl Date {
    /// Returns the day as a jiff date.
    pub fn civil(self) -> civil::Date {
        self.0
    }

    /// Returns the day of an instant in UTC.
    pub fn of(instant: DateTime) -> Self {
        Self(instant.0.to_zoned(jiff::tz::TimeZone::UTC).date())
    }
}

impl From<civil::Date> for Date {
    fn from(date: civil::Date) -> Self {
        Self(date)
    }
}

impl From<Date> for civil::Date {
    fn from(date: Date) -> Self {
        date.0
    }
}

impl Deref for Date {
    type Target = civil::Date;

    fn deref(&self) -> &civil::Date {
        &self.0
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Date {
    type Err = String;

    /// jiff alone would drop the time of an instant.
    fn from_str(text: &str) -> Result<Self, String> {
        let shaped = text.len() == 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
        let day = if shaped { text.parse().ok() } else { None };
        day.map(Self)
            .ok_or_else(|| "must be a day such as 2026-11-05".to_owned())
    }
}

/// An absolute http or https URL (WHATWG URL). Keeps the original text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url(String);

impl Url {
    /// Returns the original text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the parsed URL.
    pub fn parsed(&self) -> url::Url {
        url::Url::parse(&self.0).expect("the text was validated when the value was created")
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Url {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match url::Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Self(text.to_owned())),
            _ => Err("must be an absolute http or https URL".to_owned()),
        }
    }
}

fn quoted(out: &mut Vec<u8>, value: &impl fmt::Display) {
    use std::io::Write as _;
    write!(out, "\"{value}\"").expect("writing to memory does not fail");
}

macro_rules! text_scalar {
    ($name:ident, |$value:ident, $out:ident| $append:expr) => {
        impl Scalar for $name {
            fn parse(value: &Value) -> Result<Self, String> {
                match value {
                    Value::String(text) => text.parse(),
                    _ => Err("must be a string".to_owned()),
                }
            }

            fn write(&self) -> Value {
                Value::String(self.to_string())
            }

            fn append(&self, $out: &mut Vec<u8>) -> bool {
                let $value = self;
                $append;
                true
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse()
                    .map_err(|problem| de::Error::custom(format!("`{text}` {problem}")))
            }
        }
    };
}

text_scalar!(DateTime, |instant, out| quoted(out, instant));
text_scalar!(Date, |day, out| quoted(out, day));
text_scalar!(Url, |url, out| crate::engine::append_text(out, url.as_str()));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_with_milliseconds_and_zone_z() {
        let instant: DateTime = "2026-11-05T10:30:00.1239+01:00".parse().expect("an instant");
        assert_eq!(instant.to_string(), "2026-11-05T09:30:00.123Z");
        assert_eq!(
            "2026-11-05T09:30:00Z"
                .parse::<DateTime>()
                .expect("an instant")
                .to_string(),
            "2026-11-05T09:30:00.000Z"
        );
        assert!("2026-11-05".parse::<DateTime>().is_err());
        assert!("2026-11-05T09:30:00".parse::<DateTime>().is_err());
    }

    #[test]
    fn append_writes_the_same_json_as_write() {
        fn same(value: &impl Scalar) {
            let mut out = Vec::new();
            assert!(value.append(&mut out));
            assert_eq!(String::from_utf8(out).ok(), serde_json::to_string(&value.write()).ok());
        }
        same(&DateTime::from_millis(1_000_000_000_123).expect("an instant"));
        same(&"-000044-03-15T00:00:00Z".parse::<DateTime>().expect("an instant"));
        same(&"2026-11-05".parse::<Date>().expect("a day"));
        same(&"https://example.com/?q=\"a\\b\"".parse::<Url>().expect("a URL"));
    }

    #[test]
    fn a_day_has_no_time() {
        assert_eq!("2026-11-05".parse::<Date>().expect("a day").to_string(), "2026-11-05");
        assert!("2026-11-05T09:30:00Z".parse::<Date>().is_err());
        assert!("2026-02-30".parse::<Date>().is_err());
        assert!("20261105".parse::<Date>().is_err());
    }

    #[test]
    fn a_url_keeps_its_text() {
        assert_eq!(
            "https://EXAMPLE.com".parse::<Url>().expect("a URL").as_str(),
            "https://EXAMPLE.com"
        );
        for bad in ["/path", "javascript:alert(1)", "mailto:a@b.c", "data:text/html,hi", ""] {
            assert!(bad.parse::<Url>().is_err(), "{bad}");
        }
    }
}
