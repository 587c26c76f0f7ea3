use traitql::{Batch, Ctx, Id, Many, Throws, Viewer};
use waypost_api::{ConditionInput, MatchCount, Segment, SegmentInput, Tour, audit, errors, field, resolve, role};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    condition,
    segment::{self, MAX_SEGMENTS, by_title, difference, edit, ensure_unused, matches, store},
    store::{Conn, ForChange},
    tour,
};

use crate::App;

impl resolve::SegmentTours for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        segments: Batch<'b, Segment>,
    ) -> Result<Many<'b, Tour>, Throws<field::SegmentTours>> {
        let workspaces = segments.keys(|segment| segment.workspace_id.clone());
        let uses = store::uses(self.store.reader(), &workspaces).await?;
        let ids: Vec<Id> = uses.values().flatten().cloned().collect();
        let tours = tour::store::by_ids(self.store.reader(), &ids).await?;
        Ok(segments.map_many(|segment| Ok(by_title(&tours, uses.get(&segment.id).map_or(&[], Vec::as_slice)))))
    }
}

impl resolve::QueryVisitorMatches for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        site_id: Id,
        when: Option<ConditionInput>,
    ) -> Result<MatchCount, Throws<field::QueryVisitorMatches>> {
        let when = when.map(condition::from_input);
        let mut reader = self.store.read().await?;
        let segments = store::conditions(reader.db(), viewer.scope()).await?;
        Ok(matches::count(&mut reader, &site_id, when.as_ref(), &segments, self.now()).await?)
    }
}

impl resolve::MutationSegmentCreate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        workspace_id: Id,
        input: SegmentInput,
    ) -> Result<Segment, Throws<field::MutationSegmentCreate>> {
        let mut tx = self.store.write(audit::SEGMENT_CREATE, &viewer.account).await?;
        if store::count(tx.conn(), &workspace_id).await? >= MAX_SEGMENTS {
            return Err(errors::LimitReached {
                limit: MAX_SEGMENTS.to_string(),
                things: "segments".to_owned(),
            }
            .into());
        }
        let when = segment::condition(&input);
        if !has_known_tours(tx.conn(), &workspace_id, &when).await? {
            return Err(not_found("tour").into());
        }
        let now = tx.now();
        let segment = store::insert(tx.conn(), &workspace_id, &input.name, &when, &viewer.account, now).await?;
        let entry = Entry::on(&workspace_id, &segment.name).added("when", segment::stored(&when));
        tx.commit(entry).await?;
        Ok(segment)
    }
}

impl resolve::MutationSegmentUpdate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
        expected_version: i32,
        input: SegmentInput,
    ) -> Result<Segment, Throws<field::MutationSegmentUpdate>> {
        let mut tx = self.store.write(audit::SEGMENT_UPDATE, &viewer.account).await?;
        let found = store::for_change(tx.conn(), &id).await?;
        let ForChange {
            row: before,
            changed_by: person,
        } = found.ok_or_else(|| not_found("segment"))?;
        if before.version != expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        let after = edit(&before, input);
        if !has_known_tours(tx.conn(), &after.workspace_id, &after.when).await? {
            return Err(not_found("tour").into());
        }
        store::update(tx.conn(), &after, &viewer.account).await?;
        tx.touch(Changed::Live);
        let entry = Entry::on(&before.workspace_id, &before.name);
        tx.commit(difference(entry, &before, &after)).await?;
        Ok(after)
    }
}

impl resolve::MutationSegmentDelete for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Publisher>,
        id: Id,
    ) -> Result<Id, Throws<field::MutationSegmentDelete>> {
        let mut tx = self.store.write(audit::SEGMENT_DELETE, &viewer.account).await?;
        let found = store::for_change(tx.conn(), &id).await?;
        let segment = found.ok_or_else(|| not_found("segment"))?.row;
        let mut uses = store::uses(tx.conn().db(), std::slice::from_ref(&segment.workspace_id)).await?;
        let ids = uses.remove(&id).unwrap_or_default();
        let tours = tour::store::by_ids(tx.conn().db(), &ids).await?;
        ensure_unused(&segment, &by_title(&tours, &ids))?;
        store::delete(tx.conn(), &id).await?;
        let entry = Entry::on(&segment.workspace_id, &segment.name).removed("when", segment::stored(&segment.when));
        tx.commit(entry).await?;
        Ok(id)
    }
}

async fn has_known_tours(
    conn: &mut Conn,
    workspace_id: &Id,
    when: &waypost_api::Condition,
) -> Result<bool, traitql::Internal> {
    let tours = condition::tours(when).into_iter().collect();
    Ok(tour::store::count_known(conn, workspace_id, &tours).await? == tours.len())
}

fn not_found(thing: &str) -> errors::NotFound {
    let thing = thing.to_owned();
    errors::NotFound { thing }
}
