//! Each workspace has exactly one default theme.

pub mod store;

use traitql::Id;
use waypost_api::{Theme, ThemeInput};

use crate::audit::Entry;

pub const MAX_THEMES: i32 = 20;

/// Returns the effective theme of a revision: its own if that still exists, otherwise the default theme of the
/// workspace.
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
        version: theme.version + 1,
        ..theme.clone()
    }
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
        .changed("accentColor", &before.accent_color, &after.accent_color)
        .changed("popoverWidth", &before.popover_width, &after.popover_width)
}
