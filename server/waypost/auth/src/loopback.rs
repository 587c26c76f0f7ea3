//! Plain http is accepted only for loopback addresses and names, so they must never resolve to another machine.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

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

/// Maps `localhost` and its subdomains to this machine, as browsers do. Some systems do not know the subdomains, and small
/// containers without `/etc/hosts` do not know any of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct LoopbackResolver;

impl Resolve for LoopbackResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // reqwest replaces port 0 by the port of the URL.
            if name.as_str() == "localhost" || name.as_str().ends_with(".localhost") {
                let loopback: [SocketAddr; 2] = [(Ipv4Addr::LOCALHOST, 0).into(), (Ipv6Addr::LOCALHOST, 0).into()];
                let loopback: Addrs = Box::new(loopback.into_iter());
                return Ok(loopback);
            }
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
    async fn localhost_and_its_subdomains_resolve_to_this_machine() {
        for name in ["localhost", "login.localhost"] {
            let name = name.parse().expect("a name");
            let addresses: Vec<_> = LoopbackResolver.resolve(name).await.expect("an address").collect();
            assert_eq!(
                addresses.iter().map(ToString::to_string).collect::<Vec<_>>(),
                ["127.0.0.1:0", "[::1]:0"]
            );
        }
    }
}
