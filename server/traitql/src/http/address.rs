//! Where a request comes from.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::ConnectInfo,
    http::{Extensions, HeaderMap},
};

/// The address that a request comes from: the last one that a trusted proxy wrote into `X-Forwarded-For`, else the other end of
/// the connection as [`serve`](super::serve) notes it. What callers write into the header themselves stands before that.
pub fn client_address(headers: &HeaderMap, extensions: &Extensions, trust_proxy: bool) -> Option<IpAddr> {
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    };
    let peer = || extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    match trust_proxy {
        true => forwarded().or_else(peer),
        false => peer(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_says_where_a_request_comes_from() {
        let (mut headers, mut extensions) = (HeaderMap::new(), Extensions::new());
        assert_eq!(client_address(&headers, &extensions, true), None);
        extensions.insert(ConnectInfo(SocketAddr::from(([192, 0, 2, 1], 4000))));
        let address =
            |headers: &HeaderMap, trusted| client_address(headers, &extensions, trusted).map(|a| a.to_string());
        assert_eq!(
            address(&headers, true).as_deref(),
            Some("192.0.2.1"),
            "no proxy said anything"
        );
        headers.append("x-forwarded-for", "203.0.113.9".parse().expect("a value"));
        headers.append("x-forwarded-for", "203.0.113.8, 2001:db8::1".parse().expect("a value"));
        assert_eq!(address(&headers, true).as_deref(), Some("2001:db8::1"));
        assert_eq!(address(&headers, false).as_deref(), Some("192.0.2.1"));
        headers.append("x-forwarded-for", "unknown".parse().expect("a value"));
        assert_eq!(address(&headers, true).as_deref(), Some("192.0.2.1"));
    }
}
