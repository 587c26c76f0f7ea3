//! Content negotiation (RFC 9110, section 12.5.1).

use axum::http::{HeaderMap, header};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Media {
    /// `application/json`: well-formed requests have status 200.
    Json,
    /// `application/graphql-response+json`: the status depends on whether the response has data.
    GraphqlResponse,
}

impl Media {
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json; charset=utf-8",
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accept {
    /// The single response type, or `None` if the client accepts neither.
    pub(super) single: Option<Media>,
    /// Accepts `multipart/mixed; subscriptionSpec=1.0`.
    pub(super) multipart: bool,
}

impl Accept {
    /// A missing header and `*/*` select `application/json`, because clients that send them predate the newer type.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(header::ACCEPT).iter();
        match (values.next(), values.next()) {
            (None, _) => Self::single(Media::Json),
            (Some(value), None) => Self::fast_path(value.as_bytes()).unwrap_or_else(|| Self::parse(headers)),
            (Some(_), Some(_)) => Self::parse(headers),
        }
    }

    const fn single(media: Media) -> Self {
        Self {
            single: Some(media),
            multipart: false,
        }
    }

    /// Handles the values that nearly all clients send: `*/*`, a single type, or the header of Apollo Client 4.
    fn fast_path(value: &[u8]) -> Option<Self> {
        match value {
            b"*/*" | b"application/json" => Some(Self::single(Media::Json)),
            b"application/graphql-response+json"
            | b"application/graphql-response+json,application/json;q=0.9"
            | b"application/graphql-response+json, application/json;q=0.9" => {
                Some(Self::single(Media::GraphqlResponse))
            }
            _ => None,
        }
    }

    fn parse(headers: &HeaderMap) -> Self {
        let values = headers
            .get_all(header::ACCEPT)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let ranges: Vec<Range> = values
            .flat_map(|value| split(value, ','))
            .filter_map(Range::parse)
            .collect();
        if ranges.is_empty() {
            return Self::single(Media::Json);
        }
        let json = quality(&ranges, "json");
        let graphql = quality(&ranges, "graphql-response+json");
        let single = if graphql.named && graphql.q > 0.0 && graphql.q >= json.q {
            Some(Media::GraphqlResponse)
        } else if json.q > 0.0 {
            Some(Media::Json)
        } else if graphql.q > 0.0 {
            Some(Media::GraphqlResponse)
        } else {
            None
        };
        let multipart = ranges
            .iter()
            .any(|range| range.kind == "multipart" && range.subtype == "mixed" && range.subscriptions && range.q > 0.0);
        Self { single, multipart }
    }

    /// Errors are sent even if the client accepts neither type.
    pub(super) fn single_or_json(self) -> Media {
        self.single.unwrap_or(Media::Json)
    }
}

struct Range {
    kind: String,
    subtype: String,
    q: f32,
    subscriptions: bool,
}

impl Range {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = split(text, ';');
        let (kind, subtype) = parts.next()?.trim().split_once('/')?;
        let mut range = Self {
            kind: kind.trim().to_ascii_lowercase(),
            subtype: subtype.trim().to_ascii_lowercase(),
            q: 1.0,
            subscriptions: false,
        };
        for parameter in parts {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match name.trim().to_ascii_lowercase().as_str() {
                "q" => {
                    range.q = value
                        .trim()
                        .parse()
                        .ok()
                        .filter(|q| (0.0..=1.0).contains(q))
                        .unwrap_or(0.0)
                }
                "subscriptionspec" => range.subscriptions = value.trim().trim_matches('"').starts_with("1."),
                _ => {}
            }
        }
        Some(range)
    }
}

struct Quality {
    q: f32,
    named: bool,
}

fn quality(ranges: &[Range], subtype: &str) -> Quality {
    let best = |kind: &str, subtype: &str| {
        let matching = ranges
            .iter()
            .filter(|range| range.kind == kind && range.subtype == subtype);
        matching.map(|range| range.q).reduce(f32::max)
    };
    match best("application", subtype) {
        Some(q) => Quality { q, named: true },
        None => Quality {
            q: best("application", "*").or_else(|| best("*", "*")).unwrap_or(0.0),
            named: false,
        },
    }
}

/// Ignores separators in quoted strings.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == separator && !quoted
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn accept(value: &str) -> Accept {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, value.parse().unwrap());
        Accept::of(&headers)
    }

    #[test]
    fn the_response_has_the_accepted_type() {
        let cases = [
            ("*/*", Some(Media::Json)),
            ("application/*", Some(Media::Json)),
            ("application/json", Some(Media::Json)),
            ("APPLICATION/JSON", Some(Media::Json)),
            ("application/graphql-response+json", Some(Media::GraphqlResponse)),
            (
                "application/graphql-response+json; charset=utf-8",
                Some(Media::GraphqlResponse),
            ),
            (
                "application/graphql-response+json,application/json;q=0.9",
                Some(Media::GraphqlResponse),
            ),
            (
                "application/json, application/graphql-response+json",
                Some(Media::GraphqlResponse),
            ),
            (
                "application/json, application/graphql-response+json;q=0.5",
                Some(Media::Json),
            ),
            ("application/json;q=0, */*", Some(Media::GraphqlResponse)),
            ("application/graphql-response+json;q=0, */*;q=0.1", Some(Media::Json)),
            ("text/html, application/xhtml+xml, */*;q=0.8", Some(Media::Json)),
            ("text/html", None),
            ("application/json;q=0", None),
            (r#"text/plain; note="application/json, */*""#, None),
        ];
        for (header, expected) in cases {
            assert_eq!(accept(header).single, expected, "{header}");
        }
        assert_eq!(Accept::of(&HeaderMap::new()).single, Some(Media::Json));
    }

    #[test]
    fn the_fast_path_agrees_with_the_full_parser() {
        let fast_path = [
            "*/*",
            "application/json",
            "application/graphql-response+json",
            "application/graphql-response+json,application/json;q=0.9",
            "application/graphql-response+json, application/json;q=0.9",
        ];
        for value in fast_path {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, value.parse().unwrap());
            assert_eq!(
                Accept::fast_path(value.as_bytes()),
                Some(Accept::parse(&headers)),
                "{value}"
            );
        }
    }

    #[test]
    fn streams_require_the_subscription_spec_parameter() {
        let apollo = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9";
        assert_eq!(
            accept(apollo),
            Accept {
                single: Some(Media::GraphqlResponse),
                multipart: true
            }
        );
        assert!(accept(r#"multipart/mixed; boundary="graphql"; subscriptionSpec="1.0""#).multipart);
        assert!(!accept("multipart/mixed;deferSpec=20220824,application/json").multipart);
        assert!(!accept("*/*").multipart);
    }
}
