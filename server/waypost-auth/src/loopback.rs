//! Names of this machine. Plain http is accepted for them alone, so they must lead nowhere else, whatever a name server says.

use std::net::{Ipv4Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// True for addresses that cannot leave the machine: loopback ones, `localhost` and what is below it (RFC 6761, section 6.3).
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// Finds names below `localhost` on this machine, as browsers do and as not every system's resolver does, and all others as
/// the system does.
#[derive(Debug, Clone, Copy, Default)]
pub struct LoopbackResolver;

impl Resolve for LoopbackResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            if name.as_str().ends_with(".localhost") {
                let here: Addrs = Box::new(std::iter::once(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))));
                return Ok(here);
            }
            // The port of the address that is asked for replaces this one.
            let found: Vec<_> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let found: Addrs = Box::new(found.into_iter());
            Ok(found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
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
    async fn names_below_localhost_are_on_this_machine_whatever_the_system_says() {
        let name = "login.localhost".parse().expect("a name");
        let found: Vec<_> = LoopbackResolver.resolve(name).await.expect("an address").collect();
        assert_eq!(found, [SocketAddr::from((Ipv4Addr::LOCALHOST, 0))]);
    }
}
