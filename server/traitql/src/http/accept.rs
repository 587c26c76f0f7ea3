//! Content negotiation (RFC 9110, section 12.5.1) among what a GraphQL endpoint can answer.

use axum::http::{HeaderMap, header};

/// Media type of a single answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Media {
    /// `application/json`: the status says little, a well-formed request is answered with 200.
    Json,
    /// `application/graphql-response+json`: the status tells whether there is data.
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

/// What a client accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accept {
    /// For a single answer; `None` when nothing fits.
    pub(super) single: Option<Media>,
    /// Whether a stream may be sent as `multipart/mixed; subscriptionSpec=1.0`.
    pub(super) multipart: bool,
}

impl Accept {
    /// Without the header, and for `*/*`, the answer is `application/json`: such clients were written before there was a choice.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(header::ACCEPT).iter();
        match (values.next(), values.next()) {
            (None, _) => Self::single(Media::Json),
            (Some(value), None) => Self::usual(value.as_bytes()).unwrap_or_else(|| Self::any(headers)),
            (Some(_), Some(_)) => Self::any(headers),
        }
    }

    const fn single(media: Media) -> Self {
        Self {
            single: Some(media),
            multipart: false,
        }
    }

    /// What nearly every client sends: nothing in particular, or what Apollo Client 4 does.
    fn usual(value: &[u8]) -> Option<Self> {
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

    fn any(headers: &HeaderMap) -> Self {
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

    /// For answers that must be sent, whatever is accepted: errors.
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

/// The most specific range decides.
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

/// Splits at a separator outside of quoted strings.
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
    fn the_answer_has_the_type_that_was_asked_for() {
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
    fn the_short_way_leads_where_the_long_one_does() {
        let usual = [
            "*/*",
            "application/json",
            "application/graphql-response+json",
            "application/graphql-response+json,application/json;q=0.9",
            "application/graphql-response+json, application/json;q=0.9",
        ];
        for value in usual {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, value.parse().unwrap());
            assert_eq!(Accept::usual(value.as_bytes()), Some(Accept::any(&headers)), "{value}");
        }
    }

    #[test]
    fn streams_are_asked_for_by_the_subscription_spec() {
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
