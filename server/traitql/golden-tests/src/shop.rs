use traitql::{Id, Json};

use crate::bind;

/// Bound to `scalar Money`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money {
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

/// Bound to `enum Condition`, with other names for its values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wear {
    None,
    Some,
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

/// Bound to `type Offer`: a row whose price is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferRow {
    pub number: u32,
    pub cents: u32,
    pub wear: Wear,
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

/// Bound to the embedded `type Sticker`, which is recursive.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub text: &'static str,
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
