//! GraphiQL, for development.
//!
//! The page loads pinned versions of GraphiQL and React from a public CDN, with integrity hashes. GraphiQL 4 is the
//! last version in one script: of version 5's modules, only the first level could have hashes. Without the scripts, a
//! plain form sends operations and runs subscriptions.
//!
//! The page has no privileges, and needs [`AdHoc`](traitql::AdHoc) limits for ad-hoc documents.

use axum::{
    http::{HeaderValue, header},
    response::{Html, IntoResponse},
    routing::{MethodRouter, get},
};
use serde_json::json;

const PAGE: &str = include_str!("explorer.html");

const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; connect-src 'self'; \
    script-src 'unsafe-inline' https://unpkg.com; style-src 'unsafe-inline' https://unpkg.com; font-src data:; img-src data:";

/// Serves the page. `endpoint` is the path of the GraphQL endpoint, `query` the editor's initial content.
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
    // `</script>` would end the element.
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
