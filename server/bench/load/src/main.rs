//! `bench-load`: asks one server the same question on many connections that stay open, each as soon as its last answer is
//! there, and prints as one line of JSON what that took.
//!
//! One thread and one `epoll` do all of it, so that the generator, on a core of its own, is faster than what it measures. It
//! says how busy it was: close to 1, it was the limit and not the server. On a core of its own it does not sleep either: waking
//! it is the work of the server's core, and one that the faster of two servers would be spared.
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

/// A server that takes longer has stopped to answer.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Parser)]
#[command(about = "Asks one server the same question on many connections")]
struct Cli {
    /// Where the server listens: `127.0.0.1:4000`.
    address: SocketAddr,
    /// Path of the request.
    #[arg(long, default_value = "/graphql")]
    path: String,
    /// File with the body of the request.
    #[arg(long)]
    body: PathBuf,
    /// Further header fields, as `name: value`.
    #[arg(long)]
    header: Vec<String>,
    /// Connections that ask at the same time.
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Seconds that are measured.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Seconds before that, which are not.
    #[arg(long, default_value_t = 0.3)]
    warm: f64,
    /// Never sleeps: for a generator that has a core of its own.
    #[arg(long)]
    spin: bool,
    /// The process that answers: its time of the processor and its memory are read from /proc.
    #[arg(long)]
    pid: Option<u32>,
}

#[derive(Serialize)]
struct Report {
    requests: u64,
    seconds: f64,
    /// Answers of another length than the first one, or with another status than 200.
    wrong: u64,
    /// Of the body of an answer.
    bytes: usize,
    p50_us: f64,
    p99_us: f64,
    max_us: f64,
    /// Microseconds of the processor that the server took for one request.
    cpu_us: Option<f64>,
    /// Resident bytes of the server before the first connection, and at the end, with all of them open.
    memory_before: Option<u64>,
    memory: Option<u64>,
    /// Part of the time in which the generator had something to do.
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
    let begun = Instant::now();
    let warm = begun + Duration::from_secs_f64(cli.warm);
    let end = warm + Duration::from_secs_f64(cli.seconds);
    let mut window: Option<(Instant, Option<u64>)> = None;
    let mut events = Events::with_capacity(connections.len());
    let mut last = begun;
    let mut worked = Duration::ZERO;
    let patience = if cli.spin { Duration::ZERO } else { Duration::from_millis(100) };
    for connection in &mut connections {
        connection.ask(&request, Instant::now())?;
    }
    loop {
        let polled = Instant::now();
        poll.poll(&mut events, Some(patience))?;
        let mut now = Instant::now();
        // To ask is work too, unless it was to sleep.
        let woken = if cli.spin { polled } else { now };
        for event in &events {
            let connection = &mut connections[event.token().0];
            match connection.proceed(&request)? {
                Progress::Waits => {}
                Progress::Answered { status, bytes } => {
                    now = Instant::now();
                    last = now;
                    if window.is_some() {
                        measured.answer(now.duration_since(connection.asked()), status, bytes)?;
                    } else {
                        measured.bytes = bytes;
                    }
                    connection.ask(&request, now)?;
                }
            }
        }
        if window.is_some() && !events.is_empty() {
            worked += woken.elapsed();
        }
        if now.duration_since(last) > PATIENCE {
            return Err("the server does not answer any more".into());
        }
        if window.is_none() && now >= warm {
            window = Some((now, cli.pid.and_then(process::time)));
        }
        // On a busy machine the time may be over before the first answer.
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

/// What the time that counts has brought so far.
struct Measured {
    latency: Histogram<u64>,
    requests: u64,
    wrong: u64,
    bytes: usize,
}

impl Measured {
    fn new() -> Result<Self, hdrhistogram::CreationError> {
        Ok(Self {
            // Nanoseconds, to three digits.
            latency: Histogram::new(3)?,
            requests: 0,
            wrong: 0,
            bytes: 0,
        })
    }

    fn answer(&mut self, latency: Duration, status: u16, bytes: usize) -> Result<(), hdrhistogram::RecordError> {
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
