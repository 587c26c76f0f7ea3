//! Files compressed at build time (RFC 9110, section 12.5.3).

use axum::http::{HeaderMap, header};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
            Self::Identity => "",
        }
    }

    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }
}

/// Returns identity last, as the fallback. Smallest encoding first.
pub(super) fn accepted(headers: &HeaderMap) -> impl Iterator<Item = Encoding> {
    let accept: Vec<String> = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|coding| coding.trim().to_ascii_lowercase())
        .collect();
    let accepts = move |name: &str| {
        let weight = |name: &str| accept.iter().find_map(|coding| weight_of(coding, name));
        weight(name).or_else(|| weight("*")).is_some_and(|weight| weight > 0.0)
    };
    [Encoding::Brotli, Encoding::Gzip, Encoding::Identity]
        .into_iter()
        .filter(move |encoding| encoding.name().is_none_or(&accepts))
}

fn weight_of(element: &str, name: &str) -> Option<f32> {
    let (coding, parameters) = element.split_once(';').unwrap_or((element, ""));
    if coding.trim() != name {
        return None;
    }
    match parameters.trim().strip_prefix("q=") {
        Some(weight) => Some(weight.trim().parse().unwrap_or(0.0)),
        None => Some(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Encoding::{Brotli, Gzip, Identity};

    #[test]
    fn the_smallest_accepted_encoding_is_first() {
        for (accept, expected) in [
            (None, vec![Identity]),
            (Some("gzip, deflate, br, zstd"), vec![Brotli, Gzip, Identity]),
            (Some("gzip"), vec![Gzip, Identity]),
            (Some("br;q=0, gzip;q=0.5"), vec![Gzip, Identity]),
            (Some("BR; q=1"), vec![Brotli, Identity]),
            (Some("*"), vec![Brotli, Gzip, Identity]),
            (Some("*;q=0"), vec![Identity]),
            (Some("*, br;q=0"), vec![Gzip, Identity]),
            (Some("identity;q=0"), vec![Identity]),
            (Some("brotli, gzipped"), vec![Identity]),
            (Some("br;q=abc"), vec![Identity]),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT_ENCODING, accept.parse().expect("a header"));
            }
            assert_eq!(accepted(&headers).collect::<Vec<_>>(), expected, "{accept:?}");
        }
    }
}
