//! Reads the public address of the installation.

use url::Url;

use super::{Problems, Reader, Storage, default_public_url, parse_origin, present};
use crate::settings::Settings;

/// The settings of the address that browsers use, whose checks need no others.
#[derive(Debug)]
pub struct PublicAddress {
    /// An origin.
    pub url: Url,
    /// `None` if it is not set.
    pub trust_proxy: Option<bool>,
}

const MISSING_TRUST: &str = "WAYPOST_TRUST_PROXY is not set, but WAYPOST_PUBLIC_URL is an https URL, so that requests come from a proxy. Set it to 1 if \
     every request passes through the proxy, so that callers have rate limits of their own, or to 0 if requests can bypass it.";

impl PublicAddress {
    /// # Errors
    /// Returns the problems of these settings, and ignores all others.
    pub fn read(settings: &Settings) -> Result<Self, Problems> {
        let mut reader = Reader::default();
        let port = Storage::parse(&mut Reader::default(), settings).listen.port();
        let address = Self::parse(&mut reader, settings, port);
        if !reader.problems.is_empty() {
            return Err(Problems(reader.problems));
        }
        Ok(address)
    }

    /// True if the public URL is not the default.
    pub fn is_set(settings: &Settings) -> bool {
        present(settings.public_url.clone()).is_some()
    }

    /// Returns the problem of a missing `WAYPOST_TRUST_PROXY`, without which the server does not start.
    pub fn missing_trust(&self) -> Option<&'static str> {
        // The server does not terminate TLS, so there is a proxy.
        (self.url.scheme() == "https" && self.trust_proxy.is_none()).then_some(MISSING_TRUST)
    }

    pub(super) fn parse(reader: &mut Reader, settings: &Settings, port: u16) -> Self {
        let url = reader
            .parsed(
                "WAYPOST_PUBLIC_URL",
                settings.public_url.clone(),
                "a URL without a path, such as https://tours.example.com",
                parse_origin,
            )
            .unwrap_or_else(|| default_public_url(port));
        let trust_proxy =
            present(settings.trust_proxy.clone()).map(|text| reader.switch("WAYPOST_TRUST_PROXY", Some(text)));
        Self { url, trust_proxy }
    }
}
