//! The headers of pages: what the browser may load, from where, and who may frame it.

use std::collections::BTreeSet;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use waypost_auth::Origins;

/// Headers of one kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// The application.
    App,
    /// A page that only hands a provider's answer to the page that asked for it: framed, or opened as a popup.
    Callback,
    /// Scripts, styles, pictures.
    Asset,
}

/// What all pages share.
#[derive(Debug, Clone)]
pub(crate) struct PageHeaders {
    secure: bool,
}

impl PageHeaders {
    /// `secure`: people reach the installation by https.
    pub(crate) fn new(secure: bool) -> Self {
        Self { secure }
    }

    /// Writes the headers. `origins` are the identity providers'.
    pub(crate) fn write(&self, page: Page, origins: &Origins, headers: &mut HeaderMap) {
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        if self.secure {
            headers.insert(
                header::STRICT_TRANSPORT_SECURITY,
                HeaderValue::from_static("max-age=31536000"),
            );
        }
        match page {
            Page::App => {
                headers.insert(header::CONTENT_SECURITY_POLICY, app_policy(origins));
                // The sign-in popup must keep its opener; isolating the window completely would cut it.
                headers.insert(COOP, HeaderValue::from_static("same-origin-allow-popups"));
                headers.insert(PERMISSIONS, HeaderValue::from_static(NO_PERMISSIONS));
            }
            Page::Callback => {
                // No opener policy here: the popup has come from the provider's pages, and a policy would part it from
                // the page that waits for it.
                headers.insert(
                    header::CONTENT_SECURITY_POLICY,
                    HeaderValue::from_static(CALLBACK_POLICY),
                );
                headers.insert(PERMISSIONS, HeaderValue::from_static(NO_PERMISSIONS));
            }
            Page::Asset => {
                headers.insert(CORP, HeaderValue::from_static("same-origin"));
            }
        }
    }
}

const COOP: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");
const NO_PERMISSIONS: &str =
    "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()";
const CALLBACK_POLICY: &str =
    "default-src 'none'; script-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// Nothing comes from outside but what sign-in needs, calls of the providers' endpoints and frames for renewals, and the
/// images in the texts of steps, which may be anywhere behind TLS (client/src/player/markdown.ts). Sign-in in
/// this tab and in a window are navigations, which no policy has to allow.
fn app_policy(Origins { called, framed }: &Origins) -> HeaderValue {
    let listed = |origins: &BTreeSet<String>| origins.iter().map(|origin| format!(" {origin}")).collect::<String>();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; manifest-src 'self'; \
         worker-src 'self'; connect-src 'self'{}; frame-src 'self'{}; frame-ancestors 'none'; base-uri 'none'; \
         form-action 'self'; object-src 'none'",
        listed(called),
        listed(framed),
    );
    HeaderValue::from_str(&policy).expect("origins are serialised by the URL standard and hold only visible ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_providers_and_nothing_else_from_outside_but_images() {
        let origins = Origins {
            called: ["https://token.example.com".to_owned()].into(),
            framed: ["https://login.example.com".to_owned()].into(),
        };
        assert_eq!(
            app_policy(&origins).to_str().expect("ASCII"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; \
             manifest-src 'self'; worker-src 'self'; connect-src 'self' https://token.example.com; \
             frame-src 'self' https://login.example.com; frame-ancestors 'none'; base-uri 'none'; \
             form-action 'self'; object-src 'none'"
        );
    }
}
