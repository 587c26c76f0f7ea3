//! What the handlers of a few lines read of a request.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The parameters of a request that a handler needs which knows its operations by their names.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asked<'a> {
    pub(crate) operation_name: &'a str,
    #[serde(borrow)]
    pub(crate) variables: &'a RawValue,
}
