//! A reverse proxy on loopback with at most one fault, with or without TLS.

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair, date_time_ymd,
};
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

pub struct Gateway {
    listener: TcpListener,
    pub url: String,
    tls: Option<TlsAcceptor>,
}

/// A certificate of a private authority for `localhost`.
pub struct Certificate {
    /// The certificate of the authority, as PEM.
    pub authority: String,
    tls: TlsAcceptor,
}

impl Certificate {
    /// The certificate is valid for 100 days, of which `left` are left.
    pub fn with(name: &str, left: i64, protocols: &[&str]) -> Self {
        const DAY: i64 = 24 * 60 * 60;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs()
            .cast_signed();
        // An hour more, so that a slow test sees the same number of days.
        let until = now + left * DAY + 60 * 60;
        let at = |seconds: i64| date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds.unsigned_abs());
        let mut authority = CertificateParams::new([]).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_after = at(until);
        params.not_before = at(until - 100 * DAY);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &authority).unwrap();
        let chain = vec![certificate.der().clone(), authority.der().clone()];
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        Self {
            authority: authority.pem(),
            tls: TlsAcceptor::from(Arc::new(config)),
        }
    }
}

impl Gateway {
    pub async fn bind(certificate: Option<&Certificate>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let scheme = if certificate.is_some() { "https" } else { "http" };
        Self {
            listener,
            url: format!("{scheme}://localhost:{port}"),
            tls: certificate.map(|certificate| certificate.tls.clone()),
        }
    }

    /// Passes requests on to `upstream`, such as `http://127.0.0.1:4000`.
    pub fn serve(self, upstream: &str, fault: &'static str) {
        let upstream = upstream.trim_start_matches("http://").to_owned();
        tokio::spawn(async move {
            while let Ok((client, _)) = self.listener.accept().await {
                let (tls, upstream) = (self.tls.clone(), upstream.clone());
                tokio::spawn(async move {
                    match tls {
                        None => pass(client, &upstream, fault).await,
                        Some(tls) => pass(tls.accept(client).await.ok()?, &upstream, fault).await,
                    }
                });
            }
        });
    }
}

/// Passes one request on; the response closes the connection unless it is an upgrade.
async fn pass(mut client: impl AsyncRead + AsyncWrite + Unpin, upstream: &str, fault: &str) -> Option<()> {
    let mut received = Vec::new();
    let end = loop {
        if let Some(at) = received.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            break at;
        }
        if client.read_buf(&mut received).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(received[..end].to_vec()).ok()?;
    let rest = &received[end + 4..];
    let length: usize = value(&head, "content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    if fault == "small bodies" && length > 64 * 1024 {
        let refused = b"HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        client.write_all(refused).await.ok()?;
        return client.shutdown().await.ok();
    }
    if fault == "down" {
        let refused = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        client.write_all(refused).await.ok()?;
        return client.shutdown().await.ok();
    }
    let mut server = TcpStream::connect(upstream).await.ok()?;
    server.write_all(edit(&head, fault).as_bytes()).await.ok()?;
    server.write_all(rest).await.ok()?;
    if fault == "buffered" && length == 0 && value(&head, "upgrade").is_none() {
        let mut response = Vec::new();
        server.read_to_end(&mut response).await.ok()?;
        client.write_all(&response).await.ok()?;
        return client.shutdown().await.ok();
    }
    copy_bidirectional(&mut client, &mut server).await.ok()?;
    Some(())
}

fn value<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

fn edit(head: &str, fault: &str) -> String {
    let is_upgrade = value(head, "upgrade").is_some() && fault != "no upgrade";
    let mut forwarded = value(head, "x-forwarded-for").map(str::to_owned);
    if fault != "forged address" {
        let earlier = forwarded.map(|address| format!("{address}, ")).unwrap_or_default();
        forwarded = (fault != "no address").then(|| format!("{earlier}198.51.100.7"));
    }
    let mut edited = String::new();
    for line in head.lines() {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        match (name.as_str(), fault) {
            ("x-forwarded-for", _) | ("origin", "no origin") => {}
            ("host", "other host") => edited += "host: waypost.internal:4000\r\n",
            ("connection", _) if is_upgrade => edited += "connection: upgrade\r\n",
            ("connection" | "upgrade", _) if !is_upgrade => {}
            _ => edited += &format!("{line}\r\n"),
        }
    }
    if let Some(forwarded) = forwarded {
        edited += &format!("x-forwarded-for: {forwarded}\r\n");
    }
    if !is_upgrade {
        edited += "connection: close\r\n";
    }
    edited + "\r\n"
}
