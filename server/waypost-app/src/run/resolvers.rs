//! What pages ask and report, and why a tour plays for somebody or does not.

use traitql::{Batch, Ctx, Id, Internal, One, Throws, Url, Viewer};
use waypost_api::{
    Ack, Boot, BootTour, EventInput, Explanation, ParticipantInput, Site, Theme, errors, field, resolve, role,
};
use waypost_domain::{
    change::Changed,
    lift, participant,
    run::{
        boot::{bare, exposed, goals, offers},
        explain::{Question, explain},
        ingest::Report,
        record::Answer,
        store,
        visitors::{self, Visitors},
    },
    site,
    store::Conn,
    theme, tour,
};

use crate::App;

impl resolve::MutationBoot for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        participant: ParticipantInput,
        url: Url,
    ) -> Result<Boot, Throws<field::MutationBoot>> {
        let mut tx = self.store.read().await?;
        let site = site::store::by_key(tx.db(), &site_key).await?;
        let site = site.ok_or(errors::UnknownSite {})?;
        let page = url.parsed().origin().ascii_serialization();
        for origin in [cx.origin(), Some(page.as_str())] {
            if !site::admits(&site, &self.own_origin(), origin) {
                return Err(site::refused(origin).into());
            }
        }
        let (participant_id, mut tx) = self.visitor(tx, &site, &participant, &bare(&url)).await?;
        let now = self.now();
        let playing = store::playing(&mut tx, &self.frozen, &site.id).await?;
        let earlier = store::earlier(&mut tx, &participant_id).await?;
        let mut exposed = exposed(&playing, &participant_id, &earlier, site.quiet_hours, now);
        if !exposed.is_empty() {
            let known = lift::store::known(&mut tx, &participant_id).await?;
            exposed.retain(|exposed| !known.contains(&exposed.release_id));
        }
        drop(tx);
        if !exposed.is_empty() {
            let mut tx = self.store.save().await?;
            lift::store::expose(tx.conn(), &participant_id, &exposed, now).await?;
            tx.commit().await?;
        }
        let goals = goals(&playing);
        let tours = offers(playing, &participant_id, &earlier, site.quiet_hours, now);
        Ok(Boot {
            participant_id,
            server_time: now,
            tours,
            goals,
        })
    }
}

impl App {
    /// Who the visitor is, and a view of the data in which they are. Most page views say nothing new and only read.
    async fn visitor(
        &self,
        mut reader: Conn,
        site: &Site,
        input: &ParticipantInput,
        page: &Url,
    ) -> Result<(Id, Conn), Internal> {
        let now = self.now();
        let visitors = Visitors::read(&mut reader, &[(&site.id, input)]).await?;
        if let Some(id) = visitors.fresh(&site.id, input, Some(page), now)
            && !site::is_news(site, now)
        {
            return Ok((id, reader));
        }
        drop(reader);
        let mut tx = self.store.save().await?;
        let now = tx.now;
        let id = visitors::visitor(tx.conn(), &site.id, input, page, now).await?;
        if site::is_news(site, now) {
            site::store::seen(tx.conn(), &site.id, now).await?;
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
        let themes = theme::store::played(self.store.reader(), &ids, &workspaces).await?;
        Ok(tours.map_opt(|tour| Ok(theme::played(&themes, &tour.workspace_id, tour.theme_id.as_ref()).cloned())))
    }
}

impl resolve::MutationRecord for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        participant: ParticipantInput,
        events: Vec<EventInput>,
    ) -> Result<Ack, Throws<field::MutationRecord>> {
        let report = Report {
            site_key,
            origin: cx.origin().map(str::to_owned),
            participant,
            events,
        };
        match self.ingest.take(report).await? {
            Answer::Taken(ack) => Ok(ack),
            Answer::UnknownSite => Err(errors::UnknownSite {}.into()),
            Answer::Refused => Err(site::refused(cx.origin()).into()),
        }
    }
}

impl resolve::QueryExplain for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        participant_id: Id,
        tour_id: Id,
        url: Url,
    ) -> Result<Explanation, Throws<field::QueryExplain>> {
        let missing = |thing: &str| errors::NotFound {
            thing: thing.to_owned(),
        };
        let mut tx = self.store.read().await?;
        let participant = participant::store::by_id(tx.db(), &participant_id).await?;
        let participant = participant.ok_or_else(|| missing("participant"))?;
        let tour = tour::store::by_id(tx.db(), &tour_id).await?;
        let tour = tour.filter(|tour| tour.workspace_id == *viewer.scope());
        let tour = tour.ok_or_else(|| missing("tour"))?;
        let site = site::store::by_ids(tx.db(), std::slice::from_ref(&participant.site_id)).await?;
        let site = site.first().ok_or_else(|| missing("site"))?;
        let playing = store::playing(&mut tx, &self.frozen, &site.id).await?;
        let earlier = store::earlier(&mut tx, &participant_id).await?;
        let question = Question {
            site,
            own_origin: &self.own_origin(),
            participant_id: &participant_id,
            tour_id: &tour.id,
            url: &url,
            now: self.now(),
        };
        Ok(explain(&question, playing, earlier))
    }
}
