use std::collections::BTreeSet;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use waypost_auth::Origins;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    App,
    /// Passes a provider's response to its opener, in a frame or popup.
    Callback,
    Asset,
}

#[derive(Debug, Clone)]
pub(crate) struct PageHeaders {
    is_https: bool,
}

impl PageHeaders {
    pub(crate) fn new(is_https: bool) -> Self {
        Self { is_https }
    }

    pub(crate) fn write(&self, page: Page, origins: &Origins, headers: &mut HeaderMap) {
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        if self.is_https {
            headers.insert(
                header::STRICT_TRANSPORT_SECURITY,
                HeaderValue::from_static("max-age=31536000"),
            );
        }
        match page {
            Page::App => {
                headers.insert(header::CONTENT_SECURITY_POLICY, app_policy(origins));
                // `same-origin` would cut the connection to the popup.
                headers.insert(COOP, HeaderValue::from_static("same-origin-allow-popups"));
                headers.insert(PERMISSIONS, HeaderValue::from_static(NO_PERMISSIONS));
            }
            Page::Callback => {
                // A policy would cut the popup's connection to the page that opened it.
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

/// Allows origins for sign-in (endpoints and frames), and images of steps from any https origin
/// (client/embed/player/markdown.ts). Sign-in in the tab or a window is a navigation, which is not restricted.
fn app_policy(Origins { called, framed }: &Origins) -> HeaderValue {
    let join = |origins: &BTreeSet<String>| origins.iter().map(|origin| format!(" {origin}")).collect::<String>();
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; manifest-src 'self'; \
         worker-src 'self'; connect-src 'self'{}; frame-src 'self'{}; frame-ancestors 'none'; base-uri 'none'; \
         form-action 'self'; object-src 'none'",
        join(called),
        join(framed),
    );
    HeaderValue::from_str(&policy).expect("serialized origins contain only visible ASCII characters")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_only_the_providers_and_images_from_other_origins() {
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
