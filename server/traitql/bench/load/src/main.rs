//! Sends one request repeatedly on many persistent connections, each as soon as its previous response is complete, and
//! prints the results as one line of JSON.
//!
//! A utilization close to 1 means that the generator was the bottleneck. With `--spin` it never sleeps, because waking
//! it up would be work for the server's core.
#![allow(clippy::print_stdout)]

mod connection;
mod process;

use std::{
    error::Error,
    fs, io,
    net::SocketAddr,
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Parser;
use hdrhistogram::Histogram;
use mio::{Events, Interest, Poll, Token};
use serde::Serialize;

use crate::connection::{Connection, Progress};

/// Time without a response after which the server counts as failed.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Parser)]
#[command(about = "Sends one request repeatedly on many connections")]
struct Cli {
    /// Address of the server: `127.0.0.1:4000`.
    address: SocketAddr,
    /// Path of the request.
    #[arg(long, default_value = "/graphql")]
    path: String,
    /// File with the request body.
    #[arg(long)]
    body: PathBuf,
    /// Additional header fields, as `name: value`.
    #[arg(long)]
    header: Vec<String>,
    /// Number of concurrent connections.
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Duration of the measurement in seconds.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Duration of the warm-up before it in seconds.
    #[arg(long, default_value_t = 0.3)]
    warm: f64,
    /// Never sleep, for a generator with its own core.
    #[arg(long)]
    spin: bool,
    /// Process id of the server, to read its CPU time and memory from /proc.
    #[arg(long)]
    pid: Option<u32>,
}

#[derive(Serialize)]
struct Report {
    requests: u64,
    seconds: f64,
    /// With another status than 200, or another length than the first response.
    wrong: u64,
    /// Of the body.
    bytes: usize,
    p50_us: f64,
    p99_us: f64,
    max_us: f64,
    /// In microseconds per request.
    cpu_us: Option<f64>,
    /// Resident bytes before the first connection, and at the end.
    memory_before: Option<u64>,
    memory: Option<u64>,
    /// Share of the time.
    busy: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let request = request(&cli)?;
    let memory_before = cli.pid.and_then(process::memory);
    let mut poll = Poll::new()?;
    let mut connections = Vec::with_capacity(cli.connections);
    for at in 0..cli.connections {
        let mut connection = Connection::open(cli.address)?;
        let interest = Interest::READABLE | Interest::WRITABLE;
        poll.registry().register(connection.stream(), Token(at), interest)?;
        connections.push(connection);
    }

    let mut measured = Measured::new()?;
    let started = Instant::now();
    let warm = started + Duration::from_secs_f64(cli.warm);
    let end = warm + Duration::from_secs_f64(cli.seconds);
    let mut window: Option<(Instant, Option<u64>)> = None;
    let mut events = Events::with_capacity(connections.len());
    let mut last = started;
    let mut worked = Duration::ZERO;
    let poll_timeout = if cli.spin {
        Duration::ZERO
    } else {
        Duration::from_millis(100)
    };
    for connection in &mut connections {
        connection.request(&request, Instant::now())?;
    }
    loop {
        let polled = Instant::now();
        poll.poll(&mut events, Some(poll_timeout))?;
        let mut now = Instant::now();
        // With `--spin`, polling is work.
        let busy_since = if cli.spin { polled } else { now };
        for event in &events {
            let connection = &mut connections[event.token().0];
            match connection.proceed(&request)? {
                Progress::Pending => {}
                Progress::Complete { status, bytes } => {
                    now = Instant::now();
                    last = now;
                    if window.is_some() {
                        measured.record(now.duration_since(connection.sent_at()), status, bytes)?;
                    } else {
                        measured.bytes = bytes;
                    }
                    connection.request(&request, now)?;
                }
            }
        }
        if window.is_some() && !events.is_empty() {
            worked += busy_since.elapsed();
        }
        if now.duration_since(last) > RESPONSE_TIMEOUT {
            return Err("the server has stopped responding".into());
        }
        if window.is_none() && now >= warm {
            window = Some((now, cli.pid.and_then(process::time)));
        }
        // On a busy machine the time can be over before the first response.
        if now >= end && measured.requests > 0 {
            break;
        }
    }
    let (since, before) = window.ok_or("nothing was measured")?;
    let seconds = since.elapsed().as_secs_f64();
    let after = cli.pid.and_then(process::time);
    let taken = after.zip(before).map(|(after, before)| after.saturating_sub(before));
    let micros = |nanos: u64| nanos as f64 / 1_000.0;
    let report = Report {
        requests: measured.requests,
        seconds,
        wrong: measured.wrong,
        bytes: measured.bytes,
        p50_us: micros(measured.latency.value_at_quantile(0.5)),
        p99_us: micros(measured.latency.value_at_quantile(0.99)),
        max_us: micros(measured.latency.max()),
        cpu_us: taken.map(|nanos| micros(nanos) / measured.requests as f64),
        memory_before,
        memory: cli.pid.and_then(process::memory),
        busy: worked.as_secs_f64() / seconds,
    };
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

fn request(cli: &Cli) -> io::Result<Vec<u8>> {
    let body = fs::read(&cli.body)?;
    let mut head = format!(
        "POST {} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\naccept: application/json\r\ncontent-length: {}\r\n",
        cli.path,
        cli.address,
        body.len(),
    );
    for field in &cli.header {
        head += &format!("{field}\r\n");
    }
    head += "\r\n";
    let mut request = head.into_bytes();
    request.extend(body);
    Ok(request)
}

struct Measured {
    latency: Histogram<u64>,
    requests: u64,
    wrong: u64,
    bytes: usize,
}

impl Measured {
    fn new() -> Result<Self, hdrhistogram::CreationError> {
        Ok(Self {
            // Nanoseconds with a precision of three digits.
            latency: Histogram::new(3)?,
            requests: 0,
            wrong: 0,
            bytes: 0,
        })
    }

    fn record(&mut self, latency: Duration, status: u16, bytes: usize) -> Result<(), hdrhistogram::RecordError> {
        self.requests += 1;
        if self.bytes == 0 {
            self.bytes = bytes;
        }
        if status != 200 || bytes != self.bytes {
            self.wrong += 1;
        }
        self.latency.record(latency.as_nanos() as u64)
    }
}
