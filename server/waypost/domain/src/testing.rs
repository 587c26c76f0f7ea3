use traitql::DateTime;
use waypost_api::{IdentityMode, Site, StepInput, TargetInput, Theme, ThemeInput, TourSaveInput};

pub(crate) fn step(key: &str) -> StepInput {
    let mut step = StepInput::new(key.into(), format!("Step {key}"));
    step.target = TargetInput::new(key.into()).into();
    step
}

pub(crate) fn save_input(tour: &str, version: i32) -> TourSaveInput {
    TourSaveInput::new(tour.into(), version)
}

pub(crate) fn theme() -> Theme {
    let input = ThemeInput::new("Default".into());
    Theme {
        id: "theme".into(),
        name: input.name,
        is_default: true,
        overlay_opacity: input.overlay_opacity,
        stage_padding: input.stage_padding,
        stage_radius: input.stage_radius,
        popover_offset: input.popover_offset,
        animation_ms: input.animation_ms,
        overlay_color: input.overlay_color,
        accent_color: input.accent_color,
        popover_width: input.popover_width,
        popover_radius: input.popover_radius,
        button_radius: input.button_radius,
        font_family: input.font_family,
        show_step_count: input.show_step_count,
        created_at: DateTime::from_millis(0).expect("the epoch"),
        version: 1,
        workspace_id: "w".into(),
    }
}

pub(crate) fn site(own: bool, origins: &[&str]) -> Site {
    Site {
        id: "s".into(),
        name: "Shop".into(),
        key: "wp_pub_1".into(),
        origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
        allow_http: false,
        identity_mode: IdentityMode::Off,
        installed_at: None,
        last_seen_at: None,
        last_page: None,
        own,
        cooldown_hours: 24,
        created_at: DateTime::from_millis(0).expect("the epoch"),
        version: 1,
        workspace_id: "w".into(),
        visitor_salt: String::new(),
    }
}
