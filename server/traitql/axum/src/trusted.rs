//! Untrusted documents and unknown hashes are rejected before parsing, with `UNKNOWN_OPERATION`, which clients report
//! without a retry. After Apollo's `PERSISTED_QUERY_NOT_FOUND`, they would repeat the request with the text; after
//! `PERSISTED_QUERY_NOT_SUPPORTED`, never send hashes again.
//!
//! With ad-hoc documents, an unknown hash is `PERSISTED_QUERY_NOT_FOUND`.

use std::sync::Arc;

use super::{
    Endpoint,
    problem::Problem,
    request::{GraphqlRequest, Text},
};
use sha2::{Digest, Sha256};
use traitql::{Document, Documents};

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
            // Another order of fragments has another hash.
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
