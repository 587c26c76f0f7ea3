//! Traits of visitors: their bounds, their stored form, and tests of them.

use std::{cmp::Reverse, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use traitql::Format;
use waypost_api::{Comparison, SiteTrait, Trait, TraitTest};

use crate::store::json;

pub const MAX_TRAITS: usize = 50;
/// The maximum in characters.
const MAX_VALUE_LENGTH: usize = 200;
/// Total of all keys and values.
pub const MAX_BYTES: usize = 4096;
const MAX_SUGGESTED_TRAITS: usize = 50;
const MAX_SUGGESTED_VALUES: usize = 10;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Traits(Vec<Trait>);

pub(crate) type Stored = BTreeMap<String, StoredValue>;

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum StoredValue {
    Declared(String),
    Signed([String; 1]),
}

impl Traits {
    /// The traits of a token take precedence. Invalid traits, and those beyond the bounds, are dropped, declared ones
    /// first. `max_declared` bounds the bytes of the declared ones, as stored.
    pub(crate) fn new(
        signed: impl IntoIterator<Item = (String, String)>,
        declared: Vec<(String, String)>,
        max_declared: usize,
    ) -> Self {
        let signed = signed.into_iter().map(|(key, value)| (key, value, true));
        let declared = declared.into_iter().map(|(key, value)| (key, value, false));
        let mut traits = BTreeMap::new();
        let (mut bytes, mut declared_bytes) = (0, 0);
        for (key, value, signed) in signed.chain(declared) {
            let is_valid = Format::Key.matches(&key) && value.chars().count() <= MAX_VALUE_LENGTH;
            let size = key.len() + value.len();
            let declared_size = if signed { 0 } else { stored_bytes(&key, &value) };
            let fits = traits.len() < MAX_TRAITS
                && bytes + size <= MAX_BYTES
                && declared_bytes + declared_size <= max_declared;
            if !is_valid || traits.contains_key(&key) || !fits {
                continue;
            }
            bytes += size;
            declared_bytes += declared_size;
            traits.insert(key.clone(), Trait { key, value, signed });
        }
        Self(traits.into_values().collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_list(self) -> Vec<Trait> {
        self.0
    }

    pub(crate) fn of(list: &[Trait]) -> Self {
        Self(list.to_vec())
    }

    pub(crate) fn to_stored(&self) -> Stored {
        let value = |each: &Trait| {
            if each.signed {
                StoredValue::Signed([each.value.clone()])
            } else {
                StoredValue::Declared(each.value.clone())
            }
        };
        self.0.iter().map(|each| (each.key.clone(), value(each))).collect()
    }

    /// Returns the bytes of the stored traits without a signature.
    pub(crate) fn declared_bytes(&self) -> usize {
        let declared = self.0.iter().filter(|each| !each.signed);
        declared.map(|each| stored_bytes(&each.key, &each.value)).sum()
    }

    /// Must match `client/embed/player/condition.ts`.
    pub(crate) fn matches(&self, test: &TraitTest) -> bool {
        let Some(found) = self.0.iter().find(|each| each.key == test.key) else {
            return test.is == Comparison::Missing;
        };
        let (found, value) = (found.value.as_str(), test.value.as_str());
        let numbers = || Some((number(found)?, number(value)?));
        match test.is {
            Comparison::Is => found == value,
            Comparison::IsNot => found != value,
            Comparison::Contains => found.contains(value),
            Comparison::StartsWith => found.starts_with(value),
            Comparison::Greater => numbers().is_some_and(|(found, value)| found > value),
            Comparison::Less => numbers().is_some_and(|(found, value)| found < value),
            Comparison::Exists => true,
            Comparison::Missing => false,
        }
    }
}

impl From<Stored> for Traits {
    fn from(stored: Stored) -> Self {
        let traits = stored.into_iter().map(|(key, value)| match value {
            StoredValue::Declared(value) => Trait {
                key,
                value,
                signed: false,
            },
            StoredValue::Signed([value]) => Trait {
                key,
                value,
                signed: true,
            },
        });
        Self(traits.collect())
    }
}

/// Counts also the quotes of the key, the escapes of the value, and the separators.
fn stored_bytes(key: &str, value: &str) -> usize {
    key.len() + json(&value).len() + 4
}

/// Sorts the most frequent traits and values first.
pub fn frequent_traits(visitors: &[Traits]) -> Vec<SiteTrait> {
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for each in visitors.iter().flat_map(|traits| &traits.0) {
        *counts.entry(&each.key).or_default().entry(&each.value).or_default() += 1;
    }
    let mut keys: Vec<_> = counts.into_iter().collect();
    keys.sort_by_key(|(_, values)| Reverse(values.values().sum::<usize>()));
    let site_trait = |(key, values): (&str, BTreeMap<&str, usize>)| {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_by_key(|(_, count)| Reverse(*count));
        let values = values.into_iter().take(MAX_SUGGESTED_VALUES);
        SiteTrait {
            key: key.to_owned(),
            values: values.map(|(value, _)| value.to_owned()).collect(),
        }
    };
    keys.into_iter().take(MAX_SUGGESTED_TRAITS).map(site_trait).collect()
}

/// Parses a decimal number, as the page and the editor write them.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn a_signed_trait_takes_precedence() {
        let traits = Traits::new(
            pairs(&[("plan", "pro")]),
            pairs(&[("role", "buyer"), ("plan", "free")]),
            500,
        );
        let found: Vec<_> = traits
            .0
            .iter()
            .map(|each| (each.key.as_str(), each.value.as_str(), each.signed))
            .collect();
        assert_eq!(found, [("plan", "pro", true), ("role", "buyer", false)]);
        assert_eq!(Traits::from(traits.to_stored()), traits);
    }

    #[test]
    fn the_most_frequent_traits_and_values_come_first() {
        let declared = [
            &[("plan", "pro"), ("role", "buyer")][..],
            &[("plan", "free")],
            &[("plan", "pro")],
        ];
        let visitors = declared.map(|traits| Traits::new(Vec::new(), pairs(traits), 500));
        let found: Vec<_> = frequent_traits(&visitors)
            .into_iter()
            .map(|each| (each.key, each.values.join(" ")))
            .collect();
        assert_eq!(found, pairs(&[("plan", "pro free"), ("role", "buyer")]));
    }

    #[test]
    fn traits_are_bounded() {
        let invalid = pairs(&[
            ("companySize", "3"),
            ("Bad key", "x"),
            ("", "x"),
            ("plan", "pro"),
            ("long", &"x".repeat(201)),
        ]);
        assert_eq!(Traits::new(Vec::new(), invalid, 500).0.len(), 1);
        let many: Vec<_> = (0..60).map(|index| (format!("k{index}"), String::new())).collect();
        assert_eq!(Traits::new(many, Vec::new(), 0).0.len(), MAX_TRAITS);
        let large: Vec<_> = (0..30).map(|index| (format!("k{index:02}"), "ä".repeat(100))).collect();
        let kept = Traits::new(large.clone(), Vec::new(), 0);
        let bytes: usize = kept.0.iter().map(|each| each.key.len() + each.value.len()).sum();
        assert!(bytes <= MAX_BYTES && bytes > MAX_BYTES - 203, "{bytes}");
        let kept = Traits::new(pairs(&[("plan", "pro")]), large, 4096);
        assert!(kept.0.iter().any(|each| each.signed));
    }

    #[test]
    fn the_stored_bytes_of_traits_without_a_signature_are_limited() {
        for value in ["", "x", "\u{1}", "\"", "😀", "0123456789"] {
            for length in [0, 1, 10, 19] {
                let declared: Vec<_> = (0..60)
                    .map(|index| (format!("k{index:02}"), value.repeat(length)))
                    .collect();
                let traits = Traits::new(pairs(&[("signed", "yes")]), declared, 500);
                let unsigned = Traits(traits.0.iter().filter(|each| !each.signed).cloned().collect());
                let stored = json(&unsigned.to_stored()).len();
                assert!((200..=501).contains(&stored), "{stored} bytes of {value:?}");
                assert_eq!(traits.declared_bytes() + 1, stored);
            }
        }
    }
}
