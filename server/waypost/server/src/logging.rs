//! Text on a terminal, otherwise JSON lines. Lines that cannot be written (full disk, reader gone) are dropped, and
//! their number is logged as soon as possible.

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tracing_subscriber::{EnvFilter, Layer, Registry, fmt::MakeWriter, layer::SubscriberExt, util::SubscriberInitExt};

use crate::metrics::Requests;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

impl LogFormat {
    pub fn for_stderr() -> Self {
        if io::stderr().is_terminal() {
            Self::Text
        } else {
            Self::Json
        }
    }
}

/// The number of lines that could not be written since the start.
#[derive(Clone, Default)]
pub(crate) struct LostLines(Arc<AtomicU64>);

impl LostLines {
    pub(crate) fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Also counts requests, independent of the filter, if `requests` is given.
pub(crate) fn init(filter: EnvFilter, format: LogFormat, requests: Option<&Requests>) -> LostLines {
    let writer = LossyLog::new(io::stderr, format);
    let total = writer.total.clone();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer)
        // The subscriber would report a failed write with `eprintln!`, which panics.
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal());
    let lines: Box<dyn Layer<Registry> + Send + Sync> = match format {
        LogFormat::Text => lines.with_target(false).boxed(),
        LogFormat::Json => lines
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .boxed(),
    };
    let registry = tracing_subscriber::registry().with(lines.with_filter(filter));
    // In tests, the first subscriber stays.
    let _ = registry.with(requests.map(Requests::layer)).try_init();
    total
}

struct LossyLog<O> {
    open: O,
    format: LogFormat,
    /// Since the last notice.
    lost: Arc<AtomicU64>,
    total: LostLines,
}

impl<O> LossyLog<O> {
    fn new(open: O, format: LogFormat) -> Self {
        Self {
            open,
            format,
            lost: Arc::default(),
            total: LostLines::default(),
        }
    }
}

impl<'a, W: Write, O: Fn() -> W + 'a> MakeWriter<'a> for LossyLog<O> {
    type Writer = LossyWriter<W>;

    fn make_writer(&'a self) -> Self::Writer {
        LossyWriter {
            inner: (self.open)(),
            format: self.format,
            lost: Arc::clone(&self.lost),
            total: self.total.clone(),
        }
    }
}

struct LossyWriter<W> {
    inner: W,
    format: LogFormat,
    lost: Arc<AtomicU64>,
    total: LostLines,
}

impl<W: Write> Write for LossyWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let lost = self.lost.swap(0, Ordering::Relaxed);
        let written = if lost == 0 {
            self.inner.write_all(line)
        } else {
            // The failed write may have ended in a line.
            let notice = format!("\n{}\n", loss_notice(self.format, lost));
            self.inner
                .write_all(notice.as_bytes())
                .and_then(|()| self.inner.write_all(line))
        };
        if written.is_err() {
            self.lost.fetch_add(lost + 1, Ordering::Relaxed);
            self.total.0.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.inner.flush();
        Ok(())
    }
}

fn loss_notice(format: LogFormat, lost: u64) -> String {
    let time = jiff::Timestamp::now();
    let message = "log lines were lost because standard error could not be written";
    match format {
        LogFormat::Text => format!("{time}  WARN {message} lines={lost}"),
        LogFormat::Json => serde_json::json!({
            "timestamp": time.to_string(), "level": "WARN", "message": message, "lines": lost,
        })
        .to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::*;

    #[derive(Default)]
    struct Disk {
        free: usize,
        content: Vec<u8>,
    }

    #[derive(Clone, Default)]
    struct File(Arc<Mutex<Disk>>);

    impl File {
        fn disk(&self) -> MutexGuard<'_, Disk> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl Write for File {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut disk = self.disk();
            let count = bytes.len().min(disk.free);
            disk.free -= count;
            disk.content.extend_from_slice(&bytes[..count]);
            if count == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lost_lines_are_counted_and_reported_when_the_log_is_writable_again() {
        let file = File::default();
        let log = LossyLog::new(
            {
                let file = file.clone();
                move || file.clone()
            },
            LogFormat::Json,
        );
        file.disk().free = 8;
        for line in ["first\n", "second\n", "third\n"] {
            log.make_writer().write_all(line.as_bytes()).unwrap();
        }
        file.disk().free = 1_000;
        log.make_writer().write_all(b"fourth\n").unwrap();
        log.make_writer().write_all(b"fifth\n").unwrap();

        let content = String::from_utf8(file.disk().content.clone()).unwrap();
        let lines: Vec<_> = content.lines().collect();
        assert_eq!(
            (lines[0], lines[1], &lines[3..]),
            ("first", "se", &["fourth", "fifth"][..])
        );
        let notice: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
        assert_eq!((&notice["lines"], log.total.total()), (&2.into(), 2));
    }
}
