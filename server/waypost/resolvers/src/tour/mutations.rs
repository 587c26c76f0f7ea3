use traitql::{Ctx, Id, Internal, Throws, Viewer};
use waypost_api::{Revision, Tour, TourCreateInput, TourSaveInput, audit, errors, field, resolve, role};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    condition,
    review::ensure_not_in_review,
    segment,
    store::{Conn, ForChange, OnConstraint},
    theme,
    tour::{
        MAX_TOURS,
        content::{Content, conditions},
        edit, ensure_not_archived, revisions, store, translation,
    },
};

use crate::App;

impl resolve::MutationTourCreate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        input: TourCreateInput,
    ) -> Result<Tour, Throws<field::MutationTourCreate>> {
        let TourCreateInput {
            workspace_id,
            title,
            slug,
            locale,
        } = input;
        let mut tx = self.store.write(audit::TOUR_CREATE, &viewer.account).await?;
        if let Some(error) = tour_limit_reached(tx.conn(), &workspace_id).await? {
            return Err(error.into());
        }
        let (author, now) = (&viewer.account, tx.now());
        let id = store::insert(tx.conn(), &workspace_id, &slug, &title, author, now)
            .await
            .on_constraint(&store::SLUG_KEY, || errors::SlugTaken { slug })?;
        revisions::insert_draft(tx.conn(), &id, 1, 1, &Content::empty(locale), author, now).await?;
        let tour = store::for_change(tx.conn(), &id).await?.row;
        tx.commit(Entry::on(&workspace_id, &tour.title).added("slug", &tour.slug))
            .await?;
        Ok(tour)
    }
}

pub(super) async fn tour_limit_reached(
    conn: &mut Conn,
    workspace_id: &Id,
) -> Result<Option<errors::LimitReached>, Internal> {
    let count = store::count_all(conn, workspace_id).await?;
    Ok((count >= MAX_TOURS).then(|| errors::LimitReached {
        limit: MAX_TOURS.to_string(),
        things: "tours".to_owned(),
    }))
}

impl resolve::MutationTourRename for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
        expected_version: i32,
        title: String,
    ) -> Result<Tour, Throws<field::MutationTourRename>> {
        let mut tx = self.store.write(audit::TOUR_RENAME, &viewer.account).await?;
        let ForChange {
            row: before,
            changed_by: person,
        } = store::for_change(tx.conn(), &id).await?;
        ensure_not_archived(&before)?;
        if before.version != expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        let after = Tour {
            title,
            updated_at: tx.now(),
            version: before.version + 1,
            ..before.clone()
        };
        store::update(tx.conn(), &after, &viewer.account).await?;
        tx.touch(Changed::Tour(id));
        tx.touch(Changed::Live);
        let entry = Entry::on(&before.workspace_id, &before.title);
        tx.commit(entry.changed("title", &before.title, &after.title)).await?;
        Ok(after)
    }
}

impl resolve::MutationTourReportOpen for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Tour, Throws<field::MutationTourReportOpen>> {
        let Some(tour) = store::by_id(self.store.reader(), &id).await? else {
            let thing = "tour".to_owned();
            return Err(errors::NotFound { thing }.into());
        };
        self.open_tours.report(&self.store, id, viewer.account.clone()).await?;
        Ok(tour)
    }
}

impl resolve::MutationTourSave for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        input: TourSaveInput,
    ) -> Result<Revision, Throws<field::MutationTourSave>> {
        let mut tx = self.store.save().await?;
        let tour = store::for_change(tx.conn(), &input.id).await?.row;
        ensure_not_archived(&tour)?;
        let ForChange {
            row: draft,
            changed_by: person,
        } = revisions::draft(tx.conn(), &tour.id).await?;
        ensure_not_in_review(&draft)?;
        if draft.version != input.expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        let content = edit(Content::from(&draft), input)?;
        translation::check(&content)?;
        self.check_references(&mut tx, &tour, &content).await?;
        let Content {
            steps,
            start,
            theme_id,
            locales,
        } = content;
        let after = Revision {
            steps,
            start,
            theme_id,
            locales,
            author_id: viewer.account.clone(),
            updated_at: tx.now,
            version: draft.version + 1,
            ..draft
        };
        let now = tx.now;
        revisions::save(tx.conn(), &after).await?;
        store::touched(tx.conn(), &tour.id, now).await?;
        tx.touch(Changed::Tour(tour.id));
        tx.commit().await?;
        Ok(after)
    }
}

impl App {
    /// Checks that the theme, the tours and the segments to which a draft refers belong to its workspace.
    async fn check_references(
        &self,
        tx: &mut waypost_domain::store::Write,
        tour: &Tour,
        content: &Content,
    ) -> Result<(), Throws<field::MutationTourSave>> {
        if let Some(id) = &content.theme_id
            && !theme::store::is_of(tx.conn(), id, &tour.workspace_id).await?
        {
            let thing = "theme".to_owned();
            return Err(errors::NotFound { thing }.into());
        }
        let conditions = || conditions(&content.steps, &content.start);
        let tours = conditions().flat_map(condition::tours).collect();
        if store::count_known(tx.conn(), &tour.workspace_id, &tours).await? < tours.len() {
            let thing = "tour".to_owned();
            return Err(errors::NotFound { thing }.into());
        }
        let segments = conditions().flat_map(condition::segments).collect();
        if segment::store::count_known(tx.conn(), &tour.workspace_id, &segments).await? < segments.len() {
            let thing = "segment".to_owned();
            return Err(errors::NotFound { thing }.into());
        }
        Ok(())
    }
}

impl resolve::MutationTourArchive for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
    ) -> Result<Tour, Throws<field::MutationTourArchive>> {
        let mut tx = self.store.write(audit::TOUR_ARCHIVE, &viewer.account).await?;
        let now = tx.now();
        let before = store::for_change(tx.conn(), &id).await?.row;
        if before.archived {
            return Ok(before);
        }
        let sites = store::open_release_sites(tx.conn(), &id, now).await?;
        if !sites.is_empty() {
            let sites = sites.join(", ");
            return Err(errors::TourLive { sites }.into());
        }
        let after = with_archived(&before, true, now);
        store::update(tx.conn(), &after, &viewer.account).await?;
        tx.touch(Changed::Tour(id));
        tx.touch(Changed::Reviews(after.workspace_id.clone()));
        tx.commit(Entry::on(&after.workspace_id, &after.title)).await?;
        Ok(after)
    }
}

impl resolve::MutationTourRestore for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
    ) -> Result<Tour, Throws<field::MutationTourRestore>> {
        let mut tx = self.store.write(audit::TOUR_RESTORE, &viewer.account).await?;
        let before = store::for_change(tx.conn(), &id).await?.row;
        if !before.archived {
            return Ok(before);
        }
        let after = with_archived(&before, false, tx.now());
        store::update(tx.conn(), &after, &viewer.account).await?;
        tx.touch(Changed::Tour(id));
        tx.touch(Changed::Reviews(after.workspace_id.clone()));
        tx.commit(Entry::on(&after.workspace_id, &after.title)).await?;
        Ok(after)
    }
}

fn with_archived(tour: &Tour, archived: bool, now: traitql::DateTime) -> Tour {
    Tour {
        archived,
        updated_at: now,
        version: tour.version + 1,
        ..tour.clone()
    }
}
