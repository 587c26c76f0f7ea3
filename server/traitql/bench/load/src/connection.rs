//! One request at a time. Responses are counted and not stored.

use std::{
    io::{self, Read, Write},
    net::{self, SocketAddr},
    time::Instant,
};

use mio::net::TcpStream;

const READ_SIZE: usize = 256 * 1024;
const MAX_HEADER_FIELDS: usize = 64;

pub(crate) struct Connection {
    stream: TcpStream,
    sent_at: Instant,
    sent: usize,
    /// The head, and the body of a chunked response.
    read: Vec<u8>,
    scratch: Vec<u8>,
    response_state: ResponseState,
}

enum ResponseState {
    Head,
    Rest {
        status: u16,
        body: usize,
        left: usize,
    },
    /// RFC 9112, section 7.1, with the offset of the next chunk.
    Chunks {
        status: u16,
        at: usize,
        body: usize,
    },
}

pub(crate) enum Progress {
    Pending,
    Complete { status: u16, bytes: usize },
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            sent_at: Instant::now(),
            sent: 0,
            read: Vec::new(),
            scratch: vec![0; READ_SIZE],
            response_state: ResponseState::Head,
        })
    }

    pub(crate) fn stream(&mut self) -> &mut TcpStream {
        &mut self.stream
    }

    pub(crate) fn sent_at(&self) -> Instant {
        self.sent_at
    }

    /// Sends the request. [`Self::proceed`] sends the part that does not fit into the socket's buffer.
    pub(crate) fn request(&mut self, request: &[u8], now: Instant) -> io::Result<()> {
        self.sent_at = now;
        self.sent = 0;
        self.read.clear();
        self.response_state = ResponseState::Head;
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

    /// Skips the final `read` after a complete response.
    pub(crate) fn proceed(&mut self, request: &[u8]) -> io::Result<Progress> {
        self.send(request)?;
        loop {
            let read = match self.stream.read(&mut self.scratch) {
                Ok(0) => return Err(io::Error::other("the server closed a connection")),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Progress::Pending),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if let Some((status, bytes)) = self.take(read)? {
                return Ok(Progress::Complete { status, bytes });
            }
        }
    }

    /// Processes the data in the scratch buffer. At the end of a response, returns its status and the length of its
    /// body.
    fn take(&mut self, read: usize) -> io::Result<Option<(u16, usize)>> {
        if let ResponseState::Rest { status, body, left } = &mut self.response_state {
            *left = left
                .checked_sub(read)
                .ok_or_else(|| malformed("is longer than declared"))?;
            return Ok((*left == 0).then_some((*status, *body)));
        }
        self.read.extend_from_slice(&self.scratch[..read]);
        if matches!(self.response_state, ResponseState::Head) {
            let Some(response_state) = head(&self.read)? else {
                return Ok(None);
            };
            self.response_state = response_state;
        }
        match &mut self.response_state {
            ResponseState::Head => Ok(None),
            ResponseState::Rest { status, body, left } => Ok((*left == 0).then_some((*status, *body))),
            ResponseState::Chunks { status, at, body } => {
                let ended = chunks(&self.read, at, body)?;
                Ok(ended.then_some((*status, *body)))
            }
        }
    }
}

fn head(read: &[u8]) -> io::Result<Option<ResponseState>> {
    let mut fields = [httparse::EMPTY_HEADER; MAX_HEADER_FIELDS];
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
        let body: usize = length
            .trim()
            .parse()
            .map_err(|_| malformed("has an invalid `content-length`"))?;
        let left = (at + body)
            .checked_sub(read.len())
            .ok_or_else(|| malformed("is longer than declared"))?;
        return Ok(Some(ResponseState::Rest { status, body, left }));
    }
    match field("transfer-encoding") {
        Some("chunked") => Ok(Some(ResponseState::Chunks { status, at, body: 0 })),
        _ => Err(malformed("has neither `content-length` nor chunked encoding")),
    }
}

/// Advances past all complete chunks. Returns true after the last one.
fn chunks(read: &[u8], at: &mut usize, body: &mut usize) -> io::Result<bool> {
    loop {
        let Ok(httparse::Status::Complete((line, size))) = httparse::parse_chunk_size(&read[*at..]) else {
            return Ok(false);
        };
        let size = usize::try_from(size).map_err(|_| malformed("has a chunk that is too large"))?;
        // Data or empty trailer, and the line end.
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
    io::Error::other(format!("a response {problem}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_head_determines_the_remaining_length() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc";
        assert!(head(&whole[..20]).unwrap().is_none());
        let Some(ResponseState::Rest { status, body, left }) = head(whole).unwrap() else {
            panic!("the length must be known")
        };
        assert_eq!((status, body, left), (200, 5, 2));
        assert!(head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }

    #[test]
    fn partial_chunks_are_counted() {
        let whole = b"3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
        for cut in 0..whole.len() {
            let (mut at, mut body) = (0, 0);
            assert!(!chunks(&whole[..cut], &mut at, &mut body).unwrap(), "{cut}");
            assert!(chunks(whole, &mut at, &mut body).unwrap());
            assert_eq!(body, 13);
        }
    }
}
