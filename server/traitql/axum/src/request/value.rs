//! JSON values of variables. Unlike `serde_json::Value`, they reject repeated names of objects, of which only the last
//! would count, and they note integers that do not fit in 64 bits and would be rounded.

use std::{cell::Cell, collections::BTreeMap, fmt};

use serde::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value, map::Entry, value::RawValue};

/// Reads one value.
#[derive(Clone, Copy)]
pub(super) struct ValueSeed<'c> {
    /// Set to true if a number may have lost digits.
    pub(super) has_big_integer: &'c Cell<bool>,
}

/// Beyond these limits, `serde_json` reads integers as floats.
const INTEGERS: std::ops::Range<f64> = -9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0;

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        if !INTEGERS.contains(&value) {
            self.has_big_integer.set(true);
        }
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            match object.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(map.next_value_seed(self)?);
                }
                Entry::Occupied(entry) => {
                    let problem = format_args!("the field `{}` is repeated", entry.key());
                    return Err(serde::de::Error::custom(problem));
                }
            }
        }
        Ok(Value::Object(object))
    }
}

/// Finds integers that do not fit in 64 bits: their digits by path.
pub(super) fn big_integers(json: &str) -> serde_json::Result<Map<String, Value>> {
    let mut found = Map::new();
    for (name, value) in serde_json::from_str::<BTreeMap<String, &RawValue>>(json)? {
        find(value.get(), &name, &mut found)?;
    }
    Ok(found)
}

fn find(json: &str, path: &str, found: &mut Map<String, Value>) -> serde_json::Result<()> {
    match json.as_bytes().first() {
        Some(b'{') => {
            for (name, value) in serde_json::from_str::<BTreeMap<String, &RawValue>>(json)? {
                find(value.get(), &format!("{path}.{name}"), found)?;
            }
        }
        Some(b'[') => {
            for (at, value) in serde_json::from_str::<Vec<&RawValue>>(json)?.into_iter().enumerate() {
                find(value.get(), &format!("{path}.{at}"), found)?;
            }
        }
        Some(b'-' | b'0'..=b'9') => {
            let is_integer = json.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
            if is_integer && json.parse::<i64>().is_err() && json.parse::<u64>().is_err() {
                found.insert(path.to_owned(), json.into());
            }
        }
        _ => {}
    }
    Ok(())
}
