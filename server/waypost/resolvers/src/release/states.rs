use traitql::{Ctx, Id, Internal, Throws, Viewer};
use waypost_api::{Release, ReleaseChange, ReleaseState, audit, field, resolve, role, transition};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    release::{
        Ending, illegal_transition,
        store::{self, ReleaseOnSite},
    },
    store::Audited,
    tour,
};

use super::resolvers::with_active_runs;
use crate::App;

impl resolve::MutationReleasePause for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
        note: Option<String>,
    ) -> Result<Release, Throws<field::MutationReleasePause>> {
        let mut tx = self.store.write(audit::RELEASE_PAUSE, &viewer.account).await?;
        let now = tx.now();
        let found = store::for_change(tx.conn(), &id, now).await?;
        let state = transition::RELEASE_PAUSE
            .apply(found.release.state)
            .map_err(illegal_transition("release"))?;
        Ok(pause(tx, found, state, &viewer.account, note).await?)
    }
}

impl resolve::MutationReleaseResume for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
        note: Option<String>,
    ) -> Result<Release, Throws<field::MutationReleaseResume>> {
        let mut tx = self.store.write(audit::RELEASE_RESUME, &viewer.account).await?;
        let now = tx.now();
        let found = store::for_change(tx.conn(), &id, now).await?;
        let state = transition::RELEASE_RESUME
            .apply(found.release.state)
            .map_err(illegal_transition("release"))?;
        Ok(pause(tx, found, state, &viewer.account, note).await?)
    }
}

impl resolve::MutationReleaseEnd for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
        end_active_runs: bool,
        note: Option<String>,
    ) -> Result<Release, Throws<field::MutationReleaseEnd>> {
        let mut tx = self.store.write(audit::RELEASE_END, &viewer.account).await?;
        let now = tx.now();
        let found = store::for_change(tx.conn(), &id, now).await?;
        let state = transition::RELEASE_END
            .apply(found.release.state)
            .map_err(illegal_transition("release"))?;
        let ending = Ending {
            by: &viewer.account,
            note: note.as_deref(),
            runs: end_active_runs,
        };
        store::end(tx.conn(), &found.release.tour_id, &found.release.site_id, ending, now).await?;
        let entry = record_state_change(&mut tx, &found, state).await?;
        let entry = with_active_runs(entry, end_active_runs);
        tx.commit(entry.with_note(note.as_deref())).await?;
        Ok(Release {
            state,
            ended_at: Some(now),
            ..found.release
        })
    }
}

/// Pauses or resumes a release.
async fn pause(
    mut tx: Audited,
    found: ReleaseOnSite,
    state: ReleaseState,
    by: &Id,
    note: Option<String>,
) -> Result<Release, Internal> {
    let change = ReleaseChange {
        state,
        at: tx.now(),
        note,
        release_id: found.release.id.clone(),
        by_id: by.clone(),
    };
    store::pause(tx.conn(), &change).await?;
    let entry = record_state_change(&mut tx, &found, state).await?;
    tx.commit(entry.with_note(change.note.as_deref())).await?;
    Ok(Release { state, ..found.release })
}

async fn record_state_change(
    tx: &mut Audited,
    ReleaseOnSite { release, site_name }: &ReleaseOnSite,
    state: ReleaseState,
) -> Result<Entry, Internal> {
    let now = tx.now();
    let tour = tour::store::for_change(tx.conn(), &release.tour_id).await?.row;
    tour::store::touched(tx.conn(), &tour.id, now).await?;
    tx.touch(Changed::Tour(tour.id.clone()));
    tx.touch(Changed::Live);
    let entry = Entry::on(&tour.workspace_id, &tour.title).added("site", site_name);
    Ok(entry.changed("state", &release.state, &state))
}
