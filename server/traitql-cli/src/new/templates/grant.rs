
    /// Which role somebody has on something. Everybody has the highest one on everything, until you look it up here.
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
