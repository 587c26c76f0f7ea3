//! Types that a person wrote before there was a schema, or wants to look otherwise than a generated one. They stand for types of
//! `schema/shop.graphql`.

use traitql::{Id, Json};

use crate::bind;

/// Stands for `scalar Money`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money {
    /// The whole amount in cents.
    pub cents: u32,
}

impl traitql::Scalar for Money {
    fn parse(value: &Json) -> Result<Self, String> {
        let text = value.as_str().unwrap_or_default();
        let (whole, cents) = text.split_once('.').unwrap_or_default();
        let cents = match (whole.parse::<u32>(), cents.parse::<u32>()) {
            (Ok(whole), Ok(cents)) if cents < 100 => whole.checked_mul(100).and_then(|whole| whole.checked_add(cents)),
            _ => None,
        };
        cents
            .map(|cents| Self { cents })
            .ok_or_else(|| "must be an amount such as 12.50".to_owned())
    }

    fn write(&self) -> Json {
        format!("{}.{:02}", self.cents / 100, self.cents % 100).into()
    }
}

/// Stands for `enum Condition`, under names of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wear {
    /// `NEW`
    None,
    /// `WORN`
    Some,
    /// `DAMAGED`
    Much,
}

impl bind::Condition for Wear {
    const NEW: Self = Self::None;
    const WORN: Self = Self::Some;
    const DAMAGED: Self = Self::Much;

    fn value(self) -> bind::value::Condition {
        match self {
            Self::None => bind::value::Condition::New,
            Self::Some => bind::value::Condition::Worn,
            Self::Much => bind::value::Condition::Damaged,
        }
    }
}

/// Stands for `type Offer`: a row whose price is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferRow {
    /// Its number in the catalogue.
    pub number: u32,
    /// What it cost when it was new, in cents.
    pub cents: u32,
    /// How much it was used.
    pub wear: Wear,
    /// What sticks on it.
    pub stickers: Vec<Label>,
}

impl bind::Offer for OfferRow {
    fn id(&self) -> Id {
        format!("o{}", self.number).into()
    }

    fn price(&self) -> Money {
        let cents = match self.wear {
            Wear::None => self.cents,
            Wear::Some => self.cents / 2,
            Wear::Much => 0,
        };
        Money { cents }
    }

    fn condition(&self) -> Wear {
        self.wear
    }

    fn stickers(&self) -> Vec<Label> {
        self.stickers.clone()
    }
}

/// Stands for the embedded `type Sticker`, and holds more of its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// What it says.
    pub text: &'static str,
    /// What it covers.
    pub over: Vec<Label>,
}

impl bind::Sticker for Label {
    fn text(&self) -> String {
        self.text.to_owned()
    }

    fn covered(&self) -> Option<Vec<Label>> {
        (!self.over.is_empty()).then(|| self.over.clone())
    }

    fn clone(&self) -> bool {
        self.text.starts_with("new ")
    }
}
