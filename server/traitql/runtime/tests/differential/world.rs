//! The data behind the resolvers of a case: objects, leaves, and all kinds of faults. Everything is derived from a
//! seed and the request, so that both engines and the judge see the same data, independently of the order of access.

use std::collections::BTreeMap;

use apollo_compiler::{ast::Type, schema::ExtendedType};
use serde_json::{Map, Value, json};
use traitql::FieldError;

use crate::{
    chance::Chance,
    facts::{Facts, QUERY, SUBSCRIPTION},
    faults::Faults,
};

/// An object. All of its data is derived from its type and its number.
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

/// A fault of a whole resolver call, independent of its parents.
#[derive(Clone)]
pub(crate) enum Broken {
    /// The resolver returns an error.
    Fails(FieldError),
    /// The resolver panics.
    Panics,
    /// The resolver returns too few results.
    Short,
}

#[derive(Clone, Default)]
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) faults: Faults,
    /// Fixed values by coordinate, in the form of [`fixed_value`]. Fixtures define them.
    pub(crate) fixed: BTreeMap<String, Value>,
}

/// An argument that no scalar accepts.
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
        let mut chance = self.chance(&[coordinate, &canonical(arguments), "broken"]);
        match chance.below(60) {
            0 | 1 if self.faults.has(Faults::RESOLVERS) => Some(Broken::Fails(failure(&mut chance))),
            2 if self.faults.has(Faults::PANICS) => Some(Broken::Panics),
            3 if self.faults.has(Faults::SHORT) => Some(Broken::Short),
            _ => None,
        }
    }

    /// True if reading this field from its object panics.
    pub(crate) fn panics(&self, thing: Thing, field: &str) -> bool {
        let coordinate = format!("{}.{field}", thing.type_name);
        if let Some(fixed) = self.fixed.get(&coordinate) {
            return fixed.get("broken").is_some();
        }
        let words = [&coordinate, &thing.number.to_string(), "panics"];
        self.faults.has(Faults::PANICS) && self.chance(&words).below(80) == 0
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
        let mut chance = self.chance(&[&coordinate, &parent.number.to_string(), &canonical(arguments)]);
        if !is_stored && self.faults.has(Faults::PARENTS) && chance.below(20) == 0 {
            return Given::Failed(failure(&mut chance));
        }
        self.value(facts, &definition.ty, &mut chance)
    }

    /// Returns the events of a stream, or `Err` if it cannot be started.
    pub(crate) fn events(
        &self,
        facts: &Facts,
        field: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Vec<Result<Given, FieldError>>, FieldError> {
        let definition = facts.field(SUBSCRIPTION, field).expect("the document is valid");
        let mut chance = self.chance(&[field, &canonical(arguments), "events"]);
        let is_faulty = self.faults.has(Faults::EVENTS);
        if is_faulty && chance.below(8) == 0 {
            return Err(failure(&mut chance));
        }
        let count = 1 + chance.below(3);
        let event = |_| match chance.below(5) {
            0 if is_faulty => Err(failure(&mut chance)),
            _ => Ok(self.value(facts, &definition.ty, &mut chance)),
        };
        Ok((0..count).map(event).collect())
    }

    /// Returns how many times a resolver yields before it returns.
    pub(crate) fn delay(&self, coordinate: &str) -> usize {
        if self.faults.has(Faults::DELAYS) {
            self.chance(&[coordinate, "delay"]).below(5)
        } else {
            0
        }
    }

    fn chance(&self, words: &[&str]) -> Chance {
        mixed(self.seed, words)
    }

    fn value(&self, facts: &Facts, ty: &Type, chance: &mut Chance) -> Given {
        match (ty.is_non_null(), chance.next() % 64) {
            (true, 0) if self.faults.has(Faults::NULLS) => return Given::Null,
            (false, 0..8) => return Given::Null,
            _ => {}
        }
        match ty {
            Type::List(item) | Type::NonNullList(item) => {
                let count = [0, 1, 2, 2, 3][chance.below(5)];
                Given::List((0..count).map(|_| self.value(facts, item, chance)).collect())
            }
            Type::Named(name) | Type::NonNullNamed(name) => match facts.schema.types.get(name) {
                Some(ExtendedType::Enum(_)) => Given::Text(chance.one(&facts.values(name)).to_owned()),
                Some(ExtendedType::Scalar(_)) | None => self.leaf(name, chance),
                Some(_) => match facts.members(name) {
                    // An interface without implementers.
                    [] => Given::Null,
                    members => {
                        let type_name = members[chance.below(members.len())];
                        // There is only one root object.
                        let number = if type_name == QUERY { 0 } else { chance.next() % 12 };
                        Given::Thing(Thing { type_name, number })
                    }
                },
            },
        }
    }

    fn leaf(&self, scalar: &str, chance: &mut Chance) -> Given {
        match scalar {
            "Boolean" => Given::Boolean(chance.below(2) == 0),
            "Int" => Given::Int([0, -1, 7, i32::MAX, i32::MIN][chance.below(5)]),
            "Float" if self.faults.has(Faults::FLOATS) && chance.below(12) == 0 => {
                Given::Float([f64::NAN, f64::INFINITY, f64::NEG_INFINITY][chance.below(3)])
            }
            "Float" => Given::Float(FLOATS[chance.below(FLOATS.len())]),
            "String" | "ID" => Given::Text(chance.one(&TEXTS).to_owned()),
            _ if self.faults.has(Faults::PANICS) && chance.below(25) == 0 => Given::Panics,
            // A custom scalar can be any JSON; null counts as null.
            _ => Given::Json(match chance.below(8) {
                0 if self.faults.has(Faults::NULLS) => Value::Null,
                0 | 1 => json!({ "z": [1, null, { "ü": "\n" }], "a": -0.5, "": {} }),
                2 => json!([[], [[u64::MAX, i64::MIN]], true]),
                3 => json!(chance.next()),
                4 => json!(false),
                _ => json!(TEXTS[chance.below(TEXTS.len())]),
            }),
        }
    }
}

/// Converts a value from a fixture: JSON, with `{"object": "T1"}` for an object of that type, `{"float": "NaN"}` for a
/// float, and `{"failed": "SOFT"}` for an error of one parent.
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

fn failure(chance: &mut Chance) -> FieldError {
    coded(["SOFT", "SLOTS", "DETAILS", "INTERNAL"][chance.below(4)])
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

/// Returns a generator that depends only on the seed and some words.
pub(crate) fn mixed(seed: u64, words: &[&str]) -> Chance {
    let mut state = seed ^ 0xcbf2_9ce4_8422_2325;
    for word in words {
        for byte in word.bytes().chain([0xff]) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    Chance(state)
}

/// Returns arguments in canonical form, independent of the order of fields and of the notation of whole numbers.
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

/// True if the value contains an argument that no scalar accepts.
pub(crate) fn is_rejected(value: &Value) -> bool {
    match value {
        Value::String(text) => text == REJECTED,
        Value::Array(entries) => entries.iter().any(is_rejected),
        Value::Object(fields) => fields.values().any(is_rejected),
        _ => false,
    }
}
