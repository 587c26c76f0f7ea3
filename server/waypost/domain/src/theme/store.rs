use traitql::{DateTime, Id, Internal};
use waypost_api::{Theme, ThemeInput};

use crate::store::{Conn, Db, ForChange, Row, json, new_id, scalar, sql};

pub async fn by_id(db: Db<'_>, id: &Id) -> Result<Option<Theme>, Internal> {
    Ok(sql("select * from themes where id = ?")
        .bind(id.as_str())
        .try_map(theme)
        .fetch_optional(db)
        .await?)
}

pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Theme>, Internal> {
    Ok(sql("select * from themes where id in (select value from json_each(?))")
        .bind(json(&ids))
        .try_map(theme)
        .fetch_all(db)
        .await?)
}

pub async fn of_workspaces(db: Db<'_>, workspaces: &[Id]) -> Result<Vec<Theme>, Internal> {
    Ok(sql(
        "select * from themes where workspace_id in (select value from json_each(?))
         order by is_default desc, lower(name), id",
    )
    .bind(json(&workspaces))
    .try_map(theme)
    .fetch_all(db)
    .await?)
}

pub async fn with_defaults(db: Db<'_>, ids: &[Id], workspaces: &[Id]) -> Result<Vec<Theme>, Internal> {
    Ok(sql("select * from themes where id in (select value from json_each(?))
         union
         select * from themes where is_default = 1 and workspace_id in (select value from json_each(?))")
    .bind(json(&ids))
    .bind(json(&workspaces))
    .try_map(theme)
    .fetch_all(db)
    .await?)
}

pub async fn is_of(conn: &mut Conn, id: &Id, workspace_id: &Id) -> Result<bool, Internal> {
    Ok(
        scalar("select exists (select 1 from themes where id = ? and workspace_id = ?)")
            .bind(id.as_str())
            .bind(workspace_id.as_str())
            .fetch_one(conn)
            .await?,
    )
}

/// Returns `None` if the theme was deleted after the role check.
pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<Option<ForChange<Theme>>, Internal> {
    Ok(
        sql("select t.*, a.name as changer from themes t join accounts a on a.id = t.changed_by where t.id = ?")
            .bind(id.as_str())
            .try_map(|row: Row| {
                Ok(ForChange {
                    changed_by: row.text("changer")?,
                    row: theme(row)?,
                })
            })
            .fetch_optional(conn)
            .await?,
    )
}

pub async fn count(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(scalar("select count(*) from themes where workspace_id = ?")
        .bind(workspace_id.as_str())
        .fetch_one(conn)
        .await?)
}

/// Fails if the workspace already has a default theme and this is one.
pub async fn insert(
    conn: &mut Conn,
    workspace_id: &Id,
    input: &ThemeInput,
    is_default: bool,
    changer: &Id,
    now: DateTime,
) -> Result<Theme, Internal> {
    Ok(sql(
        "insert into themes (id, workspace_id, name, is_default, overlay_opacity, stage_padding, stage_radius,
           popover_offset, animation_ms, overlay_color, accent_color, popover_width, popover_radius, button_radius, font_family,
           show_step_count, created_at, changed_by)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *",
    )
    .bind(new_id().as_str())
    .bind(workspace_id.as_str())
    .bind(&input.name)
    .bind(is_default)
    .bind(input.overlay_opacity)
    .bind(input.stage_padding)
    .bind(input.stage_radius)
    .bind(input.popover_offset)
    .bind(input.animation_ms)
    .bind(&input.overlay_color)
    .bind(&input.accent_color)
    .bind(input.popover_width)
    .bind(input.popover_radius.map(i64::from))
    .bind(input.button_radius.map(i64::from))
    .bind(&input.font_family)
    .bind(input.show_step_count)
    .bind(now.as_millis())
    .bind(changer.as_str())
    .try_map(theme)
    .fetch_one(conn)
    .await?)
}

/// Keeps whether it is the default.
pub async fn update(conn: &mut Conn, theme: &Theme, changer: &Id) -> Result<(), Internal> {
    sql(
        "update themes set name = ?, overlay_opacity = ?, stage_padding = ?, stage_radius = ?, popover_offset = ?,
           animation_ms = ?, overlay_color = ?, accent_color = ?, popover_width = ?, popover_radius = ?,
           button_radius = ?, font_family = ?, show_step_count = ?, version = ?, changed_by = ?
         where id = ?",
    )
    .bind(&theme.name)
    .bind(theme.overlay_opacity)
    .bind(theme.stage_padding)
    .bind(theme.stage_radius)
    .bind(theme.popover_offset)
    .bind(theme.animation_ms)
    .bind(&theme.overlay_color)
    .bind(&theme.accent_color)
    .bind(theme.popover_width)
    .bind(theme.popover_radius.map(i64::from))
    .bind(theme.button_radius.map(i64::from))
    .bind(&theme.font_family)
    .bind(theme.show_step_count)
    .bind(theme.version)
    .bind(changer.as_str())
    .bind(theme.id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the name of the previous one.
pub async fn default_set(conn: &mut Conn, theme: &Theme) -> Result<String, Internal> {
    let before = scalar("update themes set is_default = 0 where workspace_id = ? and is_default = 1 returning name")
        .bind(theme.workspace_id.as_str())
        .fetch_one(&mut *conn)
        .await?;
    sql("update themes set is_default = 1 where id = ?")
        .bind(theme.id.as_str())
        .execute(conn)
        .await?;
    Ok(before)
}

pub async fn tours_using(conn: &mut Conn, id: &Id) -> Result<i32, Internal> {
    Ok(scalar(
        "select count(distinct r.tour_id) from revisions r
         where r.theme_id = ? and (r.state = 'DRAFT'
           or exists (select 1 from releases l where l.revision_id = r.id and l.ended_at is null))",
    )
    .bind(id.as_str())
    .fetch_one(conn)
    .await?)
}

/// Revisions that use it get the default theme.
pub async fn delete(conn: &mut Conn, id: &Id) -> Result<(), Internal> {
    sql("delete from themes where id = ?")
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

fn theme(row: Row) -> Result<Theme, sqlx::Error> {
    Ok(Theme {
        id: row.id("id")?,
        name: row.text("name")?,
        is_default: row.bool("is_default")?,
        overlay_opacity: row.real("overlay_opacity")?,
        stage_padding: row.int("stage_padding")?,
        stage_radius: row.int("stage_radius")?,
        popover_offset: row.int("popover_offset")?,
        animation_ms: row.int("animation_ms")?,
        overlay_color: row.text("overlay_color")?,
        accent_color: row.text_opt("accent_color")?,
        popover_width: row.int("popover_width")?,
        popover_radius: row.int_opt("popover_radius")?,
        button_radius: row.int_opt("button_radius")?,
        font_family: row.text_opt("font_family")?,
        show_step_count: row.bool("show_step_count")?,
        created_at: row.time("created_at")?,
        version: row.int("version")?,
        workspace_id: row.id("workspace_id")?,
    })
}
