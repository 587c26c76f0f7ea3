use traitql::{Ctx, Id, Throws, Viewer};
use waypost_api::{Theme, ThemeInput, audit, errors, field, resolve, role};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    store::ForChange,
    theme::{MAX_THEMES, difference, edit, store},
};

use crate::App;

impl resolve::QueryTheme for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Option<Theme>, Throws<field::QueryTheme>> {
        Ok(store::by_id(self.store.reader(), &id).await?)
    }
}

impl resolve::MutationThemeCreate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        workspace_id: Id,
        input: ThemeInput,
    ) -> Result<Theme, Throws<field::MutationThemeCreate>> {
        let mut tx = self.store.write(audit::THEME_CREATE, &viewer.account).await?;
        if store::count(tx.conn(), &workspace_id).await? >= MAX_THEMES {
            return Err(errors::LimitReached {
                limit: MAX_THEMES.to_string(),
                things: "themes".to_owned(),
            }
            .into());
        }
        let now = tx.now();
        let theme = store::insert(tx.conn(), &workspace_id, &input, false, &viewer.account, now).await?;
        tx.commit(Entry::on(&workspace_id, &theme.name)).await?;
        Ok(theme)
    }
}

impl resolve::MutationThemeUpdate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
        expected_version: i32,
        input: ThemeInput,
    ) -> Result<Theme, Throws<field::MutationThemeUpdate>> {
        let mut tx = self.store.write(audit::THEME_UPDATE, &viewer.account).await?;
        let ForChange {
            row: before,
            changed_by: person,
        } = store::for_change(tx.conn(), &id).await?.ok_or_else(not_found)?;
        if before.version != expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        let after = edit(&before, &input);
        store::update(tx.conn(), &after, &viewer.account).await?;
        tx.touch(Changed::Live);
        let entry = Entry::on(&before.workspace_id, &before.name);
        tx.commit(difference(entry, &before, &after)).await?;
        Ok(after)
    }
}

impl resolve::MutationThemeDefaultSet for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
    ) -> Result<Theme, Throws<field::MutationThemeDefaultSet>> {
        let mut tx = self.store.write(audit::THEME_DEFAULT_SET, &viewer.account).await?;
        let theme = store::for_change(tx.conn(), &id).await?.ok_or_else(not_found)?.row;
        let before = store::default_set(tx.conn(), &theme).await?;
        tx.touch(Changed::Live);
        let entry = Entry::on(&theme.workspace_id, &theme.name);
        tx.commit(entry.changed("default", &before, &theme.name)).await?;
        Ok(Theme {
            is_default: true,
            ..theme
        })
    }
}

impl resolve::MutationThemeDelete for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
    ) -> Result<Id, Throws<field::MutationThemeDelete>> {
        let mut tx = self.store.write(audit::THEME_DELETE, &viewer.account).await?;
        let theme = store::for_change(tx.conn(), &id).await?.ok_or_else(not_found)?.row;
        if theme.is_default {
            return Err(errors::DefaultTheme {}.into());
        }
        let tours = store::tours_using(tx.conn(), &id).await?;
        if tours > 0 {
            return Err(errors::ThemeInUse {
                count: tours.to_string(),
            }
            .into());
        }
        store::delete(tx.conn(), &id).await?;
        tx.touch(Changed::Live);
        tx.commit(Entry::on(&theme.workspace_id, &theme.name)).await?;
        Ok(id)
    }
}

fn not_found() -> errors::NotFound {
    let thing = "theme".to_owned();
    errors::NotFound { thing }
}
