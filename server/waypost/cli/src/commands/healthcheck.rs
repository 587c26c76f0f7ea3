//! The health check of container images, which have neither a shell nor an HTTP client. It fails if the server does not
//! respond, while `doctor storage` also checks stopped servers.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use super::{Exit, Problem, report};

/// Longer than the server's checks of its database and providers.
const TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) async fn run(listen: SocketAddr) -> Exit {
    report(readiness(reachable(listen)).await)
}

async fn readiness(address: SocketAddr) -> Result<String, Problem> {
    let failed = |error: reqwest::Error| {
        let problem = format!("Waypost does not respond at {address}: {}", error.without_url());
        Problem::Local(problem)
    };
    let client = reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build();
    let request = client.map_err(failed)?.get(format!("http://{address}/readyz"));
    let response = request.send().await.map_err(failed)?;
    if response.status().is_success() {
        return Ok(format!("Waypost at {address} is ready."));
    }
    let report = response.text().await.map_err(failed)?;
    Err(Problem::Local(format!("Waypost at {address} is not ready: {report}")))
}

/// A server that listens on all addresses is called at the loopback address.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let host = match listen.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::from(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::from(Ipv6Addr::LOCALHOST),
        address => address,
    };
    SocketAddr::new(host, listen.port())
}
