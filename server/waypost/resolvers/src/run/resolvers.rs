use std::{sync::Arc, time::Instant};

use traitql::{Ctx, DateTime, Declares, Id, Internal, RateLimit, Throws, Url, Viewer};
use waypost_api::{
    Ack, AttemptInput, Boot, EventInput, Explanation, Site, TokenProblem, VisitorInput, errors, field, resolve, role,
};
use waypost_domain::{
    change::Changed,
    lift::{self, store::NewExposure},
    offer::{
        self,
        boot::{goals, new_exposures, offers, stored_page},
        boot_cache::{LiveSite, VisitorHistory},
        candidate::Visit,
        explain::{ExplainRequest, explain},
    },
    retention::capacity::Full,
    run::{
        attempts,
        ingest::Report,
        record::{IngestOutcome, MAX_NEW_RUNS_PER_REPORT},
    },
    site::{self, origin::is_page_origin},
    tour,
    visitor::{self, identity::ReportedVisitor, visitors},
};

use crate::{App, caller};

/// The limit per address, which an office does not reach.
pub(crate) const NEW_VISITORS: RateLimit = RateLimit {
    field: "Site.visitors",
    limit: 1000,
    window_seconds: 3600,
};

/// The limit per address, which bounds what reports store.
pub(crate) const NEW_ATTEMPTS: RateLimit = RateLimit {
    field: "Visitor.attempts",
    limit: 2000,
    window_seconds: 3600,
};

/// The limit per address, so that one caller cannot fill a site's list.
pub(crate) const NEW_REFUSED_ORIGINS: RateLimit = RateLimit {
    field: "Site.refusedOrigins",
    limit: 5,
    window_seconds: 3600,
};

/// The limit per address, which bounds what reports store.
pub(crate) const NEW_RUNS: RateLimit = RateLimit {
    field: "Visitor.runs",
    limit: 2000,
    window_seconds: 3600,
};

impl resolve::MutationBoot for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        visitor: VisitorInput,
        url: Url,
    ) -> Result<Boot, Throws<field::MutationBoot>> {
        let live = self.boot_cache.site(&self.store, &site_key).await?;
        let uncounted = || self.uncount("Mutation.boot", cx);
        let live = live.ok_or_else(|| {
            uncounted();
            errors::UnknownSite {}
        })?;
        let LiveSite { site, releases, .. } = &*live;
        let page_origin = url.parsed().origin().ascii_serialization();
        for origin in [cx.origin(), Some(page_origin.as_str())] {
            if !site::admits(site, &self.own_origin(), origin) {
                uncounted();
                self.origin_refused(cx, site);
                return Err(site::origin_not_allowed(origin).into());
            }
        }
        let page = stored_page(&url);
        let now = self.now();
        if site::is_installation(site, &self.own_origin(), &page_origin) {
            self.presence.site_seen(site, &page, now);
        }
        let is_identified = visitor.external_id.as_ref().value().is_some();
        let checked = live.check(visitor, now);
        if is_identified {
            self.presence.visitor_identified(site, checked.key.as_ref(), now);
        }
        let visitor = checked.visitor;
        let mut written = false;
        loop {
            let history = self.boot_cache.visitor(&self.store, site, &visitor).await?;
            let visit = Visit {
                visitor_id: &history.id,
                past_runs: &history.past_runs,
                traits: &history.traits,
                verified: history.verified,
                segments: &live.segments,
                cooldown_hours: site.cooldown_hours,
                now,
            };
            let mut exposures = new_exposures(releases, &visit);
            exposures.retain(|exposure| !history.exposed.contains(&exposure.release_id));
            let tours = offers(releases, &visit);
            let is_stored = !history.is_new();
            let must_write = history.has_new_traits(&visitor)
                || match (history.is_known(), is_stored) {
                    (true, _) => !exposures.is_empty(),
                    (false, true) => true,
                    // Not stored without a token and traits.
                    (false, false) => !exposures.is_empty() || !tours.is_empty(),
                };
            // Another write is left to the next page view.
            if must_write && !written {
                if let Some(full) = self.capacity.disk(&self.store).await? {
                    return Err(full.into());
                }
                if !is_stored {
                    self.admit_visitor(cx, site, now).await?;
                }
                self.write_visitor(site, &visitor, &page, &history, (&exposures, now))
                    .await?;
                written = true;
                continue;
            }
            if is_stored {
                let page = history.cut_page(&visitor, &page);
                self.presence.visitor_seen(&history.id, &visitor, page, now);
            }
            return Ok(Boot {
                visitor_id: history.id.clone(),
                server_time: now,
                tours,
                goals: goals(releases),
                token_problem: checked.problem,
            });
        }
    }
}

impl App {
    /// Shows members that a page of an origin that they have not listed uses the key of the site. Waypost's demo page has
    /// its own button.
    fn origin_refused(&self, cx: &Ctx, site: &Site) {
        let own_origin = self.own_origin();
        let refused = cx
            .origin()
            .filter(|origin| *origin != own_origin && !site::admits(site, &own_origin, Some(origin)));
        if let Some(origin) = refused.filter(|origin| is_page_origin(origin)) {
            let caller = caller(cx);
            let admit = || self.rates.check(NEW_REFUSED_ORIGINS, &caller, Instant::now()).is_ok();
            self.presence.origin_refused(site, origin, admit, self.now());
        }
    }

    /// Fails if the address brings too many new visitors, or the site or the workspace has too many.
    async fn admit_visitor(&self, cx: &Ctx, site: &Site, now: DateTime) -> Result<(), Throws<field::MutationBoot>> {
        match self.capacity.visitors(&self.store, site, now).await? {
            Some(Full::Site(full)) => return Err(full.into()),
            Some(Full::Workspace(full)) => return Err(full.into()),
            None => {}
        }
        let admitted = self.rates.check(NEW_VISITORS, &caller(cx), Instant::now());
        admitted.map_err(|seconds| errors::TooManyVisitors {
            seconds: seconds.to_string(),
        })?;
        Ok(())
    }

    /// The time of the exposures is the server time of the response, because goals count from it.
    async fn write_visitor(
        &self,
        site: &Site,
        input: &ReportedVisitor,
        page: &str,
        history: &VisitorHistory,
        (exposures, exposed_at): (&[NewExposure], DateTime),
    ) -> Result<(), Internal> {
        let mut tx = self.store.save().await?;
        let id = if history.is_known() && !history.has_new_traits(input) {
            history.id.clone()
        } else {
            let page = history.cut_page(input, page);
            visitors::upsert(tx.conn(), site, input, page, exposed_at).await?
        };
        // A simultaneous request may have changed the id.
        if id == history.id && !exposures.is_empty() {
            lift::store::insert_exposures(tx.conn(), &id, exposures, exposed_at).await?;
        }
        for visitor in [id, history.id.clone(), visitors::browser_id(site, input)] {
            tx.touch(Changed::Visitor(visitor));
        }
        for merged in history.merged() {
            tx.touch(Changed::Visitor(merged.clone()));
        }
        tx.commit().await
    }
}

impl App {
    /// Returns the site and the visitor of a report. Calls that are rejected because of their site do not count for the
    /// rate limit of `field`.
    pub(crate) async fn reporter<F>(
        &self,
        field: &'static str,
        cx: &Ctx,
        site_key: &str,
        visitor: VisitorInput,
    ) -> Result<(Arc<LiveSite>, ReportedVisitor), Throws<F>>
    where
        F: Declares<errors::UnknownSite>
            + Declares<errors::OriginNotAllowed>
            + Declares<errors::IdentityTokenInvalid>
            + Declares<errors::Unavailable>,
    {
        let Some(live) = self.boot_cache.site(&self.store, site_key).await? else {
            self.uncount(field, cx);
            return Err(errors::UnknownSite {}.into());
        };
        if !site::admits(&live.site, &self.own_origin(), cx.origin()) {
            self.uncount(field, cx);
            return Err(site::origin_not_allowed(cx.origin()).into());
        }
        let checked = live.check(visitor, self.now());
        if let Some(problem) = checked.problem {
            return Err(token_invalid(problem).into());
        }
        if let Some(full) = self.capacity.disk(&self.store).await? {
            return Err(full.into());
        }
        Ok((live, checked.visitor))
    }
}

impl resolve::MutationAttemptRecord for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        visitor: VisitorInput,
        attempts: Vec<AttemptInput>,
    ) -> Result<i32, Throws<field::MutationAttemptRecord>> {
        let (live, visitor) = self.reporter("Mutation.attemptRecord", cx, &site_key, visitor).await?;
        let site = &live.site;
        let mut tx = self.store.save().await?;
        let now = tx.now;
        let Some(id) = visitors::upsert_known(tx.conn(), site, &visitor, now).await? else {
            return Ok(0);
        };
        let caller = caller(cx);
        let admit = || self.rates.check(NEW_ATTEMPTS, &caller, Instant::now()).is_ok();
        let stored = attempts::record(tx.conn(), &site.id, &id, &attempts, admit, now).await?;
        tx.touch(Changed::Visitor(visitors::browser_id(site, &visitor)));
        tx.touch(Changed::Visitor(id));
        tx.commit().await?;
        Ok(i32::try_from(stored).unwrap_or(i32::MAX))
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
        let unknown_site = || {
            self.uncount("Mutation.record", cx);
            errors::UnknownSite {}
        };
        let live = self.boot_cache.site(&self.store, &site_key).await?;
        let live = live.ok_or_else(unknown_site)?;
        let now = self.now();
        let checked = live.check(visitor, now);
        if let Some(problem) = checked.problem {
            return Err(token_invalid(problem).into());
        }
        if let Some(full) = self.capacity.disk(&self.store).await? {
            return Err(full.into());
        }
        let full = self.capacity.runs(&self.store, &live.site, now).await?;
        let (rates, caller) = (self.rates(), caller(cx));
        let (capacity, workspace_id) = (Arc::clone(&self.capacity), live.site.workspace_id.clone());
        let report = Report {
            site_key,
            origin: cx.origin().map(str::to_owned),
            visitor: checked.visitor,
            events,
            accepts_runs: full.is_none(),
            admit_run: Box::new(move || {
                rates.check(NEW_RUNS, &caller, Instant::now()).is_ok() && capacity.admit_run(&workspace_id)
            }),
        };
        let uncounted = || self.uncount("Mutation.record", cx);
        match self.ingest.submit(report).await? {
            IngestOutcome::Stored(ack) => Ok(ack),
            IngestOutcome::Incomplete => Err(full.map_or_else(|| report_incomplete().into(), Throws::from)),
            IngestOutcome::UnknownSite => {
                uncounted();
                Err(errors::UnknownSite {}.into())
            }
            IngestOutcome::OriginNotAllowed => {
                uncounted();
                Err(site::origin_not_allowed(cx.origin()).into())
            }
        }
    }
}

fn report_incomplete() -> errors::ReportIncomplete {
    errors::ReportIncomplete {
        limit: MAX_NEW_RUNS_PER_REPORT.to_string(),
        per_hour: NEW_RUNS.limit.to_string(),
    }
}

/// The page keeps the report until it has another token.
fn token_invalid(problem: TokenProblem) -> errors::IdentityTokenInvalid {
    errors::IdentityTokenInvalid {
        problem: problem.as_graphql().to_owned(),
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
        let past_runs = offer::store::past_runs(&mut tx, &visitor_id).await?;
        let attempts = attempts::last(&mut tx, &visitor_id, &tour.id).await?;
        let live = self.boot_cache.site(&self.store, &site.key).await?;
        let live = live.ok_or_else(|| missing("site"))?;
        let request = ExplainRequest {
            live: &live,
            own_origin: &self.own_origin(),
            visitor: &visitor,
            tour_id: &tour.id,
            url: &url,
            attempts: &attempts,
            now: self.now(),
        };
        Ok(explain(&request, &past_runs))
    }
}
