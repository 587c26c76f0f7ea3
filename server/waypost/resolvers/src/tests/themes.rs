use traitql::Patch;
use waypost_api::{Theme, ThemeInput, resolve};

use crate::{
    App,
    testing::{TestApp, anonymous, code, save_input},
};

async fn themes(app: &App, workspace: &traitql::Id) -> Vec<Theme> {
    let ids = [workspace.clone()];
    waypost_domain::theme::store::of_workspaces(app.store.reader(), &ids)
        .await
        .expect("themes")
}

#[tokio::test]
async fn a_new_workspace_has_the_default_theme_of_the_schema() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let theme = themes(&test.app, admin.scope()).await.remove(0);
    let default = ThemeInput::new("Default".into());
    assert!(theme.is_default);
    assert_eq!(theme.accent_color, None, "the page's");
    assert_eq!(
        (
            theme.overlay_opacity,
            theme.stage_padding,
            theme.stage_radius,
            theme.popover_offset,
            theme.animation_ms
        ),
        (
            default.overlay_opacity,
            default.stage_padding,
            default.stage_radius,
            default.popover_offset,
            default.animation_ms
        ),
    );
}

#[tokio::test]
async fn the_default_theme_cannot_be_deleted() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let first = themes(app, admin.scope()).await.remove(0);
    let input = ThemeInput::new("Night".into());
    let night = resolve::MutationThemeCreate::resolve(app, cx, &admin.lower(), admin.scope().clone(), input).await;
    let night = night.expect("a theme");
    let delete = async |id| resolve::MutationThemeDelete::resolve(app, cx, &admin.lower(), id).await;
    assert_eq!(code(delete(first.id.clone()).await), "DEFAULT_THEME");
    for _ in 0..2 {
        let set = resolve::MutationThemeDefaultSet::resolve(app, cx, &admin.lower(), night.id.clone()).await;
        assert!(set.expect("the default").is_default);
    }
    let names: Vec<(String, bool)> = themes(app, admin.scope())
        .await
        .into_iter()
        .map(|theme| (theme.name, theme.is_default))
        .collect();
    assert_eq!(names, [("Night".to_owned(), true), ("Default".to_owned(), false)]);
    assert_eq!(delete(first.id.clone()).await.expect("deleted"), first.id);
}

#[tokio::test]
async fn a_theme_in_use_cannot_be_deleted() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let input = ThemeInput::new("Night".into());
    let night = resolve::MutationThemeCreate::resolve(app, cx, &admin.lower(), admin.scope().clone(), input).await;
    let night = night.expect("a theme").id;
    let delete = async || resolve::MutationThemeDelete::resolve(app, cx, &admin.lower(), night.clone()).await;
    let choose = async |version, theme| {
        let mut input = save_input(tour.id.as_str(), version);
        input.theme_id = theme;
        resolve::MutationTourSave::resolve(app, cx, &admin.lower(), input)
            .await
            .expect("saved")
    };
    choose(2, Patch::Set(night.clone())).await;
    assert_eq!(code(delete().await), "THEME_IN_USE", "by the draft");
    let release = test.release(&admin, &tour, 3, &site).await;
    choose(4, Patch::Clear).await;
    assert_eq!(code(delete().await), "THEME_IN_USE", "by what plays");
    resolve::MutationReleaseEnd::resolve(app, cx, &admin.lower(), release.id, false, None)
        .await
        .expect("ended");
    delete().await.expect("deleted");
    assert_eq!(code(delete().await), "NOT_FOUND", "deleted in the meantime");
}

#[tokio::test]
async fn a_stale_edit_of_a_theme_is_rejected_with_the_other_account() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let theme = themes(app, admin.scope()).await.remove(0);
    let update = async |name: &str| {
        let (id, input) = (theme.id.clone(), ThemeInput::new(name.into()));
        resolve::MutationThemeUpdate::resolve(app, cx, &admin.lower(), id, 1, input).await
    };
    assert_eq!(update("Day").await.expect("updated").version, 2);
    let error = update("Night").await.expect_err("stale").into_error();
    assert_eq!(
        error.message,
        "ada saved a newer version. Review the changes and save again."
    );
}
