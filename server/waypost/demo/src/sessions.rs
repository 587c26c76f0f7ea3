//! Sessions of browsers with their refresh tokens, and authorization codes. Sessions are stored in a file, so that users
//! stay signed in when the server starts again. Secrets are stored as hashes.

use std::{
    collections::HashMap,
    fs,
    io::{self, Write as _},
    mem,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{accounts::Account, authorization::Request, keys::Keys};

/// The lifetime of a session and its refresh tokens, in seconds.
const SESSION_LIFETIME: u64 = 24 * 3600;

/// The lifetime of an authorization code, in seconds.
const CODE_LIFETIME: u64 = 60;

/// Older sessions end first.
const MAX_SESSIONS: usize = 200;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    /// The claim `sid`.
    pub(crate) id: String,
    cookie_hash: String,
    account: String,
    pub(crate) authenticated_at: u64,
    ends_at: u64,
    grants: Vec<Grant>,
}

/// A permission to renew tokens, from one authorization code.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Grant {
    id: String,
    /// The hash of the newest refresh token.
    token_hash: String,
    scope: String,
}

impl Session {
    /// Returns `None` if this version has no such account.
    pub(crate) fn account(&self) -> Option<&'static Account> {
        Account::find(&self.account)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    issuer: String,
    key: String,
    sessions: Vec<Session>,
}

struct Code {
    session: String,
    request: Request,
    /// The id of the grant that the code starts.
    grant: String,
    ends_at: u64,
    is_used: bool,
}

pub(crate) struct Sessions {
    file: PathBuf,
    stored: Stored,
    /// The codes by their hash.
    codes: HashMap<String, Code>,
}

/// A valid code or refresh token.
pub(crate) struct Granted {
    pub(crate) session: Session,
    pub(crate) scope: String,
    /// The nonce of the authorization request.
    pub(crate) nonce: Option<String>,
    pub(crate) refresh_token: Option<String>,
}

impl Sessions {
    pub(crate) fn open(file: &Path, issuer: &str) -> anyhow::Result<Self> {
        let stored = match fs::read(file) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .with_context(|| format!("{} is damaged, or another version wrote it", file.display()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Stored {
                issuer: issuer.to_owned(),
                key: Keys::generate()?,
                sessions: Vec::new(),
            },
            Err(error) => return Err(error).with_context(|| format!("{} cannot be read", file.display())),
        };
        if stored.issuer != issuer {
            bail!(
                "{} belongs to {}, but the issuer is {issuer}",
                file.display(),
                stored.issuer
            );
        }
        let sessions = Self {
            file: file.to_owned(),
            stored,
            codes: HashMap::new(),
        };
        sessions
            .write()
            .with_context(|| format!("{} cannot be written", file.display()))?;
        Ok(sessions)
    }

    pub(crate) fn key(&self) -> &str {
        &self.stored.key
    }

    /// Returns the session of a browser.
    pub(crate) fn of_cookie(&self, cookie: Option<&str>, now: u64) -> Option<&Session> {
        let hash = hash(cookie?);
        self.current(now).find(|session| session.cookie_hash == hash)
    }

    pub(crate) fn find(&self, id: &str, now: u64) -> Option<&Session> {
        self.current(now).find(|session| session.id == id)
    }

    fn current(&self, now: u64) -> impl Iterator<Item = &Session> {
        self.stored.sessions.iter().filter(move |session| session.ends_at > now)
    }

    /// Starts a session, or continues that of the same account, and returns its id and the new value of the cookie.
    pub(crate) fn sign_in(&mut self, account: &Account, cookie: Option<&str>, now: u64) -> (String, String) {
        let before = self
            .of_cookie(cookie, now)
            .filter(|session| session.account == account.id);
        let (id, grants) = match before {
            Some(session) => (session.id.clone(), session.grants.clone()),
            None => (random(), Vec::new()),
        };
        let cookie = random();
        let sessions = &mut self.stored.sessions;
        sessions.retain(|session| session.id != id && session.ends_at > now);
        sessions.drain(..(sessions.len() + 1).saturating_sub(MAX_SESSIONS));
        sessions.push(Session {
            id: id.clone(),
            cookie_hash: hash(&cookie),
            account: account.id.to_owned(),
            authenticated_at: now,
            ends_at: now + SESSION_LIFETIME,
            grants,
        });
        self.save();
        (id, cookie)
    }

    pub(crate) fn end(&mut self, id: &str) {
        self.stored.sessions.retain(|session| session.id != id);
        self.save();
    }

    pub(crate) fn issue_code(&mut self, session: &str, request: Request, now: u64) -> String {
        self.codes.retain(|_, code| code.ends_at > now);
        let secret = random();
        let code = Code {
            session: session.to_owned(),
            request,
            grant: random(),
            ends_at: now + CODE_LIFETIME,
            is_used: false,
        };
        self.codes.insert(hash(&secret), code);
        secret
    }

    /// Redeems a code once. A second use revokes the refresh token of the first, because one of both users has stolen the
    /// code (RFC 6749, section 4.1.2).
    pub(crate) fn redeem(&mut self, code: &str, redirect_uri: &str, verifier: &str, now: u64) -> Option<Granted> {
        let code = self.codes.get_mut(&hash(code)).filter(|code| code.ends_at > now)?;
        let Code {
            session,
            request,
            grant,
            ..
        } = code;
        if mem::replace(&mut code.is_used, true) {
            let grant = grant.clone();
            self.end_grant(&grant);
            return None;
        }
        if request.redirect_uri != redirect_uri || request.challenge != hash(verifier) {
            return None;
        }
        let sessions = &mut self.stored.sessions;
        let session = sessions
            .iter_mut()
            .find(|each| each.id == *session && each.ends_at > now)?;
        let Request { scope, nonce, .. } = request.clone();
        let refresh_token = scope.split(' ').any(|scope| scope == "offline_access").then(|| {
            let secret = random();
            session.grants.push(Grant {
                id: grant.clone(),
                token_hash: hash(&secret),
                scope: scope.clone(),
            });
            format!("{grant}.{secret}")
        });
        let session = session.clone();
        self.save();
        Some(Granted {
            session,
            scope,
            nonce,
            refresh_token,
        })
    }

    /// Replaces a refresh token. A second use of a replaced one ends the grant (RFC 9700, section 4.14.2).
    pub(crate) fn refresh(&mut self, token: &str, now: u64) -> Option<Granted> {
        let (id, secret) = token.split_once('.')?;
        let session = self
            .stored
            .sessions
            .iter_mut()
            .find(|session| session.ends_at > now && session.grants.iter().any(|grant| grant.id == id))?;
        let grant = session.grants.iter_mut().find(|grant| grant.id == id)?;
        if grant.token_hash != hash(secret) {
            self.end_grant(id);
            return None;
        }
        let replacement = random();
        grant.token_hash = hash(&replacement);
        let granted = Granted {
            scope: grant.scope.clone(),
            session: session.clone(),
            nonce: None,
            refresh_token: Some(format!("{id}.{replacement}")),
        };
        self.save();
        Some(granted)
    }

    /// Ends the grant of a refresh token, also if the token was replaced.
    pub(crate) fn revoke(&mut self, token: &str) {
        if let Some((grant, _)) = token.split_once('.') {
            self.end_grant(grant);
        }
    }

    fn end_grant(&mut self, id: &str) {
        for session in &mut self.stored.sessions {
            session.grants.retain(|grant| grant.id != id);
        }
        self.save();
    }

    /// A session that cannot be stored works until the server stops.
    fn save(&self) {
        if let Err(error) = self.write() {
            tracing::warn!(file = %self.file.display(), %error, "the sessions of the demo cannot be stored");
        }
    }

    /// Writes another file first, so that a full disk or a crash keeps the stored one.
    fn write(&self) -> io::Result<()> {
        let partial = self.file.with_extension("partial");
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&partial)?.write_all(&serde_json::to_vec(&self.stored)?)?;
        fs::rename(&partial, &self.file)
    }
}

/// Returns 256 random bits in base64url.
pub(crate) fn random() -> String {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes).expect("the operating system provides random numbers");
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the SHA-256 of a secret; of a verifier, it is the challenge (RFC 7636, section 4.2).
fn hash(secret: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(secret))
}
