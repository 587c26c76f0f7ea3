
    /// Returns the role of an account on a subject. Replace this placeholder: development builds grant the highest role on everything,
    /// and release builds grant nothing.
    async fn grant(
        &self,
        _cx: &traitql::Ctx,
        _account: &traitql::Id,
        _subject: api::Subject<'_>,
    ) -> Result<Option<api::Grant>, traitql::FieldError> {
        let role = api::{{roles}}::ALL.last().filter(|_| cfg!(debug_assertions));
        Ok(role.map(|role| api::Grant {
            scope: "everything".into(),
            role: *role,
        }))
    }
