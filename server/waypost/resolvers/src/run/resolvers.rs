//! Root fields for pages (`boot`, `record`) and for explanations.

use traitql::{Batch, Ctx, Id, Internal, One, Throws, Url, Viewer};
use waypost_api::{
    Ack, Boot, BootTour, EventInput, Explanation, Site, Theme, VisitorInput, errors, field, resolve, role,
};
use waypost_domain::{
    change::Changed,
    lift,
    run::{
        boot::{goals, new_exposures, offers, origin_and_path},
        eligibility::Visit,
        explain::{ExplainRequest, explain},
        ingest::Report,
        record::IngestOutcome,
        store,
        visitors::{self, Visitors},
    },
    site,
    store::Conn,
    theme, tour, visitor,
};

use crate::App;

impl resolve::MutationBoot for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        visitor: VisitorInput,
        url: Url,
    ) -> Result<Boot, Throws<field::MutationBoot>> {
        let mut tx = self.store.read().await?;
        let site = site::store::by_key(tx.db(), &site_key).await?;
        let uncounted = || self.uncount("Mutation.boot", cx);
        let site = site.ok_or_else(|| {
            uncounted();
            errors::UnknownSite {}
        })?;
        let page = url.parsed().origin().ascii_serialization();
        for origin in [cx.origin(), Some(page.as_str())] {
            if !site::admits(&site, &self.own_origin(), origin) {
                uncounted();
                return Err(site::origin_not_allowed(origin).into());
            }
        }
        let (visitor_id, mut tx) = self.visitor(tx, &site, &visitor, &origin_and_path(&url)).await?;
        let now = self.now();
        let releases = store::current_releases(&mut tx, &self.revisions, &site.id).await?;
        let past_runs = store::past_runs(&mut tx, &visitor_id).await?;
        let visit = Visit {
            visitor_id: &visitor_id,
            past_runs: &past_runs,
            cooldown_hours: site.cooldown_hours,
            now,
        };
        let mut exposures = new_exposures(&releases, &visit);
        if !exposures.is_empty() {
            let known = lift::store::exposed_releases(&mut tx, &visitor_id).await?;
            exposures.retain(|exposure| !known.contains(&exposure.release_id));
        }
        drop(tx);
        if !exposures.is_empty() {
            let mut tx = self.store.save().await?;
            lift::store::insert_exposures(tx.conn(), &visitor_id, &exposures, now).await?;
            tx.commit().await?;
        }
        let goals = goals(&releases);
        let tours = offers(releases, &visit);
        Ok(Boot {
            visitor_id,
            server_time: now,
            tours,
            goals,
        })
    }
}

impl App {
    /// Returns the visitor's id, and a read transaction in which the visitor exists. Writes only if the visitor or the
    /// site's last visit needs an update, which most page views do not.
    async fn visitor(
        &self,
        mut reader: Conn,
        site: &Site,
        input: &VisitorInput,
        page: &Url,
    ) -> Result<(Id, Conn), Internal> {
        let now = self.now();
        let visitors = Visitors::read(&mut reader, &[(&site.id, input)]).await?;
        if let Some(id) = visitors.fresh(&site.id, input, Some(page), now)
            && !site::should_record_visit(site, now)
        {
            return Ok((id, reader));
        }
        drop(reader);
        let mut tx = self.store.save().await?;
        let now = tx.now;
        let id = visitors::upsert(tx.conn(), &site.id, input, page, now).await?;
        if site::should_record_visit(site, now) {
            site::store::set_last_seen(tx.conn(), &site.id, now).await?;
            tx.touch(Changed::Site(site.id.clone()));
        }
        tx.commit().await?;
        Ok((id, self.store.read().await?))
    }
}

impl resolve::BootTourTheme for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        tours: Batch<'b, BootTour>,
    ) -> Result<One<'b, Theme>, Throws<field::BootTourTheme>> {
        let ids = tours.keys_opt(|tour| tour.theme_id.clone());
        let workspaces = tours.keys(|tour| tour.workspace_id.clone());
        let themes = theme::store::with_defaults(self.store.reader(), &ids, &workspaces).await?;
        Ok(tours.map_opt(|tour| Ok(theme::effective(&themes, &tour.workspace_id, tour.theme_id.as_ref()).cloned())))
    }
}

impl resolve::MutationRecord for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        visitor: VisitorInput,
        events: Vec<EventInput>,
    ) -> Result<Ack, Throws<field::MutationRecord>> {
        let report = Report {
            site_key,
            origin: cx.origin().map(str::to_owned),
            visitor,
            events,
        };
        let outcome = self.ingest.submit(report).await?;
        if !matches!(outcome, IngestOutcome::Stored(_)) {
            self.uncount("Mutation.record", cx);
        }
        match outcome {
            IngestOutcome::Stored(ack) => Ok(ack),
            IngestOutcome::UnknownSite => Err(errors::UnknownSite {}.into()),
            IngestOutcome::OriginNotAllowed => Err(site::origin_not_allowed(cx.origin()).into()),
        }
    }
}

impl resolve::QueryExplain for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        visitor_id: Id,
        tour_id: Id,
        url: Url,
    ) -> Result<Explanation, Throws<field::QueryExplain>> {
        let missing = |thing: &str| errors::NotFound {
            thing: thing.to_owned(),
        };
        let mut tx = self.store.read().await?;
        let visitor = visitor::store::by_id(tx.db(), &visitor_id).await?;
        let visitor = visitor.ok_or_else(|| missing("visitor"))?;
        let tour = tour::store::by_id(tx.db(), &tour_id).await?;
        let tour = tour.filter(|tour| tour.workspace_id == *viewer.scope());
        let tour = tour.ok_or_else(|| missing("tour"))?;
        let site = site::store::by_ids(tx.db(), std::slice::from_ref(&visitor.site_id)).await?;
        let site = site.first().ok_or_else(|| missing("site"))?;
        let releases = store::current_releases(&mut tx, &self.revisions, &site.id).await?;
        let past_runs = store::past_runs(&mut tx, &visitor_id).await?;
        let request = ExplainRequest {
            site,
            own_origin: &self.own_origin(),
            visitor_id: &visitor_id,
            tour_id: &tour.id,
            url: &url,
            now: self.now(),
        };
        Ok(explain(&request, releases, past_runs))
    }
}
