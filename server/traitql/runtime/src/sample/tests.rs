#![allow(clippy::unwrap_used)]

use serde_json::json;

use super::*;
use crate::{Date, DateTime, Json, Url, with_batch};

#[derive(Debug, Clone, PartialEq)]
struct Tour {
    id: Id,
    title: String,
    theme_id: Id,
}

impl Sample for Tour {
    fn sample(at: &Sampler) -> Option<Self> {
        let at = at.object("Tour");
        Some(Self {
            id: at.field("id", "ID")?,
            title: at.field("title", "String")?,
            theme_id: at.field("themeId", "ID")?,
        })
    }
}

#[derive(Debug)]
struct Note {
    answers: Option<Vec<Note>>,
}

impl Sample for Note {
    fn sample(at: &Sampler) -> Option<Self> {
        let at = at.object("Note");
        Some(Self {
            answers: at.field("answers", "Note")?,
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Minutes(u64);

impl Scalar for Minutes {
    fn parse(value: &Value) -> Result<Self, String> {
        value
            .as_u64()
            .map(Self)
            .ok_or_else(|| "must be a number of minutes".to_owned())
    }

    fn write(&self) -> Value {
        json!(self.0)
    }
}

enum Field {}

fn sample<T: Sample>(at: &Sampler) -> T {
    at.value::<T, Field>().unwrap_or_else(|_| panic!("{at:?} has no value"))
}

#[test]
fn equal_requests_have_equal_results() {
    let tours = || sample::<Vec<Tour>>(&Sampler::of("Query.tours").seed(&"w1"));
    assert_eq!(tours(), tours());
    assert_ne!(tours(), sample::<Vec<Tour>>(&Sampler::of("Query.tours").seed(&"w2")));
}

#[test]
fn objects_of_a_list_differ_and_are_found_again_by_id() {
    let tours: Vec<Tour> = sample(&Sampler::of("Query.tours"));
    assert_eq!(tours.len(), DEFAULT_ENTRIES);
    assert_ne!(tours[0].id, tours[1].id);
    let again: Tour = sample(&Sampler::of("Query.tour").seed(&tours[1].id).ids([&tours[1].id]));
    assert_eq!(again, tours[1]);
    let ids = [tours[2].id.clone(), "anything".into()];
    let both: Vec<Tour> = sample(&Sampler::of("Query.byIds").seed(&ids).ids(&ids));
    assert_eq!(both[0], tours[2]);
    assert_eq!(both[1].id, "anything");
    assert!(both[1].theme_id.as_str().starts_with("theme-"));
}

#[test]
fn a_list_respects_the_limit() {
    let at = Sampler::of("Query.tours");
    assert_eq!(sample::<Vec<Tour>>(&at.clone().limit(1)).len(), 1);
    assert_eq!(sample::<Vec<Tour>>(&at.clone().limit(Some(0))).len(), 0);
    assert_eq!(sample::<Page<Tour>>(&at.clone().limit(-1)).nodes.len(), 0);
    let page: Page<Tour> = sample(&at.limit(None));
    assert_eq!(
        (page.nodes.len(), page.total_count, page.has_next_page),
        (DEFAULT_ENTRIES, Some(3), false)
    );
    let edges: Vec<Edge<Tour>> = sample(&Sampler::of("Query.tours"));
    let cursors: Vec<String> = edges.into_iter().map(|edge| edge.cursor).collect();
    assert_eq!(cursors, page.cursors);
}

#[test]
fn recursive_values_are_finite() {
    let note: Note = sample(&Sampler::of("Query.note"));
    let depth = |mut note: &Note| {
        let mut depth = 1;
        while let Some(next) = note.answers.as_deref().and_then(<[Note]>::first) {
            (note, depth) = (next, depth + 1);
        }
        depth
    };
    assert_eq!(depth(&note), usize::from(MAX_DEPTH));
}

#[test]
fn scalars_accept_their_own_sample_values() {
    let at = |ty| Sampler::of("Query.at").ty(ty);
    sample::<DateTime>(&at("Moment"));
    sample::<Date>(&at("Birthday"));
    sample::<Url>(&at("Page"));
    sample::<Minutes>(&at("Minutes"));
    assert!(sample::<Json>(&at("JSONObject")).is_object());
    assert!(sample::<Json>(&at("HTML")).as_str().unwrap().starts_with("<p>"));
    assert!(sample::<Json>(&at("UnsignedInt64")).is_u64());
}

#[test]
fn a_missing_sample_value_is_reported_with_its_field() {
    #[derive(Debug)]
    enum Uninhabited {}
    impl Sample for Uninhabited {
        fn sample(_: &Sampler) -> Option<Self> {
            None
        }
    }
    let at = Sampler::of("Query.uninhabited").ty("Uninhabited");
    let error = at.value::<Uninhabited, Field>().unwrap_err().into_error();
    assert_eq!(error.code, "UNIMPLEMENTED");
    assert!(error.message.contains("`Query.uninhabited`"), "{}", error.message);
    assert!(sample::<Option<Uninhabited>>(&at).is_none());
    assert!(sample::<Vec<Uninhabited>>(&at).is_empty());
}

#[tokio::test]
async fn each_parent_has_its_own_value() {
    let parents = [Id::from("a"), Id::from("b"), Id::from("a")];
    with_batch(&parents, async |batch| {
        let one = Sampler::of("Tour.title").one::<_, String>(batch);
        assert_eq!(one.get(0), one.get(2));
        let many = Sampler::of("Tour.steps").many::<_, Tour>(batch);
        assert_eq!(many.get(0), many.get(2));
        assert_ne!(many.get(0), many.get(1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_stream_continues() {
    let mut events = Sampler::of("Subscription.tick")
        .events::<Tour, Field>()
        .unwrap_or_else(|_| panic!("a stream"));
    let mut ids = Vec::new();
    for _ in 0..3 {
        let tour = events.next().await.unwrap().unwrap_or_else(|_| panic!("an event"));
        ids.push(tour.id);
    }
    ids.dedup();
    assert_eq!(ids.len(), 3);
}
