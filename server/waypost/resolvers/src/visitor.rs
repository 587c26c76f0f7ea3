use std::{collections::HashMap, time::Duration};

use futures_util::FutureExt;
use traitql::{Batch, Ctx, Events, Id, Many, One, Page, Throws, Viewer};
use waypost_api::{Run, Visitor, VisitorFilterInput, audit, errors, field, resolve, role};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    run, segment, site,
    store::cursor::{self, decode},
    tour,
    visitor::{
        ensure_available, export, removal,
        store::{self, VisitorForChange},
        subject,
    },
};

use crate::App;

pub(crate) const MIN_UPDATE_INTERVAL: Duration = Duration::from_secs(1);

impl resolve::QueryVisitors for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        site_id: Id,
        search: Option<String>,
        segment_id: Option<Id>,
        first: i32,
        after: Option<String>,
    ) -> Result<Page<Visitor>, Throws<field::QueryVisitors>> {
        let after = decode(after)?;
        let mut reader = self.store.read().await?;
        let of = match &segment_id {
            Some(id) => {
                let segments = segment::store::conditions(reader.db(), viewer.scope()).await?;
                Some(segment::matches::of_segment(&mut reader, &site_id, id, &segments, self.now()).await?)
            }
            None => None,
        };
        let search = search.as_deref();
        let mut visitors = store::page(reader.db(), &site_id, search, of.as_deref(), &after, first + 1).await?;
        let more = cursor::truncate_page(&mut visitors, first);
        Ok(Page::new(visitors, more, |visitor| {
            cursor::encode(visitor.last_seen_at.as_millis(), &visitor.id)
        }))
    }
}

impl resolve::QueryVisitor for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Option<Visitor>, Throws<field::QueryVisitor>> {
        Ok(store::by_id(self.store.reader(), &id).await?)
    }
}

impl resolve::VisitorBrowsers for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        visitors: Batch<'b, Visitor>,
    ) -> Result<Many<'b, Id>, Throws<field::VisitorBrowsers>> {
        let mut by_visitor: HashMap<Id, Vec<Id>> = HashMap::new();
        for (visitor, browser) in
            store::browsers(self.store.reader(), &visitors.keys(|visitor| visitor.id.clone())).await?
        {
            by_visitor.entry(visitor).or_default().push(browser);
        }
        Ok(visitors.map_many(|visitor| Ok(by_visitor.remove(&visitor.id).unwrap_or_default())))
    }
}

impl resolve::VisitorTourCount for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        visitors: Batch<'b, Visitor>,
    ) -> Result<One<'b, i32>, Throws<field::VisitorTourCount>> {
        let counts = store::tour_counts(self.store.reader(), &visitors.keys(|visitor| visitor.id.clone())).await?;
        Ok(visitors.map(|visitor| Ok(counts.get(&visitor.id).copied().unwrap_or_default())))
    }
}

impl resolve::VisitorRuns for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        visitors: Batch<'b, Visitor>,
        first: i32,
        after: Option<String>,
    ) -> Result<One<'b, Page<Run>>, Throws<field::VisitorRuns>> {
        let (ids, after) = (visitors.keys(|visitor| visitor.id.clone()), decode(after)?);
        let rows = run::store::pages(self.store.reader(), &ids, &after, first + 1, self.now()).await?;
        let mut by_visitor: HashMap<Id, Vec<Run>> = HashMap::new();
        for row in rows {
            by_visitor.entry(row.visitor_id.clone()).or_default().push(row);
        }
        Ok(visitors.map(|visitor| {
            let mut rows = by_visitor.get(&visitor.id).cloned().unwrap_or_default();
            let more = cursor::truncate_page(&mut rows, first);
            Ok(Page::new(rows, more, |run| {
                cursor::encode(run.started_at.as_millis(), &run.id)
            }))
        }))
    }
}

fn not_found() -> errors::NotFound {
    errors::NotFound {
        thing: "visitor".to_owned(),
    }
}

impl resolve::MutationVisitorTesterSet for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
        tester: bool,
    ) -> Result<Visitor, Throws<field::MutationVisitorTesterSet>> {
        let mut tx = self.store.write(audit::VISITOR_TESTER_SET, &viewer.account).await?;
        let found = store::for_change(tx.conn(), &id).await?;
        let VisitorForChange {
            visitor,
            workspace_id,
            tester: before,
        } = found.ok_or_else(not_found)?;
        ensure_available(before.as_ref(), &viewer.account)?;
        let after = tester.then_some(&viewer.account);
        store::tester_set(tx.conn(), &id, after).await?;
        tx.touch(Changed::Visitor(id));
        let entry = Entry::on(&workspace_id, subject(&visitor));
        tx.commit(entry.changed("tester", &before.is_some(), &tester)).await?;
        Ok(Visitor {
            tester_id: after.cloned(),
            ..visitor
        })
    }
}

impl resolve::MutationVisitorReset for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Author>,
        id: Id,
        tour_id: Option<Id>,
    ) -> Result<Visitor, Throws<field::MutationVisitorReset>> {
        let mut tx = self.store.write(audit::VISITOR_RESET, &viewer.account).await?;
        let found = store::for_change(tx.conn(), &id).await?;
        let VisitorForChange {
            visitor,
            workspace_id,
            tester,
        } = found.ok_or_else(not_found)?;
        ensure_available(Some(&tester.ok_or(errors::NoTestUser {})?), &viewer.account)?;
        let title = match &tour_id {
            None => None,
            Some(tour_id) => {
                let tour = tour::store::by_id(tx.conn().db(), tour_id).await?;
                let tour = tour.filter(|tour| tour.workspace_id == workspace_id);
                let missing = || errors::NotFound {
                    thing: "tour".to_owned(),
                };
                Some(tour.ok_or_else(missing)?.title)
            }
        };
        let now = tx.now();
        store::reset(tx.conn(), &id, tour_id.as_ref(), now).await?;
        tx.touch(Changed::Visitor(id));
        let entry = Entry::on(&workspace_id, subject(&visitor));
        tx.commit(match title {
            Some(title) => entry.removed("tour", title),
            None => entry,
        })
        .await?;
        Ok(visitor)
    }
}

impl resolve::MutationVisitorErase for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
    ) -> Result<Id, Throws<field::MutationVisitorErase>> {
        let mut tx = self.store.write(audit::VISITOR_ERASE, &viewer.account).await?;
        let found = store::for_change(tx.conn(), &id).await?;
        let VisitorForChange {
            visitor, workspace_id, ..
        } = found.ok_or_else(not_found)?;
        let now = tx.now();
        let (runs, events) = removal::erase(tx.conn(), &id, now).await?;
        site::store::rotate_visitor_salt(tx.conn(), &visitor.site_id).await?;
        tx.touch(Changed::Visitor(id.clone()));
        tx.touch(Changed::Site(visitor.site_id.clone()));
        let entry = Entry::on(&workspace_id, subject(&visitor));
        tx.commit(entry.removed("runs", runs).removed("events", events)).await?;
        self.store.empty_log().await;
        Ok(id)
    }
}

impl resolve::MutationVisitorExport for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
    ) -> Result<String, Throws<field::MutationVisitorExport>> {
        let mut tx = self.store.write(audit::VISITOR_EXPORT, &viewer.account).await?;
        let found = store::for_change(tx.conn(), &id).await?;
        let VisitorForChange {
            visitor, workspace_id, ..
        } = found.ok_or_else(not_found)?;
        let now = tx.now();
        let document = export::document(tx.conn(), &id, now).await?.ok_or_else(not_found)?;
        tx.commit(Entry::on(&workspace_id, subject(&visitor))).await?;
        Ok(format!("{document:#}\n"))
    }
}

impl resolve::QueryVisitorCount for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Admin>,
        site_id: Id,
        filter: VisitorFilterInput,
    ) -> Result<i32, Throws<field::QueryVisitorCount>> {
        let selected = store::selected(self.store.reader(), &site_id, &filter).await?;
        Ok(i32::try_from(selected.len()).unwrap_or(i32::MAX))
    }
}

impl resolve::MutationVisitorsErase for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        site_id: Id,
        filter: VisitorFilterInput,
    ) -> Result<i32, Throws<field::MutationVisitorsErase>> {
        let mut tx = self.store.write(audit::VISITORS_ERASE, &viewer.account).await?;
        let now = tx.now();
        let site = site::store::for_change(tx.conn(), &site_id).await?.row;
        let selected = store::selected(tx.conn().db(), &site_id, &filter).await?;
        let runs = removal::purge(tx.conn(), &selected, now).await?;
        site::store::rotate_visitor_salt(tx.conn(), &site_id).await?;
        tx.touch(Changed::Unknown);
        let entry = Entry::on(&site.workspace_id, &site.name)
            .removed("visitors", selected.len())
            .removed("runs", runs)
            .added("firstSeenFrom", filter.first_seen_from)
            .added("firstSeenUntil", filter.first_seen_until);
        tx.commit(entry).await?;
        self.store.empty_log().await;
        Ok(i32::try_from(selected.len()).unwrap_or(i32::MAX))
    }
}

impl resolve::SubscriptionVisitorChanged for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Events<Visitor, field::SubscriptionVisitorChanged>, Throws<field::SubscriptionVisitorChanged>> {
        let live = (&self.live_visitors, Changed::Visitor(id.clone()), id);
        Ok(self.live(cx, viewer, live, MIN_UPDATE_INTERVAL, |app, id| {
            async move { store::by_id(app.store.reader(), &id).await }.boxed()
        }))
    }
}
