use traitql::{Ctx, DateTime, Id, Internal, Throws, Viewer};
use waypost_api::{Release, ReleaseChange, ReleaseState, audit, field, resolve, role, transition};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    release::{Ending, illegal_transition, store},
    store::Audited,
    tour,
};

use super::resolvers::active_runs;
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
        let (release, site) = store::for_change(tx.conn(), &id, now).await?;
        let state = transition::RELEASE_PAUSE
            .apply(release.state)
            .map_err(illegal_transition("release"))?;
        let change = change(&release, state, &viewer.account, note, now);
        store::pause(tx.conn(), &change).await?;
        let entry = record_state_change(&mut tx, &release, &site, state).await?;
        tx.commit(entry.with_note(change.note.as_deref())).await?;
        Ok(Release { state, ..release })
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
        let (release, site) = store::for_change(tx.conn(), &id, now).await?;
        let state = transition::RELEASE_RESUME
            .apply(release.state)
            .map_err(illegal_transition("release"))?;
        let change = change(&release, state, &viewer.account, note, now);
        store::pause(tx.conn(), &change).await?;
        let entry = record_state_change(&mut tx, &release, &site, state).await?;
        tx.commit(entry.with_note(change.note.as_deref())).await?;
        Ok(Release { state, ..release })
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
        let (release, site) = store::for_change(tx.conn(), &id, now).await?;
        let state = transition::RELEASE_END
            .apply(release.state)
            .map_err(illegal_transition("release"))?;
        let ending = Ending {
            by: &viewer.account,
            note: note.as_deref(),
            runs: end_active_runs,
        };
        store::end(tx.conn(), &release.tour_id, &release.site_id, ending, now).await?;
        let entry = record_state_change(&mut tx, &release, &site, state).await?;
        let entry = entry.changed("activeRuns", "go on", active_runs(end_active_runs));
        tx.commit(entry.with_note(note.as_deref())).await?;
        Ok(Release {
            state,
            ended_at: Some(now),
            ..release
        })
    }
}

fn change(release: &Release, state: ReleaseState, by: &Id, note: Option<String>, at: DateTime) -> ReleaseChange {
    ReleaseChange {
        state,
        at,
        note,
        release_id: release.id.clone(),
        by_id: by.clone(),
    }
}

async fn record_state_change(
    tx: &mut Audited,
    release: &Release,
    site: &str,
    state: ReleaseState,
) -> Result<Entry, Internal> {
    let now = tx.now();
    let (tour, _) = tour::store::for_change(tx.conn(), &release.tour_id).await?;
    tour::store::touched(tx.conn(), &tour.id, now).await?;
    tx.touch(Changed::Tour(tour.id.clone()));
    tx.touch(Changed::Live);
    let entry = Entry::on(&tour.workspace_id, &tour.title).added("site", site);
    Ok(entry.changed("state", &release.state, &state))
}
