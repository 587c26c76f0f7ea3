use std::{collections::HashMap, future, net::IpAddr, panic::AssertUnwindSafe, sync::Arc};

use axum::{extract::ws::Message, http::Method};
use futures_util::{
    FutureExt, Sink, SinkExt, Stream, StreamExt,
    future::BoxFuture,
    stream::{self, AbortHandle, BoxStream, SelectAll, abortable},
};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout};

use super::{
    super::{
        Endpoint,
        access_log::AccessLogEntry,
        auth::{self, Proof},
        execute::{execute, panicked, subscribe},
        id::RequestId,
        problem::Problem,
        request,
        streams::SocketPlace,
        trusted,
    },
    message::{self, Close, Incoming},
};
use traitql::{Ctx, CtxParts, Document, OperationKind, Variables, engine};

pub(super) struct SocketSession {
    endpoint: Arc<Endpoint>,
    cx: CtxParts,
    /// True if `connection_init` was acknowledged.
    ready: bool,
    place: SocketPlace,
    ended: BoxFuture<'static, auth::End>,
    operations: SelectAll<BoxStream<'static, Event>>,
    running: HashMap<String, Running>,
    started: u64,
}

struct Running {
    /// A late event must not be attributed to a newer operation with the id.
    number: u64,
    abort: AbortHandle,
}

type AcceptedOperation = (Arc<Document>, Variables);

struct Event {
    id: String,
    number: u64,
    output: Output,
}

enum Output {
    Next(String),
    /// The operation was not started because of these errors.
    Error(String),
    Complete,
}

enum End {
    Close(Close),
    Closed,
    /// Nothing can be sent.
    Gone,
}

impl SocketSession {
    /// Returns `None` if the caller, or the address of a caller that has not signed in yet, has too many streams.
    ///
    /// Boxed, because the task of the socket reserves space for it twice.
    pub(super) fn new(endpoint: Arc<Endpoint>, cx: CtxParts) -> Option<Box<Self>> {
        let ended = auth::ended(&endpoint, cx.principal.as_ref());
        let permit = endpoint.streams.acquire(&context(&cx, String::new()))?;
        Some(Box::new(Self {
            endpoint,
            cx,
            ready: false,
            place: SocketPlace::new(permit),
            ended,
            operations: SelectAll::new(),
            running: HashMap::new(),
            started: 0,
        }))
    }

    /// Runs until the socket closes. `has_protocol` is true if the client offered our subprotocol.
    pub(super) async fn run<S, E>(mut self: Box<Self>, socket: &mut S, has_protocol: bool)
    where
        S: Stream<Item = Result<Message, E>> + Sink<Message> + Unpin,
    {
        let _guard = self.endpoint.shutdown.guard();
        let end = if has_protocol {
            self.serve(socket).await
        } else {
            End::Close(Close::NO_PROTOCOL)
        };
        let limits = &self.endpoint.socket;
        match end {
            End::Gone => return,
            End::Closed => {}
            End::Close(close) => {
                let _ = timeout(limits.send, socket.send(close.into_message())).await;
            }
        }
        // Closing handshake (RFC 6455, section 7.1.2).
        let closed = async { while let Some(Ok(_)) = socket.next().await {} };
        let _ = timeout(limits.init, closed).await;
    }

    async fn serve<S, E>(&mut self, socket: &mut S) -> End
    where
        S: Stream<Item = Result<Message, E>> + Sink<Message> + Unpin,
    {
        let endpoint = Arc::clone(&self.endpoint);
        let limits = &endpoint.socket;
        let mut shutdown = Box::pin(endpoint.shutdown.triggered());
        let mut init = Box::pin(sleep(limits.init));
        let mut ping = interval_at(Instant::now() + limits.ping, limits.ping);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut active = true;
        loop {
            let reply = tokio::select! {
                biased;
                () = &mut shutdown => return Box::pin(self.stop(socket)).await,
                end = &mut self.ended => return End::Close(end.into()),
                () = &mut init, if !self.ready => return End::Close(Close::INIT_TIMEOUT),
                message = socket.next() => {
                    active = true;
                    let Some(Ok(message)) = message else { return End::Gone };
                    match self.handle_message(message).await {
                        Ok(reply) => reply,
                        Err(end) => return end,
                    }
                }
                Some(event) = self.operations.next(), if !self.operations.is_empty() => self.event_message(event),
                _ = ping.tick() => {
                    if !std::mem::take(&mut active) {
                        return End::Gone;
                    }
                    Some(Message::Ping(bytes::Bytes::new()))
                }
            };
            if let Some(reply) = reply
                && !matches!(timeout(limits.send, socket.send(reply)).await, Ok(Ok(())))
            {
                return End::Gone;
            }
        }
    }

    async fn handle_message(&mut self, message: Message) -> Result<Option<Message>, End> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return Err(End::Close(Close::invalid("it must be text"))),
            Message::Close(_) => return Err(End::Closed),
            Message::Ping(_) | Message::Pong(_) => return Ok(None),
        };
        match message::parse(&text).map_err(End::Close)? {
            Incoming::Init { .. } if self.ready => Err(End::Close(Close::TOO_MANY_INITS)),
            Incoming::Init { authorization, proof } => {
                // Boxed, so that a socket that sends nothing does not reserve space for it.
                Box::pin(self.sign_in(authorization, proof)).await.map_err(End::Close)?;
                self.ready = true;
                Ok(Some(message::ack()))
            }
            Incoming::Ping { payload } => Ok(Some(message::pong(payload.as_deref()))),
            Incoming::Pong => Ok(None),
            Incoming::Subscribe { .. } if !self.ready => Err(End::Close(Close::UNAUTHORIZED)),
            Incoming::Subscribe { id, .. } if self.running.contains_key(&id) => Err(End::Close(Close::duplicate(&id))),
            Incoming::Subscribe { id, payload } => self.start(id, &payload).map_err(End::Close),
            Incoming::Complete { id } => {
                if let Some(running) = self.running.remove(&id) {
                    running.abort.abort();
                }
                Ok(None)
            }
        }
    }

    async fn sign_in(&mut self, authorization: Option<String>, proof: Option<String>) -> Result<(), Close> {
        if let Some(credentials) = authorization {
            let proof = proof.as_deref().map(|jwt| Proof { jwt, method: "GET" });
            let principal = auth::by_credentials(&self.endpoint, &credentials, proof).await;
            let principal = principal.map_err(|problem| {
                log_rejection(&self.endpoint, &problem, self.cx.address);
                match auth::required_nonce(&problem) {
                    Some(nonce) => Close::nonce_required(nonce),
                    None if problem.code() == "UNAVAILABLE" => Close::TRY_AGAIN_LATER,
                    None => Close::FORBIDDEN,
                }
            })?;
            self.ended = auth::ended(&self.endpoint, Some(&principal));
            self.cx.principal = Some(principal);
            // Replaces the place of the handshake, which counts for the address.
            let permit = self.endpoint.streams.acquire(&context(&self.cx, String::new()));
            self.place = SocketPlace::new(permit.ok_or(Close::TRY_AGAIN_LATER)?);
        }
        Ok(())
    }

    fn start(&mut self, id: String, payload: &str) -> Result<Option<Message>, Close> {
        let request = request::from_json(payload.as_bytes()).map_err(|problem| {
            let text = problem
                .errors
                .first()
                .and_then(|error| error.slots.get("problem")?.as_str().map(str::to_owned));
            Close::invalid(&text.unwrap_or_default())
        })?;
        let request_id = RequestId::new();
        if self.running.len() >= self.endpoint.socket.operations {
            let errors = Problem::rate_limited(5).to_errors(&request_id).to_string();
            return Ok(Some(message::with_payload("error", &id, &errors)));
        }
        let place = self.place.clone();
        let cx = context(&self.cx, request_id.to_string());
        self.started += 1;
        let number = self.started;
        let accepted = trusted::find(&self.endpoint, &request).map(|document| (document, request.variables));
        let outputs = operation(Arc::clone(&self.endpoint), place, cx, request_id, accepted);
        let event_id = id.clone();
        let events = outputs.map(move |output| Event {
            id: event_id.clone(),
            number,
            output,
        });
        let (events, abort) = abortable(events);
        self.operations.push(events.boxed());
        self.running.insert(id, Running { number, abort });
        Ok(None)
    }

    /// Returns `None` if the client has completed the operation in the meantime.
    fn event_message(&mut self, Event { id, number, output }: Event) -> Option<Message> {
        self.running.get(&id).filter(|running| running.number == number)?;
        Some(match output {
            Output::Next(payload) => message::with_payload("next", &id, &payload),
            Output::Error(errors) => {
                self.running.remove(&id);
                message::with_payload("error", &id, &errors)
            }
            Output::Complete => {
                self.running.remove(&id);
                message::complete(&id)
            }
        })
    }

    async fn stop<S, E>(&mut self, socket: &mut S) -> End
    where
        S: Stream<Item = Result<Message, E>> + Sink<Message> + Unpin,
    {
        self.operations.clear();
        for id in std::mem::take(&mut self.running).into_keys() {
            if !matches!(
                timeout(self.endpoint.socket.send, socket.send(message::complete(&id))).await,
                Ok(Ok(()))
            ) {
                return End::Gone;
            }
        }
        End::Close(Close::GOING_AWAY)
    }
}

/// Returns the messages up to `Complete` or `Error`.
fn operation(
    endpoint: Arc<Endpoint>,
    place: SocketPlace,
    cx: Ctx,
    request_id: RequestId,
    accepted: Result<AcceptedOperation, Problem>,
) -> impl Stream<Item = Output> + Send + 'static {
    async move {
        let mut log_entry = AccessLogEntry::new(request_id, "ws", Method::GET, &endpoint.path, cx.address());
        log_entry.principal(cx.principal());
        match begin(&endpoint, &place, cx.clone(), accepted, &mut log_entry).await {
            Ok(outputs) => outputs
                .map(move |output| {
                    log_output(&mut log_entry, &output);
                    output
                })
                .boxed(),
            Err(problem) => {
                log_entry.outcome(problem.status.as_u16(), problem.code());
                let errors = problem.to_errors(cx.request_id()).to_string();
                stream::once(future::ready(Output::Error(errors))).boxed()
            }
        }
    }
    .flatten_stream()
}

fn context(cx: &CtxParts, request_id: String) -> Ctx {
    let CtxParts {
        principal,
        origin,
        address,
        ..
    } = cx;
    let (principal, origin, address) = (principal.clone(), origin.clone(), *address);
    CtxParts {
        request_id,
        principal,
        origin,
        address,
    }
    .into()
}

fn log_rejection(endpoint: &Endpoint, problem: &Problem, address: Option<IpAddr>) {
    let mut log_entry = AccessLogEntry::new(RequestId::new(), "ws", Method::GET, &endpoint.path, address);
    log_entry.reason(problem.reason());
    log_entry.outcome(problem.status.as_u16(), problem.code());
}

fn log_output(log_entry: &mut AccessLogEntry, output: &Output) {
    match output {
        Output::Next(payload) => log_entry.sent(payload.len()),
        Output::Error(errors) => {
            log_entry.outcome(400, "ERROR");
            log_entry.sent(errors.len());
        }
        Output::Complete => log_entry.outcome(200, "OK"),
    }
}

async fn begin(
    endpoint: &Arc<Endpoint>,
    place: &SocketPlace,
    cx: Ctx,
    accepted: Result<AcceptedOperation, Problem>,
    log_entry: &mut AccessLogEntry,
) -> Result<BoxStream<'static, Output>, Problem> {
    let (document, variables) = accepted?;
    log_entry.document(&document);
    if document.kind != OperationKind::Subscription {
        let response = execute(endpoint, &cx, &document, variables).await?;
        return Ok(stream::iter(single(&response)).boxed());
    }
    let permit = place.acquire(&endpoint.streams, &cx);
    let permit = permit.ok_or_else(|| Problem::rate_limited(5))?;
    let request_id = cx.request_id().to_owned();
    match subscribe(endpoint, cx, &document, variables).await? {
        Err(response) => Ok(stream::iter(single(&response)).boxed()),
        Ok(events) => {
            let events = AssertUnwindSafe(events).catch_unwind().map(move |event| {
                // Held as long as the stream.
                let _permit = &permit;
                match event {
                    Ok(event) => Output::Next(text(&event)),
                    Err(_) => Output::Error(panicked(&request_id).to_errors(&request_id).to_string()),
                }
            });
            Ok(events.chain(stream::once(future::ready(Output::Complete))).boxed())
        }
    }
}

/// A response without `data` means that the operation was not started.
fn single(response: &engine::Response) -> Vec<Output> {
    #[derive(Deserialize)]
    struct Parts<'a> {
        #[serde(borrow, default)]
        data: Option<&'a RawValue>,
        #[serde(borrow, default)]
        errors: Option<&'a RawValue>,
    }
    match serde_json::from_slice(&response.body) {
        Ok(Parts {
            data: None,
            errors: Some(errors),
        }) => vec![Output::Error(errors.get().to_owned())],
        _ => vec![Output::Next(text(response)), Output::Complete],
    }
}

fn text(response: &engine::Response) -> String {
    String::from_utf8_lossy(&response.body).into_owned()
}
