//! A page for trying operations: GraphiQL, for development.
//!
//! GraphiQL and React (both under the MIT license) are megabytes of third-party code, so they are neither part of this
//! crate nor served by it. The page loads pinned versions from a public CDN, with integrity hashes. GraphiQL 4 is the
//! last version that is published as one script: version 5 is a graph of modules, of which only the first level could
//! have hashes. Without internet
//! access, and until the scripts are loaded, a plain form replaces it: it sends an operation with variables and
//! headers, shows the response and runs subscriptions, but has no completion.
//!
//! The page has no privileges: it sends requests to the endpoint of the same origin, and ad-hoc documents are accepted
//! only if the endpoint has [`AdHoc`](traitql::AdHoc) limits.

use axum::{
    http::{HeaderValue, header},
    response::{Html, IntoResponse},
    routing::{MethodRouter, get},
};
use serde_json::json;

const PAGE: &str = include_str!("explorer.html");

/// Allows scripts and styles from the page itself and from the CDN, and requests to the page's own origin only.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; connect-src 'self'; \
    script-src 'unsafe-inline' https://unpkg.com; style-src 'unsafe-inline' https://unpkg.com; font-src data:; img-src data:";

/// Serves the page. `endpoint` is the path of the GraphQL endpoint, `query` the initial content of the editor.
///
/// ```
/// # fn app(endpoint: traitql_axum::Endpoint) {
/// use traitql_axum::{explorer, router};
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
    // An unescaped `</script>` would end the script element.
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
    fn external_files_are_pinned_and_have_hashes() {
        let foreign: Vec<&str> = PAGE.lines().filter(|line| line.contains(".min.")).collect();
        assert_eq!(foreign.len(), 4);
        assert!(
            foreign
                .iter()
                .all(|line| line.contains('@') && line.contains("'sha384-"))
        );
        assert_eq!(
            PAGE.matches("https://").count(),
            1,
            "all external files are from one CDN"
        );
    }
}
