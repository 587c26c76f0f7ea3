
    /// Returns the role of an account on a subject. Replace this placeholder, which grants the highest role on everything.
    async fn grant(
        &self,
        _cx: &traitql::Ctx,
        _account: &traitql::Id,
        _subject: api::Subject<'_>,
    ) -> Result<Option<api::Grant>, traitql::FieldError> {
        Ok(api::{{roles}}::ALL.last().map(|role| api::Grant {
            scope: "everything".into(),
            role: *role,
        }))
    }
