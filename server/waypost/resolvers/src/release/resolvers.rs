use traitql::{Ctx, DateTime, Id, Internal, Throws, Viewer};
use waypost_api::{
    Release, ReleaseAdjustInput, ReleaseState, ReviewState, Revision, RevisionState, Tour, TourReleaseInput, audit,
    errors, field, resolve, role, transition,
};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    condition,
    release::{
        NewRelease, Terms,
        allocation::TrafficSplit,
        dedup, illegal_transition, rollback_target,
        store::{self, ReleaseOnSite},
    },
    review, segment,
    store::{Audited, ForChange},
    tour::{
        self,
        content::{Content, conditions},
        problem::releasable,
        revisions,
    },
    workspace,
};

use crate::App;

impl resolve::MutationTourRelease for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        input: TourReleaseInput,
    ) -> Result<Vec<Release>, Throws<field::MutationTourRelease>> {
        let terms = terms(&input);
        let site_ids = dedup(input.site_ids);
        let mut tx = self.store.write(audit::TOUR_RELEASE, &viewer.account).await?;
        let terms = terms.validated(tx.now())?;
        let tour = tour::store::for_change(tx.conn(), &input.tour_id).await?.row;
        tour::ensure_not_archived(&tour)?;
        let ForChange {
            row: draft,
            changed_by: person,
        } = revisions::draft(tx.conn(), &tour.id).await?;
        if draft.version != input.expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        transition::TOUR_RELEASE
            .apply(draft.state)
            .map_err(illegal_transition("revision"))?;
        releasable(&draft.steps, &draft.start)?;
        let sites = store::sites_of(tx.conn(), &tour.workspace_id, &site_ids).await?;
        if sites.len() < site_ids.len() {
            let thing = "site".to_owned();
            return Err(errors::NotFound { thing }.into());
        }
        let (revision_id, number) = freeze(&mut tx, &tour, &draft, &viewer.account).await?;
        let note = input.note.value();
        if !input.end_active_runs {
            let now = tx.now();
            let open = store::open(tx.conn(), &tour.id, now).await?;
            let is_same = |release: &Release| {
                release.revision_id == revision_id
                    && release.state != ReleaseState::Paused
                    && release.note == note
                    && Terms::of(release) == terms
            };
            let is_released = |site_id: &Id| {
                open.iter()
                    .any(|release| release.site_id == *site_id && is_same(release))
            };
            if site_ids.iter().all(is_released) {
                let sites = sites.join(", ");
                return Err(errors::AlreadyReleased { sites }.into());
            }
        }
        let mut releases = Vec::with_capacity(site_ids.len());
        for site_id in &site_ids {
            let new = NewRelease {
                tour_id: &tour.id,
                site_id,
                revision_id: &revision_id,
                by: &viewer.account,
                note: note.as_deref(),
                terms: &terms,
                paused: false,
                end_runs: input.end_active_runs,
                rollback_of: None,
            };
            releases.push(insert_release(&mut tx, new).await?);
        }
        let entry = Entry::on(&tour.workspace_id, &tour.title).added("sites", sites.join(", "));
        let entry = non_default_terms(entry.added("revision", number), &terms);
        let entry = with_active_runs(entry, input.end_active_runs);
        tx.commit(entry.with_note(note.as_deref())).await?;
        Ok(releases)
    }
}

fn terms(input: &TourReleaseInput) -> Terms {
    Terms {
        split: TrafficSplit {
            rollout_percent: input.rollout_percent,
            holdout_percent: input.holdout_percent,
        },
        goal: input.goal.as_ref().value().cloned(),
        starts_at: input.starts_at.as_ref().value().copied(),
        ends_at: input.ends_at.as_ref().value().copied(),
    }
}

/// Returns id and number.
///
/// A draft with the content of the newest frozen revision is that revision, unless it is in review; otherwise `open`
/// is frozen and becomes the next draft. The version count continues, so that an editor with the previous draft cannot
/// overwrite the new one.
async fn freeze(
    tx: &mut Audited,
    tour: &Tour,
    open: &Revision,
    releaser: &Id,
) -> Result<(Id, i32), Throws<field::MutationTourRelease>> {
    let content = Content::from(open);
    let mut newest = revisions::released(tx.conn().db(), std::slice::from_ref(&tour.id)).await?;
    let newest = newest
        .pop()
        .filter(|newest| open.state == RevisionState::Draft && Content::from(newest) == content);
    let workspace = workspace::store::for_change(tx.conn(), &tour.workspace_id).await?.row;
    if workspace.require_review {
        match &newest {
            Some(newest) if review::store::was_released(tx.conn(), &newest.id).await? => {}
            _ => review::require_second_reviewer(open, releaser)?,
        }
    }
    if let Some(newest) = newest {
        return Ok((newest.id, newest.number));
    }
    let now = tx.now();
    let end = review::store::ReviewEnd {
        state: ReviewState::Released,
        by: releaser,
        at: now,
        answer: None,
    };
    review::store::end(tx.conn(), &open.id, end).await?;
    tx.touch(Changed::Reviews(tour.workspace_id.clone()));
    revisions::freeze(tx.conn(), &open.id, now).await?;
    let (number, version) = (open.number + 1, open.version + 1);
    revisions::insert_draft(tx.conn(), &tour.id, number, version, &content, &open.author_id, now).await?;
    Ok((open.id.clone(), open.number))
}

async fn insert_release(tx: &mut Audited, new: NewRelease<'_>) -> Result<Release, Internal> {
    let now = tx.now();
    let release = store::insert(tx.conn(), new, now).await?;
    tour::store::touched(tx.conn(), new.tour_id, now).await?;
    tx.touch(Changed::Tour(new.tour_id.clone()));
    tx.touch(Changed::Live);
    Ok(release)
}

/// Records that active runs end, which they do not by default.
pub(super) fn with_active_runs(entry: Entry, end: bool) -> Entry {
    if end {
        entry.changed("activeRuns", "CONTINUE", "END")
    } else {
        entry
    }
}

fn non_default_terms(entry: Entry, terms: &Terms) -> Entry {
    let defaults = values(&Terms::ALL);
    let changed = values(terms)
        .into_iter()
        .zip(defaults)
        .filter(|(value, default)| value != default);
    changed.fold(entry, |entry, ((field, value), _)| entry.added(field, value))
}

fn diff_terms(entry: Entry, before: &Terms, after: &Terms) -> Entry {
    let both = values(before).into_iter().zip(values(after));
    both.fold(entry, |entry, ((field, before), (_, after))| {
        entry.changed(field, &before, &after)
    })
}

fn values(terms: &Terms) -> [(&'static str, String); 5] {
    let none = || "none".to_owned();
    let time = |at: Option<DateTime>| at.map_or_else(none, |at| at.to_string());
    [
        ("rolloutPercent", terms.split.rollout_percent.to_string()),
        ("holdoutPercent", terms.split.holdout_percent.to_string()),
        ("goal", terms.goal.clone().unwrap_or_else(none)),
        ("startsAt", time(terms.starts_at)),
        ("endsAt", time(terms.ends_at)),
    ]
}

impl resolve::MutationReleaseRollback for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
        to: Option<Id>,
        end_active_runs: bool,
        note: Option<String>,
    ) -> Result<Release, Throws<field::MutationReleaseRollback>> {
        let mut tx = self.store.write(audit::RELEASE_ROLLBACK, &viewer.account).await?;
        let now = tx.now();
        let ReleaseOnSite {
            release: live,
            site_name,
        } = store::for_change(tx.conn(), &id, now).await?;
        let tour = tour::store::for_change(tx.conn(), &live.tour_id).await?.row;
        tour::ensure_not_archived(&tour)?;
        transition::RELEASE_ROLLBACK
            .apply(live.state)
            .map_err(illegal_transition("release"))?;
        let past = store::past(tx.conn(), &live.tour_id, &live.site_id).await?;
        let target = rollback_target(&past, &id, to.as_ref()).ok_or(errors::NothingToRollBack {})?;
        ensure_segments_exist(&mut tx, &target.revision_id).await?;
        let before = store::for_change(tx.conn(), &target.id, now).await?.release;
        let terms = Terms::of(&before).for_rollback(now);
        let new = NewRelease {
            tour_id: &live.tour_id,
            site_id: &live.site_id,
            revision_id: &target.revision_id,
            by: &viewer.account,
            note: note.as_deref(),
            terms: &terms,
            paused: false,
            end_runs: end_active_runs,
            rollback_of: Some(&target.id),
        };
        let release = insert_release(&mut tx, new).await?;
        let before = revisions::number(tx.conn(), &live.revision_id).await?;
        let after = revisions::number(tx.conn(), &target.revision_id).await?;
        let entry = Entry::on(&tour.workspace_id, &tour.title).added("site", &site_name);
        let entry = diff_terms(entry.changed("revision", &before, &after), &Terms::of(&live), &terms);
        let entry = with_active_runs(entry, end_active_runs);
        tx.commit(entry.with_note(note.as_deref())).await?;
        Ok(release)
    }
}

/// No visitor would see a tour with a deleted segment.
async fn ensure_segments_exist(
    tx: &mut Audited,
    revision_id: &Id,
) -> Result<(), Throws<field::MutationReleaseRollback>> {
    let revision = revisions::for_change(tx.conn(), revision_id).await?.row;
    let conditions = conditions(&revision.steps, &revision.start);
    let segments = conditions.flat_map(condition::segments).collect();
    if segment::store::count_known(tx.conn(), &revision.workspace_id, &segments).await? < segments.len() {
        let revision = revision.number.to_string();
        return Err(errors::SegmentDeleted { revision }.into());
    }
    Ok(())
}

impl resolve::MutationReleaseAdjust for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        input: ReleaseAdjustInput,
    ) -> Result<Release, Throws<field::MutationReleaseAdjust>> {
        let mut tx = self.store.write(audit::RELEASE_ADJUST, &viewer.account).await?;
        let now = tx.now();
        let ReleaseOnSite {
            release: live,
            site_name,
        } = store::for_change(tx.conn(), &input.id, now).await?;
        transition::RELEASE_ADJUST
            .apply(live.state)
            .map_err(illegal_transition("release"))?;
        let before = Terms::of(&live);
        let terms = Terms {
            split: TrafficSplit {
                rollout_percent: input.rollout_percent.value().unwrap_or(before.split.rollout_percent),
                holdout_percent: input.holdout_percent.value().unwrap_or(before.split.holdout_percent),
            },
            goal: input.goal.or(before.goal.clone()),
            starts_at: input.starts_at.or(before.starts_at),
            ends_at: input.ends_at.or(before.ends_at),
        }
        .validated(now)?;
        if terms == before {
            return Ok(live);
        }
        let note = input.note.value();
        let new = NewRelease {
            tour_id: &live.tour_id,
            site_id: &live.site_id,
            revision_id: &live.revision_id,
            by: &viewer.account,
            note: note.as_deref(),
            terms: &terms,
            paused: live.state == ReleaseState::Paused,
            end_runs: false,
            // The target is that of the original release.
            rollback_of: live.rollback_of_id.as_ref(),
        };
        let release = insert_release(&mut tx, new).await?;
        let tour = tour::store::for_change(tx.conn(), &live.tour_id).await?.row;
        let entry = Entry::on(&tour.workspace_id, &tour.title).added("site", &site_name);
        tx.commit(diff_terms(entry, &before, &terms).with_note(note.as_deref()))
            .await?;
        Ok(release)
    }
}
