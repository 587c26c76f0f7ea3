use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NamedRequest<'a> {
    pub(crate) operation_name: &'a str,
    #[serde(borrow)]
    pub(crate) variables: &'a RawValue,
}
