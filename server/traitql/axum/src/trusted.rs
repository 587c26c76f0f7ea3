//! Finds the document of a request: a trusted one, or an ad-hoc one if these are enabled.
//!
//! Untrusted documents are rejected before they are parsed, always with `UNKNOWN_OPERATION`, and so are unknown
//! hashes. Apollo's automatic persisted queries define two other codes. `PERSISTED_QUERY_NOT_FOUND` makes the client
//! repeat the request with the text to register it, which would only double each rejection because nothing can be
//! registered. `PERSISTED_QUERY_NOT_SUPPORTED` makes the client stop sending hashes permanently, although hashes of
//! trusted documents are supported. Apollo Client reports any other code to the page without a retry.
//!
//! If ad-hoc documents are enabled, an unknown hash is answered with `PERSISTED_QUERY_NOT_FOUND`, because the client's
//! second request contains the required text.

use std::sync::Arc;

use super::{
    Endpoint,
    problem::Problem,
    request::{GraphqlRequest, Text},
};
use sha2::{Digest, Sha256};
use traitql::{Document, Documents};

/// Returns the document of a request, or the reason for its rejection.
pub(super) fn find(endpoint: &Endpoint, request: &GraphqlRequest<'_>) -> Result<Arc<Document>, Problem> {
    let GraphqlRequest {
        query,
        document_id,
        operation_name,
        ..
    } = request;
    let trusted = match (document_id, query) {
        (None, None) => None,
        (Some(id), None) => endpoint.documents.by_hash(id),
        (None, Some(text)) => by_text(&endpoint.documents, text)?,
        (Some(id), Some(text)) => {
            let found = by_text(&endpoint.documents, text)?;
            let is_trusted_hash = found.is_some_and(|document| is_hash(id, &document.hash));
            // The text of a trusted document with another order of fragments has another hash.
            if !is_trusted_hash && !is_hash(id, &hex::encode(Sha256::digest(text.plain("query")?.as_bytes()))) {
                let problem = "the given hash is not the SHA-256 of `query`";
                return Err(Problem::malformed(problem));
            }
            found
        }
    };
    if let Some(document) = trusted
        && (operation_name.is_none() || operation_name.as_deref() == document.name.as_deref())
    {
        return Ok(Arc::clone(document));
    }
    match (&endpoint.ad_hoc, query) {
        (Some(ad_hoc), Some(text)) => Ok(ad_hoc.check(&text.plain("query")?, operation_name.as_deref())?),
        (Some(_), None) if trusted.is_none() => Err(Problem::persisted_query_not_found()),
        _ => Err(Problem::unknown_operation()),
    }
}

fn by_text<'d>(documents: &'d Documents, text: &Text<'_>) -> Result<Option<&'d Arc<Document>>, Problem> {
    if let Text::Quoted(json) = text
        && let Some(found) = documents.by_quoted(json)
    {
        return Ok(Some(found));
    }
    Ok(documents.by_text(&text.plain("query")?))
}

fn is_hash(id: &str, hash: &str) -> bool {
    id.strip_prefix("sha256:").unwrap_or(id).eq_ignore_ascii_case(hash)
}
