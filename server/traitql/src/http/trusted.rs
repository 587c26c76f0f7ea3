//! The document that a request names: a trusted one, else an ad-hoc one where those are answered.
//!
//! What is not trusted is refused here, before anybody parses it, and always with the same answer: `UNKNOWN_OPERATION`. That is
//! so for hashes too. Apollo's automatic persisted queries would have a server say `PERSISTED_QUERY_NOT_FOUND`, and the client
//! send the text along to register it. Nothing can be registered here, so that would only double each refusal; and
//! `PERSISTED_QUERY_NOT_SUPPORTED` would make a client give up on hashes for good, which are welcome. Apollo Client hands any
//! other code on to the page without asking again.
//!
//! Where ad-hoc documents are answered, a hash alone is answered with `PERSISTED_QUERY_NOT_FOUND`: the client's second request
//! has the text, and that is what is needed.

use std::sync::Arc;

use super::{
    Endpoint,
    problem::Problem,
    request::{GraphqlRequest, Text},
};
use crate::{
    documents::{Documents, hash},
    engine::Document,
};

/// Finds it, or says why there is none.
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
            let agree = match found {
                Some(document) => is_hash(id, &document.hash),
                None => is_hash(id, &hash(&text.plain("query")?)),
            };
            if !agree {
                let problem = "the hash that it gives is not the SHA-256 of `query`";
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
        (Some(ad_hoc), Some(text)) => Ok(ad_hoc.admit(&text.plain("query")?, operation_name.as_deref())?),
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

/// Whether `id` spells this hash.
fn is_hash(id: &str, hash: &str) -> bool {
    id.strip_prefix("sha256:").unwrap_or(id).eq_ignore_ascii_case(hash)
}
