//! GraphQL over a WebSocket: the subprotocol graphql-transport-ws
//! (<https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>).
//!
//! One task owns the socket and drives every operation on it, so nothing is shared and a socket that closes takes all its
//! operations with it. The same documents, tokens and limits hold as over HTTP.
//!
//! Authentication: the `Authorization` header of the handshake, or `{"authorization": "Bearer …"}` as the payload of
//! `connection_init`, since browsers cannot set headers here. The latter wins. When the token ends the socket is closed with
//! 4403; the client connects again with a fresh one.

mod message;
mod session;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{FromRequestParts, WebSocketUpgrade},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};

use self::session::Session;
use super::{Endpoint, auth, origin::Source, problem::Problem};
use crate::ctx::CtxParts;

/// The only subprotocol that is spoken here.
pub(super) const PROTOCOL: &str = "graphql-transport-ws";

/// Bounds of one socket.
#[derive(Debug, Clone)]
pub(super) struct SocketLimits {
    /// Operations that may run at once.
    pub(super) operations: usize,
    /// How long a client may take to send `connection_init`.
    pub(super) init: Duration,
    /// How often a quiet client is asked whether it is still there.
    pub(super) ping: Duration,
    /// How long sending may take.
    pub(super) send: Duration,
}

impl Default for SocketLimits {
    fn default() -> Self {
        Self {
            operations: 20,
            init: Duration::from_secs(3),
            ping: Duration::from_secs(15),
            send: Duration::from_secs(30),
        }
    }
}

/// Whether a request wants to become a WebSocket (RFC 6455, section 4.2.1).
pub(super) fn is_upgrade(headers: &HeaderMap) -> bool {
    let upgrade = headers.get(header::UPGRADE).and_then(|value| value.to_str().ok());
    upgrade.is_some_and(|upgrade| upgrade.eq_ignore_ascii_case("websocket"))
}

/// Answers the handshake. A token in its head is checked before.
pub(super) async fn upgrade(
    endpoint: &Arc<Endpoint>,
    source: &Source,
    mut cx: CtxParts,
    parts: &mut Parts,
) -> Result<Response, Problem> {
    if *source != Source::Own {
        let problem = "it comes from a page of another site, which may not open a socket";
        return Err(Problem::malformed(problem).status(StatusCode::FORBIDDEN));
    }
    cx.principal = auth::principal(endpoint, &parts.headers).await?;
    let upgrade = match WebSocketUpgrade::from_request_parts(parts, &()).await {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            let status = rejection.into_response().status();
            return Err(Problem::malformed("it is no valid WebSocket handshake").status(status));
        }
    };
    let upgrade = upgrade
        .max_message_size(endpoint.body_limit)
        .max_frame_size(endpoint.body_limit)
        .protocols([PROTOCOL]);
    let speaks = upgrade.selected_protocol().is_some();
    let session = Session::new(Arc::clone(endpoint), cx);
    Ok(upgrade.on_upgrade(move |socket| session.run(socket, speaks)))
}

/// For tests: the payload of a message that asks for an operation, nothing for another, or what the socket is closed with.
#[cfg(test)]
pub(super) fn tried(text: &str) -> Result<Option<String>, (u16, String)> {
    match message::parse(text) {
        Ok(message::Incoming::Subscribe { payload, .. }) => Ok(Some(payload)),
        Ok(_) => Ok(None),
        Err(close) => Err((close.code, close.reason.into_owned())),
    }
}
