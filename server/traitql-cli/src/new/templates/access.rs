
/// Who somebody is. While developing, the name that stands in the token: `Authorization: Bearer ada`.
impl api::Access for App {
    async fn account(&self, cx: &traitql::Ctx) -> Result<traitql::Id, traitql::FieldError> {
        let principal = cx.principal().expect("this is asked only about somebody who is signed in");
        Ok(principal.subject.as_str().into())
    }
{{grant}}}
