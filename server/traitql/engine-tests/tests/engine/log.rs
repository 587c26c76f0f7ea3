use std::{
    fmt::Debug,
    sync::{Arc, Mutex},
};

use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

use serde_json::Map;
use traitql::{
    Engine,
    engine::{GeneratedSchema, PlanEngine},
};

use crate::{Generated, cx, engines, trusted};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0 += &format!("{}={value:?} ", field.name());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0 += &format!("{}={value} ", field.name());
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("traitql")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(format!("{} ", event.metadata().level()));
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0.trim_end().to_owned());
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[tokio::test]
async fn internal_errors_are_logged_once_per_resolver_with_request_id_and_coordinate() {
    let texts = [
        "{ tours { panics risky } fails failsHard }",
        "{ search { ... on Tour { nothing } } again: search { ... on Tour { nothing } } }",
    ];
    let engines = engines();
    let documents = texts.map(trusted);
    let planned =
        PlanEngine::<Generated>::with_sdl(Generated::SDL, Arc::clone(&engines.planned), Arc::default(), &documents);
    let nothing =
        "ERROR message=field failed request_id=r1 coordinate=Tour.nothing cause=got null in a field of type Int!";
    // The planned engine writes all root fields together.
    for (engine, null_errors) in [(&engines.engine as &dyn Engine, 2), (&planned, 1)] {
        let log = Log::default();
        let guard = tracing::subscriber::set_default(log.clone());
        for document in &documents {
            engine.execute(&cx(None), document, Map::new()).await;
        }
        drop(guard);
        let mut lines = log.0.lock().unwrap().clone();
        lines.sort();
        let mut expected = vec![
            "ERROR message=field failed request_id=r1 coordinate=Query.failsHard cause=the disk is full",
            "ERROR message=field failed request_id=r1 coordinate=Tour.panics cause=panicked: boom",
        ];
        expected.splice(1..1, vec![nothing; null_errors]);
        assert_eq!(lines, expected);
    }
}
