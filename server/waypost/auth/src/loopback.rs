//! Plain http is accepted only for loopback addresses and names, so they must never resolve to another machine.

use std::net::{Ipv4Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// Maps subdomains of `localhost` to this machine, as browsers do but some systems do not.
#[derive(Debug, Clone, Copy, Default)]
pub struct LoopbackResolver;

impl Resolve for LoopbackResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            if name.as_str().ends_with(".localhost") {
                let loopback: Addrs = Box::new(std::iter::once(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))));
                return Ok(loopback);
            }
            // reqwest replaces port 0 by the port of the URL.
            let addresses: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let addresses: Addrs = Box::new(addresses.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_localhost_and_loopback_addresses_are_loopback() {
        for (text, expected) in [
            ("http://localhost:4001", true),
            ("http://login.localhost", true),
            ("http://127.0.0.9", true),
            ("http://[::1]:4001", true),
            ("http://localhost.example", false),
            ("http://mylocalhost", false),
            ("http://10.0.0.1", false),
        ] {
            let url = Url::parse(text).expect("a URL");
            assert_eq!(is_loopback(&url), expected, "{text}");
        }
    }

    #[tokio::test]
    async fn subdomains_of_localhost_resolve_to_this_machine() {
        let name = "login.localhost".parse().expect("a name");
        let addresses: Vec<_> = LoopbackResolver.resolve(name).await.expect("an address").collect();
        assert_eq!(addresses, [SocketAddr::from((Ipv4Addr::LOCALHOST, 0))]);
    }
}
