//! Checks the certificate of the public URL, and that browsers use TLS only.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::{Timestamp, Unit};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::CryptoProvider,
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use rustls_platform_verifier::Verifier;
use tokio::{net::TcpStream, time::timeout};
use tokio_rustls::{TlsConnector, client::TlsStream};
use url::Url;
use waypost_auth::is_loopback;
use waypost_server::config::PublicAddress;

use crate::{
    Part,
    http::HttpClient,
    report::{Findings, Report},
};

const TIMEOUT: Duration = Duration::from_secs(10);

/// Half a year, the shortest time that browsers' rating tools accept.
const SHORT_HSTS: u64 = 15_552_000;

/// A certificate is renewed when a third of its lifetime is left, so at a sixth the renewal has failed.
const LATE_SHARE: i64 = 6;

pub(crate) async fn check(address: &PublicAddress) -> Report {
    let mut findings = Findings::default();
    let url = &address.url;
    if url.scheme() == "https" {
        certificate(url, &mut findings).await;
        match HttpClient::new() {
            Ok(http) => {
                strict_transport(&http, url, &mut findings).await;
                plain_http(&http, url, &mut findings).await;
            }
            Err(problem) => findings.problem("network", problem, None),
        }
    } else if is_loopback(url) {
        return Report::skipped(Part::Tls, format!("{url} is an http URL of this machine"));
    } else {
        findings.problem(
            "https",
            format!(
                "{url} is an http URL, so the network can read and change everything, and browsers refuse to sign in."
            ),
            Some("Put a reverse proxy with TLS in front, and set WAYPOST_PUBLIC_URL to its https URL.".to_owned()),
        );
    }
    Report::new(Part::Tls, url.as_str(), findings)
}

/// # Errors
/// Fails if there is no TLS connection. An invalid certificate is no error.
pub(crate) async fn negotiates_http2(url: &Url) -> Result<bool, String> {
    let (stream, _) = connect(url).await?;
    Ok(stream.get_ref().1.alpn_protocol() == Some(b"h2"))
}

async fn certificate(url: &Url, findings: &mut Findings) {
    match connect(url).await {
        Ok((_, Some(presented))) => judge(&presented, Timestamp::now(), findings),
        Ok((_, None)) => findings.problem("certificate", "The proxy presented no certificate.", None),
        Err(problem) => findings.problem(
            "certificate",
            format!("{url}: no TLS connection: {problem}."),
            Some("Check DNS, the firewall, and the certificate and key in the configuration of the proxy.".to_owned()),
        ),
    }
}

fn judge(presented: &Presented, now: Timestamp, findings: &mut Findings) {
    if let Some(error) = &presented.problem {
        let (message, fix) = explain(error, presented.certificates);
        findings.problem("certificate", message, Some(fix.to_owned()));
    } else {
        findings.ok("certificate", "The certificate is valid, and its chain is complete.");
    }
    if let (Some(from), Some(until)) = (presented.valid_from, presented.valid_until)
        && let Ok(days) = now.until((Unit::Hour, until)).map(|left| left.get_hours() / 24)
        && until > now
    {
        let day = until.strftime("%Y-%m-%d");
        let lifetime = until.as_second() - from.as_second();
        let message = format!("The certificate expires on {day}, in {days} days.");
        if until.as_second() - now.as_second() < lifetime / LATE_SHARE {
            findings.warning(
                "expiry",
                message,
                Some("Check the log of the automatic renewal, which should have replaced it.".to_owned()),
            );
        } else {
            findings.ok("expiry", message);
        }
    }
}

fn explain(error: &Error, certificates: usize) -> (String, &'static str) {
    let Error::InvalidCertificate(reason) = error else {
        return (
            format!("The certificate could not be verified: {error}."),
            "Check the certificate in the configuration of the proxy.",
        );
    };
    match reason {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => (
            "The certificate has expired.".to_owned(),
            "Renew it, and restart the proxy if it has already been renewed.",
        ),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => (
            "The certificate is not valid yet.".to_owned(),
            "Check the clock of this machine with `waypost doctor clock`.",
        ),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => (
            format!("The certificate is for another name: {reason}."),
            "Request a certificate for the host of WAYPOST_PUBLIC_URL.",
        ),
        CertificateError::UnknownIssuer if certificates < 2 => (
            "The proxy sends its certificate without the intermediate certificate, or its authority is private."
                .to_owned(),
            "Configure the full chain (fullchain.pem), or install the certificate of the private authority on all machines.",
        ),
        CertificateError::UnknownIssuer => (
            "The authority of the certificate is not trusted by this machine.".to_owned(),
            "Install the certificate of a private authority on this machine and on those of all users.",
        ),
        _ => (
            format!("The certificate is invalid: {reason}."),
            "Request a new certificate.",
        ),
    }
}

async fn strict_transport(http: &HttpClient, url: &Url, findings: &mut Findings) {
    // A certificate that is not trusted is reported already.
    let Ok(response) = http.get(url).await else {
        return;
    };
    let value = response.header("strict-transport-security");
    match value.and_then(max_age) {
        Some(seconds) if seconds >= SHORT_HSTS => findings.ok("hsts", "Browsers use TLS only, after the first visit."),
        Some(seconds) => findings.warning(
            "hsts",
            format!("Strict-Transport-Security applies for {seconds} s only."),
            Some("Remove the header from the configuration of the proxy, because Waypost sends it with a year.".to_owned()),
        ),
        None => findings.warning(
            "hsts",
            "The header Strict-Transport-Security does not arrive, so the first request of a visit can be changed by the network.",
            Some("Let the proxy keep the headers of responses. Waypost sends it if WAYPOST_PUBLIC_URL is an https URL.".to_owned()),
        ),
    }
}

fn max_age(value: &str) -> Option<u64> {
    let directives = value.split(';').map(|directive| directive.trim().to_ascii_lowercase());
    directives
        .filter_map(|directive| directive.strip_prefix("max-age=")?.trim_matches('"').parse().ok())
        .next()
}

/// Users who enter the name without a scheme arrive there.
async fn plain_http(http: &HttpClient, url: &Url, findings: &mut Findings) {
    // With another port, no server is expected at port 80.
    if url.port().is_some() {
        return;
    }
    let mut plain = url.clone();
    // http has the same default port rule, so the scheme can be changed.
    if plain.set_scheme("http").is_err() {
        return;
    }
    match http.get(&plain).await {
        Err(_) => findings.note(
            "http",
            format!("{plain} does not respond, so users have to enter https://."),
            None,
        ),
        Ok(response) => match response.location(&plain) {
            Some(target) if target.scheme() == "https" => findings.ok("http", format!("{plain} redirects to https.")),
            _ => findings.problem(
                "http",
                format!("{plain} returned {} instead of a redirect to https.", response.status),
                Some("Let the proxy redirect all requests for port 80 to https.".to_owned()),
            ),
        },
    }
}

/// A certificate that a server presented, and its verification.
#[derive(Debug, Clone)]
struct Presented {
    /// Number of certificates in the chain.
    certificates: usize,
    problem: Option<Error>,
    valid_from: Option<Timestamp>,
    valid_until: Option<Timestamp>,
}

async fn connect(url: &Url) -> Result<(TlsStream<TcpStream>, Option<Presented>), String> {
    let host = url
        .host_str()
        .unwrap_or_default()
        .trim_start_matches('[')
        .trim_end_matches(']');
    let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier = Verifier::new(Arc::clone(&provider)).map_err(|error| error.to_string())?;
    let recorder = Arc::new(Recorder {
        verifier,
        provider: Arc::clone(&provider),
        presented: Mutex::default(),
    });
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::clone(&recorder) as Arc<dyn ServerCertVerifier>)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let port = url.port_or_known_default().unwrap_or(443);
    let stream = async {
        let tcp = TcpStream::connect((host, port)).await?;
        TlsConnector::from(Arc::new(config)).connect(name, tcp).await
    };
    let late = || io::Error::new(io::ErrorKind::TimedOut, "no response within 10 seconds");
    let stream = timeout(TIMEOUT, stream).await.unwrap_or_else(|_elapsed| Err(late()));
    let stream = stream.map_err(|error| error.to_string())?;
    let presented = recorder.presented.lock().ok().and_then(|presented| presented.clone());
    Ok((stream, presented))
}

/// Accepts every certificate and records the result of its verification, so that one connection shows all facts. No
/// secret is sent over the connection.
#[derive(Debug)]
struct Recorder {
    verifier: Verifier,
    provider: Arc<CryptoProvider>,
    presented: Mutex<Option<Presented>>,
}

impl ServerCertVerifier for Recorder {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let at = |time| {
            self.verifier
                .verify_server_cert(certificate, intermediates, name, ocsp, time)
        };
        // The verification at the beginning and end of time fails with the limits of the validity.
        let limit = |time| match at(time) {
            Err(Error::InvalidCertificate(CertificateError::NotValidYetContext { not_before: limit, .. }))
            | Err(Error::InvalidCertificate(CertificateError::ExpiredContext { not_after: limit, .. })) => {
                timestamp(limit)
            }
            _ => None,
        };
        let presented = Presented {
            certificates: 1 + intermediates.len(),
            problem: at(now).err(),
            valid_from: limit(UnixTime::since_unix_epoch(Duration::ZERO)),
            valid_until: limit(UnixTime::since_unix_epoch(Duration::from_secs(
                u64::from(u32::MAX) * 16,
            ))),
        };
        if let Ok(mut slot) = self.presented.lock() {
            *slot = Some(presented);
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

fn timestamp(time: UnixTime) -> Option<Timestamp> {
    Timestamp::from_second(i64::try_from(time.as_secs()).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_second(number * 86_400).expect("a time")
    }

    #[test]
    fn a_certificate_whose_renewal_is_late_is_a_warning() {
        let presented = Presented {
            certificates: 2,
            problem: None,
            valid_from: Some(day(0)),
            valid_until: Some(day(90)),
        };
        for (now, expected) in [
            (60, "ok expiry: The certificate expires on 1970-04-01, in 30 days."),
            (76, "warning expiry: The certificate expires on 1970-04-01, in 14 days."),
        ] {
            let mut findings = Findings::default();
            judge(&presented, day(now), &mut findings);
            let lines = findings.lines();
            assert!(lines[1].starts_with(expected), "{lines:?}");
        }
    }

    #[test]
    fn each_problem_of_a_certificate_has_a_fix() {
        let invalid = Error::InvalidCertificate;
        for (error, certificates, expected) in [
            (invalid(CertificateError::Expired), 2, "has expired"),
            (invalid(CertificateError::NotValidForName), 2, "is for another name"),
            (
                invalid(CertificateError::UnknownIssuer),
                1,
                "without the intermediate certificate",
            ),
            (
                invalid(CertificateError::UnknownIssuer),
                3,
                "is not trusted by this machine",
            ),
            (Error::DecryptError, 1, "could not be verified"),
        ] {
            let (message, _) = explain(&error, certificates);
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn the_age_of_strict_transport_security_is_read() {
        assert_eq!(max_age("max-age=31536000"), Some(31_536_000));
        assert_eq!(max_age("includeSubDomains; Max-Age=\"60\""), Some(60));
        assert_eq!(max_age("preload"), None);
    }
}
