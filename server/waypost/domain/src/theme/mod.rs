//! Each workspace has exactly one default theme.

pub mod store;

use traitql::Id;
use waypost_api::{Theme, ThemeInput};

use crate::audit::Entry;

pub const MAX_THEMES: i32 = 20;

/// Returns the theme of a revision, or the workspace's default theme if it no longer exists.
pub fn effective<'t>(themes: &'t [Theme], workspace_id: &Id, theme_id: Option<&Id>) -> Option<&'t Theme> {
    let of_workspace = || themes.iter().filter(|theme| theme.workspace_id == *workspace_id);
    of_workspace()
        .find(|theme| Some(&theme.id) == theme_id)
        .or_else(|| of_workspace().find(|theme| theme.is_default))
}

/// Increments the version.
pub fn edit(theme: &Theme, input: &ThemeInput) -> Theme {
    let ThemeInput {
        name,
        overlay_opacity,
        stage_padding,
        stage_radius,
        popover_offset,
        animation_ms,
        overlay_color,
        accent_color,
        popover_width,
        popover_radius,
        button_radius,
        font_family,
        show_step_count,
    } = input.clone();
    Theme {
        name,
        overlay_opacity,
        stage_padding,
        stage_radius,
        popover_offset,
        animation_ms,
        overlay_color,
        accent_color,
        popover_width,
        popover_radius,
        button_radius,
        font_family,
        show_step_count,
        version: theme.version + 1,
        ..theme.clone()
    }
}

/// The value in an audit entry if the page decides.
const PAGE: &str = "page";

fn accent_name(theme: &Theme) -> &str {
    theme.accent_color.as_deref().unwrap_or(PAGE)
}

fn font_name(theme: &Theme) -> &str {
    theme.font_family.as_deref().unwrap_or(PAGE)
}

fn radius_name(radius: Option<i32>) -> String {
    radius.map_or_else(|| PAGE.to_owned(), |radius| radius.to_string())
}

pub fn difference(entry: Entry, before: &Theme, after: &Theme) -> Entry {
    entry
        .changed("name", &before.name, &after.name)
        .changed("overlayOpacity", &before.overlay_opacity, &after.overlay_opacity)
        .changed("stagePadding", &before.stage_padding, &after.stage_padding)
        .changed("stageRadius", &before.stage_radius, &after.stage_radius)
        .changed("popoverOffset", &before.popover_offset, &after.popover_offset)
        .changed("animationMs", &before.animation_ms, &after.animation_ms)
        .changed("overlayColor", &before.overlay_color, &after.overlay_color)
        .changed("accentColor", accent_name(before), accent_name(after))
        .changed("popoverWidth", &before.popover_width, &after.popover_width)
        .changed(
            "popoverRadius",
            &radius_name(before.popover_radius),
            &radius_name(after.popover_radius),
        )
        .changed(
            "buttonRadius",
            &radius_name(before.button_radius),
            &radius_name(after.button_radius),
        )
        .changed("fontFamily", font_name(before), font_name(after))
        .changed("showStepCount", &before.show_step_count, &after.show_step_count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn an_audit_entry_records_an_own_accent_color_and_that_of_the_page() {
        let page = testing::theme();
        let mut own = page.clone();
        own.accent_color = Some("#aa3300".to_owned());
        let entry = || Entry::on(&"w".into(), "Night");
        assert_eq!(
            difference(entry(), &page, &own),
            entry().changed("accentColor", "page", "#aa3300")
        );
        assert_eq!(
            difference(entry(), &own, &page),
            entry().changed("accentColor", "#aa3300", "page")
        );
    }

    #[test]
    fn an_audit_entry_records_an_own_font_own_corners_and_a_hidden_step_count() {
        let page = testing::theme();
        let mut own = page.clone();
        own.font_family = Some("Inter".to_owned());
        own.popover_radius = Some(0);
        own.button_radius = Some(20);
        own.show_step_count = false;
        let entry = || Entry::on(&"w".into(), "Night");
        assert_eq!(
            difference(entry(), &page, &own),
            entry()
                .changed("popoverRadius", "page", "0")
                .changed("buttonRadius", "page", "20")
                .changed("fontFamily", "page", "Inter")
                .changed("showStepCount", &true, &false)
        );
    }
}
