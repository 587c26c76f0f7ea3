//! One connection that stays open: HTTP/1.1, one request at a time, and an answer that is counted and not kept.

use std::{
    io::{self, Read, Write},
    net::{self, SocketAddr},
    time::Instant,
};

use mio::net::TcpStream;

/// As much as is read at once.
const READ: usize = 256 * 1024;
/// Header fields of an answer.
const FIELDS: usize = 64;

pub(crate) struct Connection {
    stream: TcpStream,
    asked: Instant,
    /// Bytes of the request that have been sent.
    sent: usize,
    /// What was read and is needed: the head, and the body of an answer in chunks.
    read: Vec<u8>,
    scratch: Vec<u8>,
    answer: Answer,
}

/// How far the answer is.
enum Answer {
    Head,
    /// The rest of a body whose length is known.
    Rest {
        status: u16,
        body: usize,
        left: usize,
    },
    /// A body in chunks (RFC 9112, section 7.1), which begins there in what was read.
    Chunks {
        status: u16,
        at: usize,
        body: usize,
    },
}

pub(crate) enum Progress {
    Waits,
    Answered { status: u16, bytes: usize },
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            asked: Instant::now(),
            sent: 0,
            read: Vec::new(),
            scratch: vec![0; READ],
            answer: Answer::Head,
        })
    }

    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        &mut self.stream
    }

    pub(crate) fn asked(&self) -> Instant {
        self.asked
    }

    /// Sends the request. What does not fit is sent by [`Self::proceed`].
    pub(crate) fn ask(&mut self, request: &[u8], now: Instant) -> io::Result<()> {
        self.asked = now;
        self.sent = 0;
        self.read.clear();
        self.answer = Answer::Head;
        self.send(request)
    }

    fn send(&mut self, request: &[u8]) -> io::Result<()> {
        while self.sent < request.len() {
            match self.stream.write(&request[self.sent..]) {
                Ok(sent) => self.sent += sent,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Sends and reads what can be sent and read. After a whole answer nothing is left to read until the next request, so the
    /// socket need not be asked once more.
    pub(crate) fn proceed(&mut self, request: &[u8]) -> io::Result<Progress> {
        self.send(request)?;
        loop {
            let read = match self.stream.read(&mut self.scratch) {
                Ok(0) => return Err(io::Error::other("the server closed a connection")),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Progress::Waits),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if let Some((status, bytes)) = self.take(read)? {
                return Ok(Progress::Answered { status, bytes });
            }
        }
    }

    /// Takes what was read into the scratch; status and length of the body when it was the end of the answer.
    fn take(&mut self, read: usize) -> io::Result<Option<(u16, usize)>> {
        if let Answer::Rest { status, body, left } = &mut self.answer {
            *left = left
                .checked_sub(read)
                .ok_or_else(|| malformed("is longer than it says"))?;
            return Ok((*left == 0).then_some((*status, *body)));
        }
        self.read.extend_from_slice(&self.scratch[..read]);
        if matches!(self.answer, Answer::Head) {
            let Some(answer) = head(&self.read)? else {
                return Ok(None);
            };
            self.answer = answer;
        }
        match &mut self.answer {
            Answer::Head => Ok(None),
            Answer::Rest { status, body, left } => Ok((*left == 0).then_some((*status, *body))),
            Answer::Chunks { status, at, body } => {
                let ended = chunks(&self.read, at, body)?;
                Ok(ended.then_some((*status, *body)))
            }
        }
    }
}

/// What follows a head; nothing while it is not complete.
fn head(read: &[u8]) -> io::Result<Option<Answer>> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut response = httparse::Response::new(&mut fields);
    let httparse::Status::Complete(at) = response.parse(read).map_err(|error| malformed(&error.to_string()))? else {
        return Ok(None);
    };
    let status = response.code.unwrap_or_default();
    let field = |name: &str| {
        let found = response
            .headers
            .iter()
            .find(|field| field.name.eq_ignore_ascii_case(name))?;
        str::from_utf8(found.value).ok()
    };
    if let Some(length) = field("content-length") {
        let body: usize = length.trim().parse().map_err(|_| malformed("has no good length"))?;
        let left = (at + body)
            .checked_sub(read.len())
            .ok_or_else(|| malformed("is longer than it says"))?;
        return Ok(Some(Answer::Rest { status, body, left }));
    }
    match field("transfer-encoding") {
        Some("chunked") => Ok(Some(Answer::Chunks { status, at, body: 0 })),
        _ => Err(malformed("does not say how long it is")),
    }
}

/// Goes over all chunks that are complete; whether the last one was there.
fn chunks(read: &[u8], at: &mut usize, body: &mut usize) -> io::Result<bool> {
    loop {
        let Ok(httparse::Status::Complete((line, size))) = httparse::parse_chunk_size(&read[*at..]) else {
            return Ok(false);
        };
        let size = usize::try_from(size).map_err(|_| malformed("has a chunk that is too large"))?;
        // The chunk, or no trailer, and the end of the line after it.
        let end = *at + line + size + 2;
        if read.len() < end {
            return Ok(false);
        }
        *at = end;
        *body += size;
        if size == 0 {
            return Ok(true);
        }
    }
}

fn malformed(problem: &str) -> io::Error {
    io::Error::other(format!("an answer {problem}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_head_says_how_much_is_left() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc";
        assert!(head(&whole[..20]).unwrap().is_none());
        let Some(Answer::Rest { status, body, left }) = head(whole).unwrap() else {
            panic!("the length is known")
        };
        assert_eq!((status, body, left), (200, 5, 2));
        assert!(head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }

    #[test]
    fn chunks_are_counted_as_they_come() {
        let whole = b"3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
        for cut in 0..whole.len() {
            let (mut at, mut body) = (0, 0);
            assert!(!chunks(&whole[..cut], &mut at, &mut body).unwrap(), "{cut}");
            assert!(chunks(whole, &mut at, &mut body).unwrap());
            assert_eq!(body, 13);
        }
    }
}
