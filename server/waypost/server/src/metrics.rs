//! `/metrics` in the text format of Prometheus, on a separate address (`WAYPOST_METRICS_BIND`), because visitors must
//! not read the numbers.
//!
//! Requests are counted from the events of the access log, so the toolchain needs to know nothing about metrics.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{Router, extract::State, http::header, response::IntoResponse, routing::get};
use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    Layer,
    filter::{FilterFn, filter_fn},
    layer::Context,
};
use traitql_axum::OpenStreams;
use waypost_database::{Waits, free_disk};

use crate::{
    Application,
    health::{Health, Summary},
    logging::LostLines,
};

const TARGET: &str = "traitql::request";

/// Upper bounds in microseconds.
const BUCKETS: [u64; 9] = [
    1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000,
];

/// Clients name ad-hoc documents. Production has fewer operations.
const MAX_OPERATIONS: usize = 500;

/// Finished requests, by operation.
#[derive(Clone, Default)]
pub(crate) struct Requests(Arc<Mutex<BTreeMap<String, Operation>>>);

#[derive(Default)]
struct Operation {
    outcomes: BTreeMap<String, u64>,
    /// Not cumulative; the last one has no upper bound.
    buckets: [u64; BUCKETS.len() + 1],
    total: Duration,
}

impl Requests {
    /// Returns the layer that counts, with its filter.
    pub(crate) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
    {
        let filter: FilterFn = filter_fn(|event| event.target() == TARGET && *event.level() <= Level::INFO);
        self.clone().with_filter(filter)
    }

    fn count(&self, request: Request) {
        let mut operations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = operations.contains_key(&request.operation);
        let name = if is_known || operations.len() < MAX_OPERATIONS {
            request.operation
        } else {
            "other".to_owned()
        };
        let operation = operations.entry(name).or_default();
        *operation.outcomes.entry(request.outcome).or_default() += 1;
        // The duration of a subscription is up to its client.
        if request.kind != "subscription" {
            let bucket = BUCKETS.partition_point(|bound| *bound < request.duration_us);
            operation.buckets[bucket] += 1;
            operation.total += Duration::from_micros(request.duration_us);
        }
    }

    fn write(&self, text: &mut Text) {
        let operations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        text.family("waypost_requests_total", "counter", "Finished requests.");
        for (name, operation) in &*operations {
            for (outcome, count) in &operation.outcomes {
                let labels = format!("operation=\"{name}\",outcome=\"{outcome}\"");
                text.sample("waypost_requests_total", &labels, count);
            }
        }
        let (name, help) = (
            "waypost_request_duration_seconds",
            "Duration of queries, mutations and rejected requests.",
        );
        text.family(name, "histogram", help);
        for (operation, Operation { buckets, total, .. }) in &*operations {
            let labels = format!("operation=\"{operation}\"");
            text.histogram(name, &labels, (&BUCKETS, buckets), *total);
        }
    }
}

impl<S: Subscriber> Layer<S> for Requests {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut request = Request::default();
        event.record(&mut request);
        self.count(request);
    }
}

#[derive(Default)]
struct Request {
    operation: String,
    kind: String,
    outcome: String,
    duration_us: u64,
}

impl Visit for Request {
    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "operation" => value.clone_into(&mut self.operation),
            "kind" => value.clone_into(&mut self.kind),
            "outcome" => value.clone_into(&mut self.outcome),
            _ => {}
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "duration_us" {
            self.duration_us = value;
        }
    }
}

fn write_waits(text: &mut Text, waits: &[(&'static str, Arc<Waits>)]) {
    let (name, help) = (
        "waypost_database_wait_seconds",
        "Time that statements and transactions waited for a connection to the database.",
    );
    text.family(name, "histogram", help);
    for (usage, waits) in waits {
        let labels = format!("usage=\"{usage}\"");
        text.histogram(name, &labels, (&Waits::BUCKETS, &waits.counts()), waits.total());
    }
    let (name, help) = (
        "waypost_database_waiting",
        "Statements and transactions that wait for a connection to the database.",
    );
    text.family(name, "gauge", help);
    for (usage, waits) in waits {
        text.sample(name, &format!("usage=\"{usage}\""), waits.waiting());
    }
}

fn write_deletions(text: &mut Text, deletions: &[(&'static str, &'static str, u64)]) {
    let (name, help) = (
        "waypost_deleted_total",
        "Rows that the retention of their workspace or a limit has deleted.",
    );
    text.family(name, "counter", help);
    for (rows, reason, count) in deletions {
        text.sample(name, &format!("rows=\"{rows}\",reason=\"{reason}\""), count);
    }
}

#[derive(Clone)]
pub(crate) struct Metrics {
    pub(crate) requests: Requests,
    pub(crate) lost_lines: LostLines,
    pub(crate) health: Health,
    pub(crate) streams: OpenStreams,
    pub(crate) waits: [(&'static str, Arc<Waits>); 2],
    pub(crate) app: Arc<dyn Application>,
    /// Contains the SQLite database, if there is one.
    pub(crate) data: Option<PathBuf>,
}

pub(crate) fn router(metrics: Metrics) -> Router {
    Router::new().route("/metrics", get(respond)).with_state(metrics)
}

async fn respond(State(metrics): State<Metrics>) -> impl IntoResponse {
    let mut text = Text::default();
    metrics.requests.write(&mut text);
    write_waits(&mut text, &metrics.waits);
    write_deletions(&mut text, &metrics.app.deletions());
    let Summary {
        ready,
        visits,
        changes,
        replica,
    } = metrics.health.summary().await;
    text.gauge("waypost_ready", "1 if `/readyz` responds with 200.", u8::from(ready));
    let help = "0 if some visits are not stored; `/readyz` has the reason.";
    text.gauge("waypost_visits_ready", help, u8::from(visits));
    let help = "0 if changes of other processes are noticed late; `/readyz` has the reason.";
    text.gauge("waypost_changes_ready", help, u8::from(changes));
    if let Some(replica) = replica {
        let help = "0 if the replica of the database is behind or does not respond.";
        text.gauge("waypost_replica_ready", help, u8::from(replica));
    }
    text.gauge(
        "waypost_open_streams",
        "Sockets and subscriptions.",
        metrics.streams.count(),
    );
    text.family(
        "waypost_log_lines_lost_total",
        "counter",
        "Lines that could not be logged.",
    );
    text.sample("waypost_log_lines_lost_total", "", metrics.lost_lines.total());
    if let Some(folder) = &metrics.data {
        text.family(
            "waypost_database_bytes",
            "gauge",
            "Size of the files of the SQLite database.",
        );
        for file in ["waypost.db", "waypost.db-wal"] {
            let size = fs::metadata(folder.join(file)).map_or(0, |file| file.len());
            text.sample("waypost_database_bytes", &format!("file=\"{file}\""), size);
        }
        if let Some(megabytes) = free_disk(folder) {
            let help = "Free space of the disk with the SQLite database.";
            text.gauge("waypost_disk_free_bytes", help, megabytes * 1_000_000);
        }
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        text.gauge("process_open_fds", "Open files, including connections.", files.count());
    }
    if let Some(bytes) = resident_memory() {
        text.gauge("process_resident_memory_bytes", "Resident memory.", bytes);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text.0)
}

fn resident_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &str, value: impl fmt::Display) {
        let labels = if labels.is_empty() {
            String::new()
        } else {
            format!("{{{labels}}}")
        };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    /// `buckets` are the upper bounds in microseconds, and the counts, which are not cumulative.
    fn histogram(&mut self, name: &str, labels: &str, buckets: (&[u64], &[u64]), total: Duration) {
        let mut count = 0;
        let bounds = buckets
            .0
            .iter()
            .map(|bound| Duration::from_micros(*bound).as_secs_f64().to_string());
        for (bound, in_bucket) in bounds.chain(["+Inf".to_owned()]).zip(buckets.1) {
            count += in_bucket;
            self.sample(&format!("{name}_bucket"), &format!("{labels},le=\"{bound}\""), count);
        }
        self.sample(&format!("{name}_sum"), labels, total.as_secs_f64());
        self.sample(&format!("{name}_count"), labels, count);
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl fmt::Display) {
        self.family(name, "gauge", help);
        self.sample(name, "", value);
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn requests_are_counted_by_operation_outcome_and_duration() {
        let requests = Requests::default();
        let subscriber = tracing_subscriber::registry().with(requests.layer());
        tracing::subscriber::with_default(subscriber, || {
            for (outcome, duration_us) in [("OK", 900_u64), ("OK", 5_000), ("RATE_LIMITED", 20_000_000)] {
                tracing::info!(target: TARGET, operation = "Boot", kind = "mutation", outcome, duration_us, "request");
            }
            let duration_us = 60_000_000_u64;
            tracing::info!(target: TARGET, operation = "Changed", kind = "subscription", outcome = "OK", duration_us);
            tracing::info!(operation = "Boot", outcome = "OK", "another event");
        });
        let mut text = Text::default();
        requests.write(&mut text);
        for line in [
            "waypost_requests_total{operation=\"Boot\",outcome=\"OK\"} 2",
            "waypost_requests_total{operation=\"Boot\",outcome=\"RATE_LIMITED\"} 1",
            "waypost_requests_total{operation=\"Changed\",outcome=\"OK\"} 1",
            "waypost_request_duration_seconds_bucket{operation=\"Boot\",le=\"0.001\"} 1",
            "waypost_request_duration_seconds_bucket{operation=\"Boot\",le=\"0.005\"} 2",
            "waypost_request_duration_seconds_bucket{operation=\"Boot\",le=\"10\"} 2",
            "waypost_request_duration_seconds_bucket{operation=\"Boot\",le=\"+Inf\"} 3",
            "waypost_request_duration_seconds_sum{operation=\"Boot\"} 20.0059",
            "waypost_request_duration_seconds_count{operation=\"Changed\"} 0",
        ] {
            assert!(text.0.lines().any(|each| each == line), "{line}\n{}", text.0);
        }
    }

    #[test]
    fn names_of_ad_hoc_documents_are_limited() {
        let requests = Requests::default();
        for number in 0..2 * MAX_OPERATIONS {
            requests.count(Request {
                operation: format!("Invented{number}"),
                ..Request::default()
            });
        }
        assert_eq!(
            requests.0.lock().map(|operations| operations.len()).ok(),
            Some(MAX_OPERATIONS + 1)
        );
    }
}
