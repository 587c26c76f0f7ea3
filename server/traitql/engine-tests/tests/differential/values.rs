use apollo_compiler::{
    Node,
    ast::{InputValueDefinition, Type},
    schema::ExtendedType,
};
use serde_json::{Map, Value, json};

use crate::{
    facts::Facts,
    fuzz_input::{Rng, one},
    world::REJECTED,
};

#[derive(Default)]
pub(crate) struct Variables {
    /// Name without `$`, and `Type` or `Type = default`.
    pub(crate) defined: Vec<(String, String)>,
}

pub(crate) struct Literals<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) rng: &'a mut Rng,
    /// `None` where variables are not allowed.
    pub(crate) variables: Option<&'a mut Variables>,
}

impl Literals<'_> {
    pub(crate) fn named(&mut self, definition: &InputValueDefinition, depth: usize) -> Option<String> {
        let has_default = definition.default_value.is_some();
        let is_needed = definition.ty.is_non_null() && !has_default;
        if !is_needed && (depth == 0 || self.rng.usize(..5) < 2) {
            return None;
        }
        Some(format!(
            "{}: {}",
            definition.name,
            self.place(&definition.ty, has_default, depth)
        ))
    }

    fn place(&mut self, ty: &Type, has_default: bool, depth: usize) -> String {
        if self.variables.is_some() && self.rng.usize(..4) == 0 {
            let bare = ty.clone().nullable();
            let default = |this: &mut Self, of: &Type| {
                let mut constant = Literals {
                    facts: this.facts,
                    rng: this.rng,
                    variables: None,
                };
                constant.value(of, 2)
            };
            // In a non-null position, a nullable variable needs a default, or the position must have one.
            let definition = match (self.rng.usize(..4), ty.is_non_null()) {
                (0, false) => bare.to_string(),
                (0, true) if has_default => bare.to_string(),
                (1, _) => format!("{} = {}", bare, default(self, &bare.clone().non_null())),
                (2, false) => format!("{} = {}", bare, default(self, &bare)),
                (2, true) => format!("{} = {}", ty, default(self, ty)),
                _ => bare.non_null().to_string(),
            };
            return format!("${}", self.variable(definition));
        }
        self.value(ty, depth)
    }

    pub(crate) fn variable(&mut self, definition: String) -> String {
        let variables = self
            .variables
            .as_deref_mut()
            .expect("only called where variables are allowed");
        let known = variables.defined.iter().find(|(_, known)| *known == definition);
        if let Some((name, _)) = known.filter(|_| self.rng.usize(..2) == 0) {
            return name.clone();
        }
        let name = format!("v{}", variables.defined.len());
        variables.defined.push((name.clone(), definition));
        name
    }

    fn value(&mut self, ty: &Type, depth: usize) -> String {
        if !ty.is_non_null() && self.rng.usize(..6) == 0 {
            return "null".to_owned();
        }
        match ty {
            Type::List(item) | Type::NonNullList(item) => {
                if !item.is_list() && self.rng.usize(..5) == 0 {
                    // A single value represents a list of one.
                    return self.value(&item.as_ref().clone().non_null(), depth);
                }
                let count = if depth == 0 { 0 } else { self.rng.usize(..3) };
                let entries: Vec<String> = (0..count).map(|_| self.place(item, false, depth - 1)).collect();
                format!("[{}]", entries.join(", "))
            }
            Type::Named(name) | Type::NonNullNamed(name) => self.present(name, depth),
        }
    }

    fn present(&mut self, name: &str, depth: usize) -> String {
        let facts = self.facts;
        match facts.schema.types.get(name) {
            Some(ExtendedType::Enum(_)) => one(self.rng, &facts.values(name)).to_owned(),
            Some(ExtendedType::InputObject(input)) if input.is_one_of() => {
                let fields: Vec<&Node<InputValueDefinition>> = input.fields.values().collect();
                let field = fields[self.rng.usize(..fields.len())];
                let present = field.ty.as_ref().clone().non_null();
                let value = if self.variables.is_some() && self.rng.usize(..3) == 0 {
                    format!("${}", self.variable(present.to_string()))
                } else {
                    self.value(&present, depth.saturating_sub(1))
                };
                format!("{{ {}: {value} }}", field.name)
            }
            Some(ExtendedType::InputObject(input)) => {
                let fields: Vec<String> = input
                    .fields
                    .values()
                    .filter_map(|field| self.named(field, depth.saturating_sub(1)))
                    .collect();
                format!("{{ {} }}", fields.join(", "))
            }
            _ => match name {
                "Int" => ["0", "-7", "2147483647"][self.rng.usize(..3)].to_owned(),
                "Float" => ["1", "-0.5", "1e10"][self.rng.usize(..3)].to_owned(),
                "Boolean" => ["true", "false"][self.rng.usize(..2)].to_owned(),
                "ID" => ["5", "\"five\""][self.rng.usize(..2)].to_owned(),
                "String" => {
                    ["\"\"", "\"a \\\"b\\\" \\u00fc\"", "\"\"\"block\n  text\"\"\""][self.rng.usize(..3)].to_owned()
                }
                _ if self.rng.usize(..40) == 0 => format!("\"{REJECTED}\""),
                _ => ["\"any\"", "{ a: [1, null, { b: -0.5 }] }", "[[true]]", "12"][self.rng.usize(..4)].to_owned(),
            },
        }
    }
}

pub(crate) fn variables(facts: &Facts, definitions: &[(String, Type, bool)], rng: &mut Rng) -> Map<String, Value> {
    let mut given = Map::new();
    let is_wrong = rng.usize(..8) == 0;
    let wrong = is_wrong.then(|| rng.usize(..definitions.len().max(1)));
    for (at, (name, ty, has_default)) in definitions.iter().enumerate() {
        let is_optional = *has_default || !ty.is_non_null();
        if is_optional && rng.usize(..3) == 0 {
            continue;
        }
        if wrong == Some(at) && rng.usize(..6) == 0 {
            continue;
        }
        let mut json = Json {
            facts,
            rng,
            is_wrong: wrong == Some(at),
        };
        let value = json.value(ty, 3);
        given.insert(name.clone(), value);
    }
    if rng.usize(..10) == 0 {
        given.insert("undeclared".to_owned(), json!({ "a": "value" }));
    }
    given
}

struct Json<'a> {
    facts: &'a Facts,
    rng: &'a mut Rng,
    is_wrong: bool,
}

impl Json<'_> {
    fn value(&mut self, ty: &Type, depth: usize) -> Value {
        if self.is_wrong && self.rng.usize(..4) == 0 {
            let values = [
                json!(null),
                json!(1.5),
                json!("text"),
                json!([]),
                json!({ "x": 1 }),
                json!(3e9),
                json!(REJECTED),
            ];
            return values[self.rng.usize(..values.len())].clone();
        }
        if !ty.is_non_null() && self.rng.usize(..5) == 0 {
            return Value::Null;
        }
        match ty {
            Type::List(item) | Type::NonNullList(item) => {
                if !item.is_list() && self.rng.usize(..5) == 0 {
                    return self.value(&item.as_ref().clone().non_null(), depth);
                }
                let count = if depth == 0 { 0 } else { self.rng.usize(..3) };
                (0..count).map(|_| self.value(item, depth - 1)).collect()
            }
            Type::Named(name) | Type::NonNullNamed(name) => self.present(name, depth),
        }
    }

    fn present(&mut self, name: &str, depth: usize) -> Value {
        let facts = self.facts;
        match facts.schema.types.get(name) {
            Some(ExtendedType::Enum(_)) => one(self.rng, &facts.values(name)).into(),
            Some(ExtendedType::InputObject(input)) if input.is_one_of() => {
                let fields: Vec<&Node<InputValueDefinition>> = input.fields.values().collect();
                let field = fields[self.rng.usize(..fields.len())];
                let value = self.value(&field.ty.as_ref().clone().non_null(), depth.saturating_sub(1));
                json!({ field.name.as_str(): value })
            }
            Some(ExtendedType::InputObject(input)) => {
                let mut object = Map::new();
                for field in input.fields.values() {
                    let is_needed = field.ty.is_non_null() && field.default_value.is_none();
                    if is_needed || depth > 0 && self.rng.usize(..2) == 0 {
                        object.insert(field.name.to_string(), self.value(&field.ty, depth.saturating_sub(1)));
                    }
                }
                object.into()
            }
            _ => match name {
                "Int" => [json!(0), json!(-5), json!(12.0), json!(i32::MAX)][self.rng.usize(..4)].clone(),
                "Float" => [json!(1), json!(-0.5), json!(1e300)][self.rng.usize(..3)].clone(),
                "Boolean" => (self.rng.usize(..2) == 0).into(),
                "ID" => [json!("id"), json!(5), json!(u64::MAX)][self.rng.usize(..3)].clone(),
                "String" => ["", "ü \u{2028} \"", "long enough"][self.rng.usize(..3)].into(),
                _ => {
                    [json!("any"), json!({ "a": [1, null] }), json!([[0.5]]), json!(true)][self.rng.usize(..4)].clone()
                }
            },
        }
    }
}
