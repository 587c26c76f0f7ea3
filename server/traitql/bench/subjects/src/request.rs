//! The request of the minimal handlers.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The parameters that a handler needs if it selects operations by name.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NamedRequest<'a> {
    pub(crate) operation_name: &'a str,
    #[serde(borrow)]
    pub(crate) variables: &'a RawValue,
}
