//! GraphQL over a WebSocket: the subprotocol graphql-transport-ws
//! (<https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>).
//!
//! One task owns the socket and its operations. Documents, tokens and limits are those of HTTP.
//!
//! The token is in the handshake's `Authorization` header, or, because browsers cannot set it, in the payload
//! `{"authorization": "Bearer …"}` of `connection_init`, which takes precedence. When the token expires, the socket is
//! closed with 4403, and the client reconnects.
//!
//! A bound token (DPoP) needs a proof for `GET`: `{"authorization": "DPoP …", "dpop": "<proof>"}`. For a nonce, the
//! socket is closed with 4403 and `use_dpop_nonce <nonce>`.

mod message;
mod session;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{FromRequestParts, WebSocketUpgrade},
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Response},
};

use self::session::SocketSession;
use super::{Endpoint, auth, problem::Problem};
use traitql::CtxParts;

pub(super) const PROTOCOL: &str = "graphql-transport-ws";

/// Allocated by every socket. Larger messages are read in parts.
const READ_BUFFER_BYTES: usize = 1024;

#[derive(Debug, Clone)]
pub(super) struct SocketLimits {
    pub(super) operations: usize,
    pub(super) init: Duration,
    pub(super) ping: Duration,
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

pub(super) fn is_upgrade(headers: &HeaderMap) -> bool {
    let upgrade = headers.get(header::UPGRADE).and_then(|value| value.to_str().ok());
    upgrade.is_some_and(|upgrade| upgrade.eq_ignore_ascii_case("websocket"))
}

/// Rejects the handshake if the caller or its address has too many streams.
pub(super) async fn upgrade(
    endpoint: &Arc<Endpoint>,
    mut cx: CtxParts,
    parts: &mut Parts,
) -> Result<Response, Problem> {
    cx.principal = auth::principal(endpoint, &parts.method, &parts.headers).await?;
    let upgrade = match WebSocketUpgrade::from_request_parts(parts, &()).await {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            let status = rejection.into_response().status();
            return Err(Problem::malformed("the WebSocket handshake is invalid").status(status));
        }
    };
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .max_message_size(endpoint.body.bytes)
        .max_frame_size(endpoint.body.bytes)
        .protocols([PROTOCOL]);
    let has_protocol = upgrade.selected_protocol().is_some();
    let session = SocketSession::new(Arc::clone(endpoint), cx).ok_or_else(|| Problem::rate_limited(5))?;
    // The block owns the socket, because a function would reserve space for it twice.
    Ok(upgrade.on_upgrade(move |mut socket| async move { session.run(&mut socket, has_protocol).await }))
}

#[cfg(test)]
pub(super) fn parse_for_test(text: &str) -> Result<Option<String>, (u16, String)> {
    match message::parse(text) {
        Ok(message::Incoming::Subscribe { payload, .. }) => Ok(Some(payload)),
        Ok(_) => Ok(None),
        Err(close) => Err((close.code, close.reason.into_owned())),
    }
}
