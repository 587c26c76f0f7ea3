use std::borrow::Cow;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes};
use serde::Deserialize;
use serde_json::{json, value::RawValue};

use crate::auth::End;

#[derive(Debug)]
pub(super) enum Incoming {
    Init {
        authorization: Option<String>,
        proof: Option<String>,
    },
    Ping {
        payload: Option<String>,
    },
    Pong,
    Subscribe {
        id: String,
        payload: String,
    },
    Complete {
        id: String,
    },
}

/// A code of the protocol and a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Close {
    pub(super) code: u16,
    pub(super) reason: Cow<'static, str>,
}

impl From<End> for Close {
    fn from(end: End) -> Self {
        match end {
            End::TokenExpired => Self::EXPIRED,
            End::SessionEnded => Self::SESSION_ENDED,
        }
    }
}

impl Close {
    const fn new(code: u16, reason: &'static str) -> Self {
        Self {
            code,
            reason: Cow::Borrowed(reason),
        }
    }

    pub(super) const GOING_AWAY: Self = Self::new(1001, "Going away");
    pub(super) const TRY_AGAIN_LATER: Self = Self::new(1013, "Try again later");
    pub(super) const UNAUTHORIZED: Self = Self::new(4401, "Unauthorized");
    pub(super) const FORBIDDEN: Self = Self::new(4403, "Forbidden");
    pub(super) const EXPIRED: Self = Self::new(4403, "Token expired");
    pub(super) const SESSION_ENDED: Self = Self::new(4403, "Session ended");
    pub(super) const NO_PROTOCOL: Self = Self::new(4406, "Subprotocol not acceptable");
    pub(super) const INIT_TIMEOUT: Self = Self::new(4408, "Connection initialisation timeout");
    pub(super) const TOO_MANY_INITS: Self = Self::new(4429, "Too many initialisation requests");

    pub(super) fn invalid(problem: &str) -> Self {
        Self {
            code: 4400,
            reason: short(format!("Invalid message: {problem}")),
        }
    }

    /// The client reconnects with this nonce in a proof.
    pub(super) fn nonce_required(nonce: &str) -> Self {
        Self {
            code: 4403,
            reason: short(format!("use_dpop_nonce {nonce}")),
        }
    }

    pub(super) fn duplicate(id: &str) -> Self {
        Self {
            code: 4409,
            reason: short(format!("Subscriber for {id} already exists")),
        }
    }

    pub(super) fn into_message(self) -> Message {
        Message::Close(Some(CloseFrame {
            code: self.code,
            reason: Utf8Bytes::from(self.reason.into_owned()),
        }))
    }
}

/// A control frame has 125 bytes, two for the code (RFC 6455, section 5.5).
fn short(mut text: String) -> Cow<'static, str> {
    let end = text.floor_char_boundary(123);
    text.truncate(end);
    text.into()
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(rename = "type")]
    kind: Cow<'a, str>,
    id: Option<String>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct InitPayload {
    #[serde(alias = "Authorization")]
    authorization: Option<String>,
    #[serde(alias = "DPoP")]
    dpop: Option<String>,
}

pub(super) fn parse(text: &str) -> Result<Incoming, Close> {
    let Envelope { kind, id, payload } =
        serde_json::from_str(text).map_err(|error| Close::invalid(&error.to_string()))?;
    let payload = payload.map(RawValue::get).filter(|payload| *payload != "null");
    let id = || match id {
        Some(id) if !id.is_empty() => Ok(id),
        _ => Err(Close::invalid("`id` must be a non-empty string")),
    };
    let is_object = payload.is_none_or(|payload| payload.starts_with('{'));
    if !is_object {
        return Err(Close::invalid("`payload` must be an object"));
    }
    match &*kind {
        "connection_init" => {
            let payload: Option<InitPayload> = payload.map(serde_json::from_str).transpose().map_err(|error| {
                let error: serde_json::Error = error;
                Close::invalid(&error.to_string())
            })?;
            let (authorization, proof) = payload.map_or((None, None), |payload| (payload.authorization, payload.dpop));
            Ok(Incoming::Init { authorization, proof })
        }
        "ping" => Ok(Incoming::Ping {
            payload: payload.map(str::to_owned),
        }),
        "pong" => Ok(Incoming::Pong),
        "subscribe" => match payload {
            Some(payload) => Ok(Incoming::Subscribe {
                id: id()?,
                payload: payload.to_owned(),
            }),
            None => Err(Close::invalid("`payload` is missing")),
        },
        "complete" => Ok(Incoming::Complete { id: id()? }),
        other => Err(Close::invalid(&format!("unknown message type `{other}`"))),
    }
}

pub(super) fn ack() -> Message {
    Message::Text(Utf8Bytes::from_static(r#"{"type":"connection_ack"}"#))
}

pub(super) fn pong(payload: Option<&str>) -> Message {
    match payload {
        Some(payload) => Message::text(format!(r#"{{"type":"pong","payload":{payload}}}"#)),
        None => Message::Text(Utf8Bytes::from_static(r#"{"type":"pong"}"#)),
    }
}

pub(super) fn with_payload(kind: &str, id: &str, payload: &str) -> Message {
    Message::text(format!(r#"{{"id":{},"type":"{kind}","payload":{payload}}}"#, json!(id)))
}

pub(super) fn complete(id: &str) -> Message {
    Message::text(json!({ "id": id, "type": "complete" }).to_string())
}
