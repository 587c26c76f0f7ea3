//! Thirty days of the members of the sample workspace, from `content/history.json`.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;
use traitql::{DateTime, Id, Internal};
use waypost_api::{ConditionInput, ReleaseChange, ReleaseState, ReviewState, Role, TextField, TourTestInput, audit};

use super::{
    ISSUER,
    traffic::{SampleVisitor, StepBehavior, Traffic},
};
use crate::{
    account,
    audit::Entry,
    condition,
    release::{self, NewRelease, Terms, allocation::TrafficSplit},
    review, segment,
    store::Conn,
    tour::{self, built_in::BuiltInTour, content::Content, revisions},
    workspace,
};

/// Day 0 is the day on which the workspace was created; this is today.
pub(super) const DAYS: i64 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum SampleSite {
    Shop,
    Help,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct History {
    members: Vec<Person>,
    tours: Vec<BuiltInTour>,
    stories: Vec<Story>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    key: String,
    name: String,
    email: String,
    role: Role,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Story {
    pub(super) tour: String,
    pub(super) site: SampleSite,
    #[serde(default)]
    pub(super) after_order: bool,
    pub(super) timeline: Vec<Moment>,
    #[serde(default)]
    pub(super) steps: BTreeMap<String, StepBehavior>,
}

#[derive(Deserialize)]
pub(super) struct Moment {
    pub(super) day: i64,
    /// Hour and minute in UTC.
    pub(super) at: (i64, i64),
    pub(super) by: String,
    #[serde(flatten)]
    pub(super) action: Action,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Action {
    Create,
    Save {
        step: String,
        body: String,
        /// The translation of the body, if the step has one.
        translated: Option<String>,
    },
    Submit {
        note: String,
    },
    Comment {
        step: String,
        body: String,
    },
    /// Resolves the oldest open comment.
    Resolve,
    Return {
        note: String,
    },
    Release {
        note: Option<String>,
        goal: Option<String>,
        #[serde(default)]
        holdout: i32,
    },
    Pause {
        note: String,
    },
    Resume {
        note: String,
    },
}

impl SampleSite {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Shop => "Demo shop",
            Self::Help => "Help center",
        }
    }

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Shop => "wp_pub_demo_shop",
            Self::Help => "wp_pub_help_center",
        }
    }
}

impl Action {
    pub(super) fn holdout(&self) -> i32 {
        match self {
            Self::Release { holdout, .. } => *holdout,
            _ => 0,
        }
    }
}

fn read() -> History {
    serde_json::from_str(include_str!("../../content/history.json"))
        .expect("the file is embedded, and a test parses it")
}

pub(super) struct Created<'a> {
    pub(super) workspace_id: &'a Id,
    pub(super) shop: &'a Id,
    pub(super) help: &'a Id,
    pub(super) own_origin: &'a str,
}

impl Created<'_> {
    pub(super) fn site(&self, site: SampleSite) -> &Id {
        match site {
            SampleSite::Shop => self.shop,
            SampleSite::Help => self.help,
        }
    }
}

pub(super) struct Written {
    pub(super) id: Id,
    pub(super) title: String,
    pub(super) content: Content,
    pub(super) number: i32,
    pub(super) live: Option<Live>,
    pub(super) comments: Vec<Id>,
}

pub(super) struct Live {
    pub(super) release: Id,
    pub(super) keys: Vec<String>,
    pub(super) split: TrafficSplit,
    pub(super) has_goal: bool,
    pub(super) paused: bool,
}

impl Live {
    pub(super) fn shows_to(&self, visitor: &SampleVisitor) -> bool {
        let in_holdout = visitor.in_holdout && self.split.holdout_percent > 0;
        !self.paused && !in_holdout
    }
}

pub(super) async fn insert(conn: &mut Conn, created: &Created<'_>, traffic: Traffic) -> Result<(), Internal> {
    let History {
        members,
        tours,
        stories,
    } = read();
    let tours = tour::built_in::sample_tours().into_iter().chain(tours);
    let mut replay = Replay {
        created,
        tours: tours.map(|tour| (tour.slug.clone(), tour)).collect(),
        people: BTreeMap::new(),
        written: BTreeMap::new(),
        stories: &stories,
        traffic,
        visitors: Vec::new(),
    };
    replay.insert_members(conn, members).await?;
    let (visitors, visits) = replay.traffic.visitors();
    replay.visitors = visitors;
    let mut moments: Vec<(DateTime, &Story, &Moment)> = stories
        .iter()
        .flat_map(|story| story.timeline.iter().map(move |moment| (story, moment)))
        .map(|(story, moment)| (replay.traffic.time_on(moment.day, minutes(moment.at)), story, moment))
        .collect();
    moments.sort_by_key(|(at, ..)| *at);
    let mut visits = visits.as_slice();
    for (at, story, moment) in moments {
        let before = visits.partition_point(|visit| visit.at < at);
        let (earlier, later) = visits.split_at(before);
        replay.visit(conn, earlier).await?;
        replay.act(conn, story, moment, at).await?;
        visits = later;
    }
    replay.visit(conn, visits).await?;
    replay.insert_segment(conn).await
}

fn minutes((hour, minute): (i64, i64)) -> i64 {
    (hour * 60 + minute) * 60 * 1000
}

pub(super) struct Replay<'a> {
    pub(super) created: &'a Created<'a>,
    /// Tours that are not yet created, by slug.
    pub(super) tours: BTreeMap<String, BuiltInTour>,
    pub(super) people: BTreeMap<String, Id>,
    /// The written tours by slug.
    pub(super) written: BTreeMap<String, Written>,
    pub(super) stories: &'a [Story],
    pub(super) traffic: Traffic,
    pub(super) visitors: Vec<SampleVisitor>,
}

impl<'a> Replay<'a> {
    async fn insert_members(&mut self, conn: &mut Conn, members: Vec<Person>) -> Result<(), Internal> {
        for (index, person) in members.into_iter().enumerate() {
            let minute = 10 * i64::try_from(index).unwrap_or_default();
            let at = self.traffic.time_on(0, minutes((7, 15 + minute)));
            let profile = account::Profile {
                name: person.name.clone(),
                email: Some(person.email),
                email_verified: false,
                picture: None,
            };
            let id = account::store::upsert(conn, ISSUER, &person.key, &profile, at).await?;
            workspace::store::member_insert(conn, self.created.workspace_id, &id, person.role, at).await?;
            let entry = Entry::on(self.created.workspace_id, person.name).added("role", person.role.as_graphql());
            crate::audit::store::insert(conn, audit::INVITATION_ACCEPT, &id, at, entry).await?;
            self.people.insert(person.key, id);
        }
        Ok(())
    }

    async fn insert_segment(&self, conn: &mut Conn) -> Result<(), Internal> {
        let (workspace_id, publisher) = (self.created.workspace_id, &self.people["aylin"]);
        let at = self.traffic.time_on(26, minutes((14, 40)));
        let completed = TourTestInput::new(self.written["first-order"].id.clone());
        let when = condition::from_input(ConditionInput::Tour(completed));
        let segment = segment::store::insert(conn, workspace_id, "Know how to order", &when, publisher, at).await?;
        let entry = Entry::on(workspace_id, &segment.name).added("when", segment::stored(&when));
        crate::audit::store::insert(conn, audit::SEGMENT_CREATE, publisher, at, entry).await?;
        let mut draft = revisions::draft(conn, &self.written["return-an-item"].id).await?.row;
        draft.start.when = Some(condition::from_input(ConditionInput::Segment(segment.id)));
        draft.updated_at = at;
        draft.version += 1;
        revisions::save(conn, &draft).await
    }

    /// Performs an action of a member like the mutation of the same name.
    async fn act(&mut self, conn: &mut Conn, story: &Story, moment: &Moment, at: DateTime) -> Result<(), Internal> {
        let by = &self.people[&moment.by];
        let workspace_id = self.created.workspace_id;
        if matches!(moment.action, Action::Create) {
            let tour = self
                .tours
                .remove(&story.tour)
                .expect("each story creates its tour once");
            let title = tour.title.clone();
            let content = tour.into_content();
            let id = tour::store::insert(conn, workspace_id, &story.tour, &title, by, at).await?;
            revisions::insert_draft(conn, &id, 1, 1, &content, by, at).await?;
            let entry = Entry::on(workspace_id, &title).added("slug", &story.tour);
            crate::audit::store::insert(conn, audit::TOUR_CREATE, by, at, entry).await?;
            let written = Written {
                id,
                title,
                content,
                number: 1,
                live: None,
                comments: Vec::new(),
            };
            self.written.insert(story.tour.clone(), written);
            return Ok(());
        }
        let tour = self
            .written
            .get_mut(&story.tour)
            .expect("a story begins with the creation");
        let mut draft = revisions::draft(conn, &tour.id).await?.row;
        let entry = Entry::on(workspace_id, &tour.title);
        let (action, entry) = match &moment.action {
            Action::Create => unreachable!("handled above"),
            Action::Save { step, body, translated } => {
                let changed = draft.steps.iter_mut().find(|known| known.key == *step);
                let changed = Arc::make_mut(changed.expect("the step exists"));
                changed.body.clone_from(body);
                let mut translations = changed.translations.iter_mut();
                if let (Some(text), Some(of_body)) =
                    (translated, translations.find(|each| each.field == TextField::Body))
                {
                    of_body.source.clone_from(body);
                    of_body.text.clone_from(text);
                }
                draft.author_id = by.clone();
                draft.updated_at = at;
                draft.version += 1;
                revisions::save(conn, &draft).await?;
                tour.content = Content::from(&draft);
                tour::store::touched(conn, &tour.id, at).await?;
                return Ok(());
            }
            Action::Comment { step, body } => {
                let new = review::store::NewComment {
                    step_key: Some(step),
                    body,
                    by,
                    at,
                };
                tour.comments
                    .push(review::store::comment_insert(conn, &draft, new).await?.id);
                return Ok(());
            }
            Action::Resolve => {
                let oldest = tour.comments.remove(0);
                review::store::comment_resolve(conn, &oldest, by, at).await?;
                return Ok(());
            }
            Action::Submit { note } => {
                revisions::set_in_review(conn, &draft.id, true).await?;
                let request = review::store::ReviewRequest {
                    by,
                    at,
                    note: Some(note),
                    reviewer: None,
                };
                review::store::begin(conn, &draft, request).await?;
                (
                    audit::REVISION_SUBMIT,
                    entry.added("revision", draft.number).with_note(Some(note)),
                )
            }
            Action::Return { note } => {
                revisions::set_in_review(conn, &draft.id, false).await?;
                let end = review::store::ReviewEnd {
                    state: ReviewState::Returned,
                    by,
                    at,
                    answer: Some(note),
                };
                review::store::end(conn, &draft.id, end).await?;
                (
                    audit::REVISION_RETURN,
                    entry.added("revision", draft.number).with_note(Some(note)),
                )
            }
            Action::Release { note, goal, holdout } => {
                let end = review::store::ReviewEnd {
                    state: ReviewState::Released,
                    by,
                    at,
                    answer: note.as_deref(),
                };
                review::store::end(conn, &draft.id, end).await?;
                revisions::freeze(conn, &draft.id, at).await?;
                tour.number += 1;
                revisions::insert_draft(conn, &tour.id, tour.number, draft.version + 1, &tour.content, by, at).await?;
                let terms = Terms {
                    split: TrafficSplit {
                        rollout_percent: 100,
                        holdout_percent: *holdout,
                    },
                    goal: goal.clone(),
                    ..Terms::ALL
                };
                let new = NewRelease {
                    tour_id: &tour.id,
                    site_id: self.created.site(story.site),
                    revision_id: &draft.id,
                    by,
                    note: note.as_deref(),
                    terms: &terms,
                    paused: false,
                    end_runs: false,
                    rollback_of: None,
                };
                let release = release::store::insert(conn, new, at).await?;
                tour.live = Some(Live {
                    release: release.id,
                    keys: draft.steps.iter().map(|step| step.key.clone()).collect(),
                    split: terms.split,
                    has_goal: goal.is_some(),
                    paused: false,
                });
                let entry = entry.added("sites", story.site.name()).added("revision", draft.number);
                let entry = entry.changed("holdoutPercent", &0, holdout);
                let entry = match goal {
                    Some(goal) => entry.added("goal", goal),
                    None => entry,
                };
                (audit::TOUR_RELEASE, entry.with_note(note.as_deref()))
            }
            Action::Pause { note } | Action::Resume { note } => {
                let live = tour.live.as_mut().expect("a released tour");
                live.paused = matches!(moment.action, Action::Pause { .. });
                let (action, state) = if live.paused {
                    (audit::RELEASE_PAUSE, ReleaseState::Paused)
                } else {
                    (audit::RELEASE_RESUME, ReleaseState::Live)
                };
                let change = ReleaseChange {
                    state,
                    at,
                    note: Some(note.clone()),
                    release_id: live.release.clone(),
                    by_id: by.clone(),
                };
                release::store::pause(conn, &change).await?;
                let before = if live.paused {
                    ReleaseState::Live
                } else {
                    ReleaseState::Paused
                };
                let entry = entry.added("site", story.site.name()).changed("state", &before, &state);
                (action, entry.with_note(Some(note)))
            }
        };
        tour::store::touched(conn, &tour.id, at).await?;
        crate::audit::store::insert(conn, action, by, at, entry).await
    }
}

#[cfg(test)]
mod tests {
    use waypost_api::TargetBy;

    use super::*;
    use crate::tour::problem::problems;

    /// Absent from the demo page, so that the insights have a missing element.
    const MISSING: &str = "play-filters";

    fn tours() -> impl Iterator<Item = BuiltInTour> {
        tour::built_in::sample_tours().into_iter().chain(read().tours)
    }

    #[test]
    fn the_tours_have_no_problems_and_their_targets_exist_on_the_demo_page() {
        let page = include_str!("../../../../../client/src/demo/DemoShop.tsx");
        assert!(!page.contains(MISSING));
        for tour in tours() {
            let slug = tour.slug.clone();
            let content = tour.into_content();
            assert_eq!(problems(&content.steps, &content.start), [], "{slug}");
            for target in content.steps.iter().filter_map(|step| step.target.as_ref()) {
                assert_eq!(target.by, TargetBy::DataTour);
                // The buttons of the products have the product in their name.
                let known = match target.value.strip_prefix("play-add-") {
                    Some(product) => format!("product: '{product}'"),
                    None => format!("data-tour=\"{}\"", target.value),
                };
                assert!(
                    target.value == MISSING || page.contains(&known),
                    "{slug}: {}",
                    target.value
                );
            }
        }
    }

    #[test]
    fn each_step_of_a_released_tour_has_a_behavior() {
        let steps: BTreeMap<String, Vec<String>> = tours()
            .map(|tour| (tour.slug.clone(), tour.into_content()))
            .map(|(slug, content)| (slug, content.steps.iter().map(|step| step.key.clone()).collect()))
            .collect();
        for story in read().stories {
            let is_released = |moment: &Moment| matches!(moment.action, Action::Release { .. });
            let keys: Vec<&String> = story.steps.keys().collect();
            let mut expected: Vec<&String> = if story.timeline.iter().any(is_released) {
                steps[&story.tour].iter().collect()
            } else {
                Vec::new()
            };
            expected.sort();
            assert_eq!(keys, expected, "{}", story.tour);
            assert!(
                story.timeline.iter().all(|moment| (0..DAYS).contains(&moment.day)),
                "not today"
            );
        }
    }
}
