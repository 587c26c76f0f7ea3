//! A page to try operations in: GraphiQL, for development.
//!
//! GraphiQL and React (both under the MIT licence) are megabytes of other people's releases, so they are neither in this
//! crate nor served by it. The page loads pinned versions from a public CDN, each with the hash that it must have. Where
//! there is no internet, and until they are there, a plain form does the same without completion: an operation, variables
//! and headers go in, the answer comes out, and subscriptions run.
//!
//! The page can do nothing that the endpoint does not allow: it asks the same address, of the same origin, and documents of
//! its visitors are admitted only by an endpoint with [`AdHoc`](crate::AdHoc) limits.

use axum::{
    http::{HeaderValue, header},
    response::{Html, IntoResponse},
    routing::{MethodRouter, get},
};
use serde_json::json;

const PAGE: &str = include_str!("explorer.html");

/// Scripts and styles come from the page itself and from the CDN; requests go to the page's own origin alone.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; connect-src 'self'; \
    script-src 'unsafe-inline' https://unpkg.com; style-src 'unsafe-inline' https://unpkg.com; font-src data:; img-src data:";

/// Answers with the page. `endpoint` is the path of the GraphQL endpoint, `query` what stands in the editor at first.
///
/// ```
/// # fn app(endpoint: traitql::http::Endpoint) {
/// use traitql::http::{explorer, router};
///
/// let app = router(endpoint).route("/", explorer("/graphql", "{ __typename }"));
/// # }
/// ```
pub fn explorer(endpoint: &str, query: &str) -> MethodRouter {
    let page = page(endpoint, query);
    get(move || async move {
        let headers = [
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        ];
        (headers, Html(page)).into_response()
    })
}

fn page(endpoint: &str, query: &str) -> String {
    // `</script>` inside of a script would end it.
    let settings = json!({ "endpoint": endpoint, "query": query }).to_string();
    PAGE.replacen("/*SETTINGS*/", &settings.replace('<', "\\u003c"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_cannot_end_the_script() {
        let page = page("/graphql", "{ a } # </script><script>alert(1)</script>");
        assert!(page.contains(r#"{"endpoint":"/graphql","query":"{ a } # \u003c/script>"#));
        assert_eq!(page.matches("</script>").count(), 1);
    }

    #[test]
    fn what_comes_from_elsewhere_is_pinned_and_has_a_hash() {
        let foreign: Vec<&str> = PAGE.lines().filter(|line| line.contains(".min.")).collect();
        assert_eq!(foreign.len(), 4);
        assert!(
            foreign
                .iter()
                .all(|line| line.contains('@') && line.contains("'sha384-"))
        );
        assert_eq!(PAGE.matches("https://").count(), 1, "there is one CDN");
    }
}
