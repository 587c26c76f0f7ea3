//! Sends requests to the public URL and checks how they arrive at Waypost: the caller's address, host and origin,
//! WebSockets, streams, large bodies and HTTP/2.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode, header};
use tokio::time::timeout;
use url::Url;
use waypost_server::{ARRIVAL_PATH, ARRIVAL_STREAM_PATH, config::PublicAddress};

use crate::{
    Part,
    http::{HttpClient, Response},
    report::{Findings, Report},
    tls,
};

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// An address for documentation (RFC 5737), which no caller has.
const FORGED: &str = "192.0.2.123";

/// The limit of GraphQL requests.
const LARGEST_BODY: usize = 256 * 1024;

/// The second part of an unbuffered stream arrives three seconds after the first one.
const TOGETHER: Duration = Duration::from_millis(500);

pub(crate) async fn check(address: &PublicAddress) -> Report {
    let mut findings = Findings::default();
    match HttpClient::new() {
        Ok(http) => Checks { address, http }.run(&mut findings).await,
        Err(problem) => findings.problem("network", problem, None),
    }
    Report::new(Part::Proxy, address.url.as_str(), findings)
}

struct Checks<'c> {
    address: &'c PublicAddress,
    http: HttpClient,
}

/// The report of `/requestz`.
struct Arrival {
    address: String,
    trusts_proxy: bool,
    forwarded_for: u64,
    host: String,
}

impl Arrival {
    fn of(response: &Response) -> Option<Self> {
        let report = response.json();
        Some(Self {
            address: report["address"].as_str()?.to_owned(),
            trusts_proxy: report["trustsProxy"].as_bool()?,
            forwarded_for: report["forwardedFor"].as_u64()?,
            host: report["host"].as_str().unwrap_or_default().to_owned(),
        })
    }
}

impl Checks<'_> {
    async fn run(&self, findings: &mut Findings) {
        let Some(arrival) = self.arrival(findings).await else {
            return;
        };
        let forged = self.get(ARRIVAL_PATH).header(X_FORWARDED_FOR, FORGED);
        let forged = self.http.send(forged).await.ok().as_ref().and_then(Arrival::of);
        judge_address(&arrival, forged.as_ref(), self.is_https(), findings);
        if let Some(problem) = self.address.missing_trust() {
            findings.problem("settings", problem, None);
        }
        if let Some(trusts_proxy) = self.address.trust_proxy
            && trusts_proxy != arrival.trusts_proxy
        {
            findings.warning(
                "settings",
                format!(
                    "The running server has WAYPOST_TRUST_PROXY={}, but the doctor {}.",
                    u8::from(arrival.trusts_proxy),
                    u8::from(trusts_proxy)
                ),
                Some("Run the doctor with the settings of the server, or restart the server.".to_owned()),
            );
        }
        self.host(&arrival, findings);
        self.origin(findings).await;
        self.websocket(findings).await;
        self.stream(findings).await;
        self.body(findings).await;
        if self.is_https() {
            match tls::negotiates_http2(&self.address.url).await {
                Ok(true) => findings.ok("http/2", "Browsers can use HTTP/2."),
                Ok(false) => findings.warning(
                    "http/2",
                    "The proxy does not offer HTTP/2, so a browser shares six connections among all tabs, and live updates of \
                     several tabs block each other.",
                    Some("Enable HTTP/2 for browsers in the proxy.".to_owned()),
                ),
                Err(problem) => findings.problem("http/2", format!("No TLS connection: {problem}."), None),
            }
        }
    }

    fn is_https(&self) -> bool {
        self.address.url.scheme() == "https"
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.address.url.clone();
        url.set_path(path);
        url
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.http.request(Method::GET, &self.url(path))
    }

    fn post(&self, body: String) -> RequestBuilder {
        self.http
            .request(Method::POST, &self.url("/graphql"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .body(body)
    }

    async fn arrival(&self, findings: &mut Findings) -> Option<Arrival> {
        let url = &self.address.url;
        let response = match self.http.send(self.get(ARRIVAL_PATH)).await {
            Ok(response) => response,
            Err(cause) => {
                findings.problem(
                    "connection",
                    format!("{url} cannot be reached from this machine: {cause}."),
                    Some(
                        "Check WAYPOST_PUBLIC_URL, DNS, the firewall, and that the proxy runs. `waypost doctor tls` explains \
                         problems of certificates."
                            .to_owned(),
                    ),
                );
                return None;
            }
        };
        let arrival = Arrival::of(&response);
        if arrival.is_some() {
            findings.ok("connection", format!("{url} leads to Waypost."));
            return arrival;
        }
        let (status, target) = (response.status, response.location(url));
        let problem = match (status, target) {
            (_, Some(target)) => format!("{url} redirects to {target}."),
            (StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT, _) => {
                format!("{url} returned {status}: the proxy does not reach Waypost.")
            }
            _ => format!("{url} returned {status} for {ARRIVAL_PATH}, but not the report of Waypost."),
        };
        findings.problem(
            "connection",
            problem,
            Some("Let the proxy pass all paths to the address of Waypost (WAYPOST_BIND and PORT).".to_owned()),
        );
        None
    }

    fn host(&self, arrival: &Arrival, findings: &mut Findings) {
        let expected = authority(&self.address.url);
        if arrival.host.eq_ignore_ascii_case(&expected) {
            findings.ok("host", format!("Waypost receives the host {expected}."));
        } else {
            findings.problem(
                "host",
                format!(
                    "Waypost receives the host `{}` instead of {expected}, so it refuses requests of older browsers as those of \
                     other sites.",
                    arrival.host
                ),
                Some("Let the proxy keep the header Host (nginx: proxy_set_header Host $http_host).".to_owned()),
            );
        }
    }

    /// Sends requests without Fetch Metadata, like older browsers.
    async fn origin(&self, findings: &mut Findings) {
        let own = self.address.url.origin().ascii_serialization();
        for (origin, is_own) in [(own.as_str(), true), ("https://another-site.example", false)] {
            let request = self.post("{}".to_owned()).header(header::ORIGIN, origin);
            let response = match self.http.send(request).await {
                Ok(response) => response,
                Err(cause) => {
                    findings.problem("origin", format!("A request failed: {cause}."), None);
                    return;
                }
            };
            let is_refused = response.status == StatusCode::FORBIDDEN;
            match (is_own, is_refused) {
                (true, true) => findings.problem(
                    "origin",
                    format!("Requests of pages of {own} are refused as those of another site."),
                    Some("Let the proxy keep the headers Host and Origin.".to_owned()),
                ),
                (false, false) => findings.problem(
                    "origin",
                    format!("A request of a page of {origin} was not refused ({}).", response.status),
                    Some("Let the proxy keep the header Origin.".to_owned()),
                ),
                (true, false) => {}
                (false, true) => findings.ok("origin", "Requests of pages of other sites are refused."),
            }
        }
    }

    async fn websocket(&self, findings: &mut Findings) {
        let request = self
            .get("/graphql")
            .header(header::ORIGIN, self.address.url.origin().ascii_serialization())
            .header(header::CONNECTION, "Upgrade")
            .header(header::UPGRADE, "websocket")
            .header(header::SEC_WEBSOCKET_VERSION, "13")
            .header(header::SEC_WEBSOCKET_KEY, "d2F5cG9zdC1kb2N0b3ItIQ==")
            .header(header::SEC_WEBSOCKET_PROTOCOL, "graphql-transport-ws");
        // The body of an upgraded connection does not end.
        match request.send().await {
            Ok(response) if response.status() == StatusCode::SWITCHING_PROTOCOLS => {
                findings.ok("websocket", "WebSockets are passed on.");
            }
            Ok(response) => findings.warning(
                "websocket",
                format!("An upgrade to a WebSocket returned {}.", response.status()),
                Some(
                    "Let the proxy pass on the headers Upgrade and Connection. Waypost's own pages do not need it: they use \
                     streams over HTTP."
                        .to_owned(),
                ),
            ),
            Err(error) => findings.warning("websocket", format!("An upgrade to a WebSocket failed: {error}."), None),
        }
    }

    async fn stream(&self, findings: &mut Findings) {
        let Ok(mut response) = self.get(ARRIVAL_STREAM_PATH).send().await else {
            findings.problem("streams", "A response that takes three seconds was cut off.", None);
            return;
        };
        let first = response.chunk().await;
        let is_buffered = match &first {
            Ok(Some(first)) if first.ends_with(b"last\n") => true,
            Ok(Some(_)) => timeout(TOGETHER, response.chunk()).await.is_ok(),
            _ => {
                findings.problem("streams", "A stream ended before its first part.", None);
                return;
            }
        };
        if is_buffered {
            findings.problem(
                "streams",
                "The proxy collects responses before it passes them on, so live updates do not arrive.",
                Some("Disable the buffering of responses for /graphql (nginx: proxy_buffering off).".to_owned()),
            );
        } else {
            findings.ok("streams", "Parts of a stream arrive when they are sent.");
        }
    }

    /// The document is unknown to Waypost, whose answer proves that the body has arrived.
    async fn body(&self, findings: &mut Findings) {
        let empty = r#"{"query":"{ doctor }","variables":{"padding":""}}"#;
        let padding = "x".repeat(LARGEST_BODY - empty.len());
        let body = empty.replace(r#""""#, &format!(r#""{padding}""#));
        match self.http.send(self.post(body)).await {
            Ok(response) if response.json()["errors"][0]["extensions"]["code"] == "UNKNOWN_OPERATION" => {
                findings.ok("bodies", "Requests of 256 KiB are passed on.");
            }
            Ok(response) => findings.problem(
                "bodies",
                format!(
                    "A request of 256 KiB returned {}, but not the answer of Waypost.",
                    response.status
                ),
                Some("Raise the limit of request bodies in the proxy (nginx: client_max_body_size 1m).".to_owned()),
            ),
            Err(cause) => findings.problem("bodies", format!("A request of 256 KiB failed: {cause}."), None),
        }
    }
}

/// `forged` is the arrival of a request that already had an `X-Forwarded-For`.
fn judge_address(arrival: &Arrival, forged: Option<&Arrival>, is_https: bool, findings: &mut Findings) {
    let address = &arrival.address;
    let is_forged = forged.is_some_and(|forged| forged.address == FORGED);
    let all_share = "so all callers share the rate limits of one address";
    match (arrival.trusts_proxy, arrival.forwarded_for) {
        (true, _) if is_forged => findings.problem(
            "address",
            "Callers choose their own address for rate limits: an X-Forwarded-For that they send arrives as the last one.",
            Some(
                "Let the proxy append or replace X-Forwarded-For, and let no request bypass it. Without a proxy, set \
                 WAYPOST_TRUST_PROXY=0."
                    .to_owned(),
            ),
        ),
        (true, 0) => findings.problem(
            "address",
            format!("Waypost trusts the proxy, but X-Forwarded-For does not arrive, {all_share} ({address})."),
            Some(
                "Let the proxy set X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for)."
                    .to_owned(),
            ),
        ),
        (true, _) => findings.ok("address", format!("Rate limits count this machine as {address}.")),
        (false, 0) if is_https => findings.warning(
            "address",
            format!("No X-Forwarded-For arrives, {all_share} ({address})."),
            Some("Let the proxy set X-Forwarded-For, and set WAYPOST_TRUST_PROXY=1.".to_owned()),
        ),
        (false, 0) => findings.ok("address", format!("Rate limits count this machine as {address}; there is no proxy.")),
        (false, _) => findings.warning(
            "address",
            format!("X-Forwarded-For arrives, but Waypost does not trust it, {all_share} ({address})."),
            Some("If every request passes the proxy, set WAYPOST_TRUST_PROXY=1.".to_owned()),
        ),
    }
}

/// Returns the host as browsers send it, without the default port.
fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_callers_must_come_from_the_proxy() {
        let arrival = |trusts_proxy, forwarded_for, address: &str| Arrival {
            address: address.to_owned(),
            trusts_proxy,
            forwarded_for,
            host: String::new(),
        };
        const OWN: &str = "198.51.100.7";
        for (normal, forged, is_https, expected) in [
            (
                (true, 1),
                OWN,
                true,
                "ok address: Rate limits count this machine as 198.51.100.7.",
            ),
            (
                (true, 1),
                FORGED,
                true,
                "problem address: Callers choose their own address",
            ),
            (
                (true, 0),
                FORGED,
                false,
                "problem address: Callers choose their own address",
            ),
            ((true, 0), OWN, true, "problem address: Waypost trusts the proxy, but"),
            ((false, 0), OWN, true, "warning address: No X-Forwarded-For arrives"),
            ((false, 0), OWN, false, "ok address:"),
            (
                (false, 1),
                OWN,
                true,
                "warning address: X-Forwarded-For arrives, but Waypost does not trust it",
            ),
        ] {
            let mut findings = Findings::default();
            let forged = arrival(normal.0, normal.1, forged);
            judge_address(
                &arrival(normal.0, normal.1, OWN),
                Some(&forged),
                is_https,
                &mut findings,
            );
            let lines = findings.lines();
            assert!(lines[0].starts_with(expected), "{expected}: {lines:?}");
        }
    }
}
