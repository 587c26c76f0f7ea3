//! Derived from a seed and the request, independently of the order of access.

use std::collections::BTreeMap;

use apollo_compiler::{ast::Type, schema::ExtendedType};
use serde_json::{Map, Value, json};
use traitql::FieldError;

use crate::{
    facts::{Facts, QUERY, SUBSCRIPTION},
    faults::Faults,
    fuzz_input::{Rng, one},
};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Thing {
    pub(crate) type_name: &'static str,
    pub(crate) number: u64,
}

#[derive(Clone)]
pub(crate) enum Given {
    Null,
    Failed(FieldError),
    Boolean(bool),
    Int(i32),
    Float(f64),
    Text(String),
    Json(Value),
    Thing(Thing),
    List(Vec<Given>),
    /// A custom scalar that panics when it is written.
    Panics,
}

#[derive(Clone)]
pub(crate) enum Broken {
    Fails(FieldError),
    Panics,
    Short,
}

#[derive(Clone, Default)]
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) faults: Faults,
    /// In the form of [`fixed_value`], from fixtures.
    pub(crate) fixed: BTreeMap<String, Value>,
}

pub(crate) const REJECTED: &str = "never accepted";

const TEXTS: [&str; 8] = [
    "",
    "plain",
    "\"quoted\" \\ and / slashed",
    "line\nbreak\ttab\rreturn",
    "\u{0}\u{1}\u{8}\u{c}\u{1f}\u{7f}",
    "\u{2028}\u{2029}\u{feff}</script>",
    "é ü 漢字 \u{1f600}",
    "{braces}",
];

const FLOATS: [f64; 9] = [0.0, -0.0, 1.0, -1.5, 0.1, 1e21, 5e-324, f64::MAX, 123_456_789.125];

impl World {
    pub(crate) fn broken(&self, coordinate: &str, arguments: &Map<String, Value>) -> Option<Broken> {
        if let Some(fixed) = self.fixed.get(coordinate) {
            return fixed.get("broken").and_then(Value::as_str).map(broken);
        }
        let mut rng = self.rng(&[coordinate, &canonical(arguments), "broken"]);
        match rng.usize(..60) {
            0 | 1 if self.faults.has(Faults::RESOLVERS) => Some(Broken::Fails(failure(&mut rng))),
            2 if self.faults.has(Faults::PANICS) => Some(Broken::Panics),
            3 if self.faults.has(Faults::SHORT) => Some(Broken::Short),
            _ => None,
        }
    }

    pub(crate) fn panics(&self, thing: Thing, field: &str) -> bool {
        let coordinate = format!("{}.{field}", thing.type_name);
        if let Some(fixed) = self.fixed.get(&coordinate) {
            return fixed.get("broken").is_some();
        }
        let words = [&coordinate, &thing.number.to_string(), "panics"];
        self.faults.has(Faults::PANICS) && self.rng(&words).usize(..80) == 0
    }

    pub(crate) fn answer(
        &self,
        facts: &Facts,
        parent: Thing,
        field: &str,
        arguments: &Map<String, Value>,
        is_stored: bool,
    ) -> Given {
        let definition = facts.field(parent.type_name, field).expect("the document is valid");
        let coordinate = format!("{}.{field}", parent.type_name);
        if let Some(fixed) = self.fixed.get(&coordinate) {
            return fixed_value(facts, fixed);
        }
        let mut rng = self.rng(&[&coordinate, &parent.number.to_string(), &canonical(arguments)]);
        if !is_stored && self.faults.has(Faults::PARENTS) && rng.usize(..20) == 0 {
            return Given::Failed(failure(&mut rng));
        }
        self.value(facts, &definition.ty, &mut rng)
    }

    pub(crate) fn events(
        &self,
        facts: &Facts,
        field: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Vec<Result<Given, FieldError>>, FieldError> {
        let definition = facts.field(SUBSCRIPTION, field).expect("the document is valid");
        let mut rng = self.rng(&[field, &canonical(arguments), "events"]);
        let is_faulty = self.faults.has(Faults::EVENTS);
        if is_faulty && rng.usize(..8) == 0 {
            return Err(failure(&mut rng));
        }
        let count = 1 + rng.usize(..3);
        let event = |_| match rng.usize(..5) {
            0 if is_faulty => Err(failure(&mut rng)),
            _ => Ok(self.value(facts, &definition.ty, &mut rng)),
        };
        Ok((0..count).map(event).collect())
    }

    /// Yields before it returns.
    pub(crate) fn delay(&self, coordinate: &str) -> usize {
        if self.faults.has(Faults::DELAYS) {
            self.rng(&[coordinate, "delay"]).usize(..5)
        } else {
            0
        }
    }

    fn rng(&self, words: &[&str]) -> Rng {
        mixed(self.seed, words)
    }

    fn value(&self, facts: &Facts, ty: &Type, rng: &mut Rng) -> Given {
        match (ty.is_non_null(), rng.u8(..64)) {
            (true, 0) if self.faults.has(Faults::NULLS) => return Given::Null,
            (false, 0..8) => return Given::Null,
            _ => {}
        }
        match ty {
            Type::List(item) | Type::NonNullList(item) => {
                let count = [0, 1, 2, 2, 3][rng.usize(..5)];
                Given::List((0..count).map(|_| self.value(facts, item, rng)).collect())
            }
            Type::Named(name) | Type::NonNullNamed(name) => match facts.schema.types.get(name) {
                Some(ExtendedType::Enum(_)) => Given::Text(one(rng, &facts.values(name)).to_owned()),
                Some(ExtendedType::Scalar(_)) | None => self.leaf(name, rng),
                Some(_) => match facts.members(name) {
                    // An interface without implementers.
                    [] => Given::Null,
                    members => {
                        let type_name = members[rng.usize(..members.len())];
                        // There is only one root object.
                        let number = if type_name == QUERY { 0 } else { rng.u64(..12) };
                        Given::Thing(Thing { type_name, number })
                    }
                },
            },
        }
    }

    fn leaf(&self, scalar: &str, rng: &mut Rng) -> Given {
        match scalar {
            "Boolean" => Given::Boolean(rng.usize(..2) == 0),
            "Int" => Given::Int([0, -1, 7, i32::MAX, i32::MIN][rng.usize(..5)]),
            "Float" if self.faults.has(Faults::FLOATS) && rng.usize(..12) == 0 => {
                Given::Float([f64::NAN, f64::INFINITY, f64::NEG_INFINITY][rng.usize(..3)])
            }
            "Float" => Given::Float(FLOATS[rng.usize(..FLOATS.len())]),
            "String" | "ID" => Given::Text(one(rng, &TEXTS).to_owned()),
            _ if self.faults.has(Faults::PANICS) && rng.usize(..25) == 0 => Given::Panics,
            // A custom scalar can be any JSON; null counts as null.
            _ => Given::Json(match rng.usize(..8) {
                0 if self.faults.has(Faults::NULLS) => Value::Null,
                0 | 1 => json!({ "z": [1, null, { "ü": "\n" }], "a": -0.5, "": {} }),
                2 => json!([[], [[u64::MAX, i64::MIN]], true]),
                3 => json!(rng.u64(..)),
                4 => json!(false),
                _ => json!(TEXTS[rng.usize(..TEXTS.len())]),
            }),
        }
    }
}

/// Accepts JSON with `{"object": "T1"}`, `{"float": "NaN"}`, and `{"failed": "SOFT"}` for an error of one parent.
fn fixed_value(facts: &Facts, fixed: &Value) -> Given {
    match fixed {
        Value::Null => Given::Null,
        Value::Array(entries) => Given::List(entries.iter().map(|entry| fixed_value(facts, entry)).collect()),
        Value::Object(object) => {
            let text = |key: &str| object.get(key).and_then(Value::as_str);
            if let Some(type_name) = text("object") {
                let number = object.get("number").and_then(Value::as_u64).unwrap_or_default();
                let type_name = facts.members(type_name)[0];
                Given::Thing(Thing { type_name, number })
            } else if let Some(float) = text("float") {
                Given::Float(float.parse().expect("a float"))
            } else if let Some(code) = text("failed") {
                Given::Failed(coded(code))
            } else {
                Given::Json(fixed.clone())
            }
        }
        _ => Given::Json(fixed.clone()),
    }
}

fn broken(name: &str) -> Broken {
    match name {
        "panics" => Broken::Panics,
        "short" => Broken::Short,
        code => Broken::Fails(coded(code)),
    }
}

fn failure(rng: &mut Rng) -> FieldError {
    coded(["SOFT", "SLOTS", "DETAILS", "INTERNAL"][rng.usize(..4)])
}

fn coded(code: &str) -> FieldError {
    match code {
        "SLOTS" => FieldError::new("SLOTS", 422, "Slot “1” holds a \"text\".\n")
            .slot("one", "1")
            .slot("n", 2),
        "DETAILS" => FieldError::new("DETAILS", 409, "There is more.").detail("more", json!([1, null, { "a": "b" }])),
        "INTERNAL" => FieldError::internal("the disk is full"),
        _ => FieldError::new("SOFT", 404, "It fails softly."),
    }
}

/// Depends only on the arguments.
pub(crate) fn mixed(seed: u64, words: &[&str]) -> Rng {
    let mut state = seed ^ 0xcbf2_9ce4_8422_2325;
    let mut mix = |byte: u8| state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    for word in words {
        // Not `chain`, which costs a tenth of the test's time without optimization.
        for byte in word.as_bytes() {
            mix(*byte);
        }
        mix(0xff);
    }
    Rng::with_seed(state)
}

pub(crate) fn canonical(arguments: &Map<String, Value>) -> String {
    fn write(value: &Value, out: &mut String) {
        match value {
            Value::Number(number) => *out += &number.as_f64().unwrap_or_default().to_string(),
            Value::Array(entries) => {
                out.push('[');
                for entry in entries {
                    write(entry, out);
                    out.push(',');
                }
                out.push(']');
            }
            Value::Object(fields) => {
                out.push('{');
                for (name, value) in fields.iter().collect::<BTreeMap<_, _>>() {
                    *out += name;
                    out.push(':');
                    write(value, out);
                    out.push(',');
                }
                out.push('}');
            }
            other => *out += &other.to_string(),
        }
    }
    if arguments.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    write(&Value::Object(arguments.clone()), &mut out);
    out
}

pub(crate) fn is_rejected(value: &Value) -> bool {
    match value {
        Value::String(text) => text == REJECTED,
        Value::Array(entries) => entries.iter().any(is_rejected),
        Value::Object(fields) => fields.values().any(is_rejected),
        _ => false,
    }
}
