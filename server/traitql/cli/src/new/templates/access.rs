
/// Access checks. In development the token is the name of an account: `Authorization: Bearer ada`.
impl api::Access for App {
    async fn account(&self, cx: &traitql::Ctx) -> Result<traitql::Id, traitql::FieldError> {
        let principal = cx.principal().expect("traitql calls this only for signed-in callers");
        Ok(principal.subject.as_str().into())
    }
{{grant}}}
