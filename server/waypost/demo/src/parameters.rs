//! Reads the parameters of requests to the development provider.

use std::collections::HashMap;

use url::form_urlencoded;

/// The parameters of a query or a form. None may occur twice (RFC 6749, section 3.1).
pub(crate) struct Parameters(HashMap<String, String>);

impl Parameters {
    /// Returns the name of a parameter that occurs twice as an error.
    pub(crate) fn read(encoded: &[u8]) -> Result<Self, String> {
        let mut parameters = HashMap::new();
        for (name, value) in form_urlencoded::parse(encoded) {
            if let Some(_first) = parameters.insert(name.to_string(), value.into_owned()) {
                return Err(name.into_owned());
            }
        }
        Ok(Self(parameters))
    }

    /// An empty value counts as a missing one (RFC 6749, section 3.1).
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}
