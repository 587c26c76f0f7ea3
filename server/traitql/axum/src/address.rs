use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::ConnectInfo,
    http::{Extensions, HeaderMap},
};

/// Returns the last entry of `X-Forwarded-For`, which the trusted proxy appends, or otherwise the peer address that
/// [`serve`](super::serve) records. Some proxies add the port of the client.
pub fn client_address(headers: &HeaderMap, extensions: &Extensions, trust_proxy: bool) -> Option<IpAddr> {
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        let entry = last.to_str().ok()?.rsplit(',').next()?.trim();
        let with_port = || entry.parse().map(|address: SocketAddr| address.ip());
        entry.parse().or_else(|_| with_port()).ok()
    };
    let peer = || extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if trust_proxy { forwarded().or_else(peer) } else { peer() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forwarded_address_is_used_only_with_a_trusted_proxy() {
        let (mut headers, mut extensions) = (HeaderMap::new(), Extensions::new());
        assert_eq!(client_address(&headers, &extensions, true), None);
        extensions.insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 1], 4000))));
        let address =
            |headers: &HeaderMap, trusted| client_address(headers, &extensions, trusted).map(|a| a.to_string());
        assert_eq!(
            address(&headers, true).as_deref(),
            Some("192.0.2.1"),
            "without the header the peer address is used"
        );
        headers.append("x-forwarded-for", "203.0.113.9".parse().expect("a value"));
        headers.append("x-forwarded-for", "203.0.113.8, 2001:db8::1".parse().expect("a value"));
        assert_eq!(address(&headers, true).as_deref(), Some("2001:db8::1"));
        assert_eq!(address(&headers, false).as_deref(), Some("192.0.2.1"));
        for (entry, expected) in [
            ("203.0.113.7:49152", "203.0.113.7"),
            ("[2001:db8::2]:49152", "2001:db8::2"),
        ] {
            headers.append("x-forwarded-for", entry.parse().expect("a value"));
            assert_eq!(address(&headers, true).as_deref(), Some(expected));
        }
        headers.append("x-forwarded-for", "unknown".parse().expect("a value"));
        assert_eq!(address(&headers, true).as_deref(), Some("192.0.2.1"));
    }
}
