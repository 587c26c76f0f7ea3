//! The content of released tours as pages load it. Bundles are immutable and identified by their SHA-256, so that
//! browsers and proxies cache them.
//!
//! A bundle contains all languages, because a page can change its language, but no condition that the server
//! evaluates, because that would reveal the audience. A boot response has the rest of these conditions.

use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest, Sha256};
use traitql::{DateTime, Id, Internal};
use waypost_api::{Condition, Step, TextField, Translation, Trigger};

use super::candidate::CurrentRelease;
use crate::{
    condition,
    store::{Conn, Db, Store, json, scalar, sql},
};

/// 30 days, because pages that were opened before may still load a bundle that no release uses.
const RETENTION_MS: i64 = 30 * 24 * 60 * 60 * 1000;

#[derive(Serialize)]
struct Bundle<'a> {
    title: &'a str,
    steps: Vec<Arc<Step>>,
    start: Start<'a>,
    theme: Theme<'a>,
    locales: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Start<'a> {
    trigger: Trigger,
    event: Option<&'a String>,
    page: Option<&'a String>,
    /// Null, because the condition is part of the boot response, as is the rest of the rule, which only loaders of
    /// earlier versions read here.
    when: Option<Condition>,
    delay_ms: i32,
    ignore_cooldown: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Theme<'a> {
    overlay_opacity: f64,
    stage_padding: i32,
    stage_radius: i32,
    popover_offset: i32,
    animation_ms: i32,
    overlay_color: &'a str,
    accent_color: Option<&'a String>,
    popover_width: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    popover_radius: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    button_radius: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    font_family: Option<&'a String>,
    /// Only if false, because players of earlier versions and pages without the value show the count.
    #[serde(skip_serializing_if = "Option::is_none")]
    show_step_count: Option<bool>,
}

pub(super) fn has_server_conditions(step: &Step) -> bool {
    let mut conditions = step.branches.iter().filter_map(|branch| branch.when.as_ref());
    conditions.any(condition::has_server_tests)
}

fn body(release: &CurrentRelease) -> String {
    let steps = release.steps.iter().map(|step| {
        let mut step = Arc::clone(step);
        if has_server_conditions(&step) {
            Arc::make_mut(&mut step).branches.clear();
        }
        if !step.translations.is_empty() {
            clear_sources(&mut Arc::make_mut(&mut step).translations);
        }
        step
    });
    let (start, theme) = (&release.start, &release.theme);
    json(&Bundle {
        title: &release.title,
        steps: steps.collect(),
        start: Start {
            trigger: start.trigger,
            event: start.event.as_ref(),
            page: start.page.as_ref(),
            when: None,
            delay_ms: start.delay_ms,
            ignore_cooldown: start.ignore_cooldown,
        },
        theme: Theme {
            overlay_opacity: theme.overlay_opacity,
            stage_padding: theme.stage_padding,
            stage_radius: theme.stage_radius,
            popover_offset: theme.popover_offset,
            animation_ms: theme.animation_ms,
            overlay_color: &theme.overlay_color,
            accent_color: theme.accent_color.as_ref(),
            popover_width: theme.popover_width,
            popover_radius: theme.popover_radius,
            button_radius: theme.button_radius,
            font_family: theme.font_family.as_ref(),
            show_step_count: (!theme.show_step_count).then_some(false),
        },
        locales: &release.locales,
    })
}

/// Pages need only the originals that identify a branch.
fn clear_sources(translations: &mut [Translation]) {
    for translation in translations {
        if translation.field != TextField::BranchLabel {
            translation.source.clear();
        }
    }
}

/// Stores the bundles, unless they are stored and marked as used.
pub(super) async fn assign(store: &Store, site_id: &Id, releases: &mut [CurrentRelease]) -> Result<(), Internal> {
    let mut bundles = Vec::with_capacity(releases.len());
    for release in releases {
        let body = body(release);
        let hash = hex::encode(Sha256::digest(&body));
        release.bundle = format!("/t/{hash}.json");
        bundles.push((hash, body));
    }
    let hashes: Vec<&String> = bundles.iter().map(|(hash, _)| hash).collect();
    let stored: Vec<String> =
        scalar("select hash from bundles where site_id = ? and unused_since is null and hash in (select value from json_each(?))")
            .bind(site_id.as_str())
            .bind(json(&hashes))
            .fetch_all(store.reader())
            .await?;
    if bundles.iter().all(|(hash, _)| stored.contains(hash)) {
        return Ok(());
    }
    let mut tx = store.save().await?;
    let now = tx.now;
    insert(tx.conn(), site_id, &bundles).await?;
    mark_unused(tx.conn(), site_id, &hashes, now).await?;
    delete_unused(tx.conn(), site_id, now).await?;
    tx.commit().await
}

async fn insert(conn: &mut Conn, site_id: &Id, bundles: &[(String, String)]) -> Result<(), Internal> {
    sql("insert into bundles (hash, site_id, body)
         select value ->> 0, ?1, value ->> 1 from json_each(?2) where true
         on conflict (hash, site_id) do update set unused_since = null")
    .bind(site_id.as_str())
    .bind(json(&bundles))
    .execute(conn)
    .await?;
    Ok(())
}

async fn mark_unused(conn: &mut Conn, site_id: &Id, used: &[&String], now: DateTime) -> Result<(), Internal> {
    sql("update bundles set unused_since = ?
         where site_id = ? and unused_since is null and hash not in (select value from json_each(?))")
    .bind(now.as_millis())
    .bind(site_id.as_str())
    .bind(json(&used))
    .execute(conn)
    .await?;
    Ok(())
}

async fn delete_unused(conn: &mut Conn, site_id: &Id, now: DateTime) -> Result<(), Internal> {
    sql("delete from bundles where site_id = ? and unused_since < ?")
        .bind(site_id.as_str())
        .bind(now.as_millis() - RETENTION_MS)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn find(db: Db<'_>, hash: &str) -> Result<Option<String>, Internal> {
    Ok(scalar("select body from bundles where hash = ? limit 1")
        .bind(hash)
        .fetch_optional(db)
        .await?)
}
