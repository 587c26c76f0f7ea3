//! Random schemas: interfaces that implement interfaces, unions, nested lists, inputs with defaults, `@oneOf`.

use std::fmt::Write as _;

use crate::fuzz_input::{Rng, one};

struct RequiredField {
    name: String,
    arguments: String,
    ty: String,
}

struct Interface {
    /// Includes the interfaces that these implement.
    implements: Vec<usize>,
    required: Vec<RequiredField>,
}

struct SchemaWriter {
    rng: Rng,
    inputs: Vec<String>,
    composites: Vec<String>,
    interfaces: Vec<Interface>,
    out: String,
}

const LEAVES: [&str; 8] = ["Int", "Float", "String", "Boolean", "ID", "Anything", "Stamp", "E0"];

pub(crate) fn schema(seed: u64) -> String {
    let mut writer = SchemaWriter {
        rng: Rng::with_seed(seed),
        inputs: Vec::new(),
        composites: Vec::new(),
        interfaces: Vec::new(),
        out: "schema { query: Query mutation: Mutation subscription: Subscription }\nscalar Anything\nscalar Stamp\nenum E0 { RED GREEN BLUE }\n"
            .to_owned(),
    };
    let (interfaces, objects) = (writer.rng.usize(..4), 2 + writer.rng.usize(..5));
    let unions = writer.rng.usize(..3);
    let named = |letter: &str, count: usize| (0..count).map(|at| format!("{letter}{at}")).collect::<Vec<_>>();
    writer.composites = [named("T", objects), named("I", interfaces), named("U", unions)].concat();
    if writer.rng.usize(..4) == 0 {
        // The root type can also be the type of a field.
        writer.composites.push("Query".to_owned());
    }
    for at in 0..writer.rng.usize(..4) {
        writer.input(at);
    }
    for at in 0..interfaces {
        writer.interface(at);
    }
    for name in named("T", objects) {
        writer.object(&name);
    }
    for name in named("U", unions) {
        let members: Vec<String> = named("T", objects)
            .into_iter()
            .filter(|_| writer.rng.usize(..2) == 0)
            .collect();
        let members = if members.is_empty() {
            "T0".to_owned()
        } else {
            members.join(" | ")
        };
        writeln!(writer.out, "union {name} = {members}").unwrap();
    }
    for root in ["Query", "Mutation", "Subscription"] {
        writer.root(root);
    }
    writer.out
}

impl SchemaWriter {
    fn wrapped(&mut self, name: &str) -> String {
        let lists = [0, 0, 0, 0, 1, 1, 1, 2][self.rng.usize(..8)];
        let mut ty = name.to_owned();
        for at in 0..=lists {
            if at > 0 {
                ty = format!("[{ty}]");
            }
            if self.rng.usize(..5) < 2 {
                ty.push('!');
            }
        }
        ty
    }

    fn output(&mut self) -> String {
        let composites = self.composites.clone();
        let names: Vec<&str> = composites.iter().map(String::as_str).collect();
        let name = if self.rng.usize(..2) == 0 {
            one(&mut self.rng, &LEAVES)
        } else {
            one(&mut self.rng, &names)
        };
        self.wrapped(name)
    }

    fn arguments(&mut self, most: usize) -> String {
        let count = self.rng.usize(..most + 1);
        if count == 0 {
            return String::new();
        }
        let arguments: Vec<String> = (0..count).map(|at| self.input_value(&format!("a{at}"))).collect();
        format!("({})", arguments.join(", "))
    }

    fn input_value(&mut self, name: &str) -> String {
        let inputs = self.inputs.clone();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let is_input = !inputs.is_empty() && self.rng.usize(..3) == 0;
        let of = if is_input {
            one(&mut self.rng, &inputs)
        } else {
            one(&mut self.rng, &LEAVES)
        };
        let ty = self.wrapped(of);
        let default = if self.rng.usize(..3) == 0 {
            self.default(&ty)
        } else {
            None
        };
        format!(
            "{name}: {ty}{}",
            default.map_or_else(String::new, |value| format!(" = {value}"))
        )
    }

    fn default(&mut self, ty: &str) -> Option<String> {
        if !ty.ends_with('!') && self.rng.usize(..5) == 0 {
            return Some("null".to_owned());
        }
        let ty = ty.trim_end_matches('!');
        if let Some(item) = ty.strip_prefix('[') {
            let item = &item[..item.len() - 1];
            if self.rng.usize(..3) == 0 {
                return Some("[]".to_owned());
            }
            let entry = self.default(item)?;
            let is_single = entry != "null" && !item.starts_with('[') && self.rng.usize(..2) == 0;
            return Some(if is_single { entry } else { format!("[{entry}]") });
        }
        let value = match ty {
            "Int" => "7",
            "Float" => ["1", "0.5", "1e3"][self.rng.usize(..3)],
            "String" => "\"text\"",
            "Boolean" => "true",
            "ID" => ["1", "\"one\""][self.rng.usize(..2)],
            "Anything" => ["[1, { a: null }]", "{ a: [true] }", "\"any\""][self.rng.usize(..3)],
            "Stamp" => "\"2026\"",
            "E0" => "GREEN",
            _ => return None,
        };
        Some(value.to_owned())
    }

    fn input(&mut self, at: usize) {
        let name = format!("In{at}");
        let count = 1 + self.rng.usize(..4);
        let mut fields = Vec::new();
        let is_one_of = self.rng.usize(..4) == 0;
        for at in 0..count {
            let field = self.input_value(&format!("f{at}"));
            fields.push(if is_one_of { optional(&field) } else { field });
        }
        // Recursive fields are nullable, so that values can be finite.
        if !is_one_of && self.rng.usize(..3) == 0 {
            fields.push(format!("again: {name}"));
            fields.push(format!("many: [{name}!]"));
        }
        let directive = if is_one_of { " @oneOf" } else { "" };
        writeln!(self.out, "input {name}{directive} {{ {} }}", fields.join(" ")).unwrap();
        self.inputs.push(name);
    }

    fn interface(&mut self, at: usize) {
        let mut implements = Vec::new();
        for other in 0..at {
            if self.rng.usize(..3) == 0 {
                implements.extend(self.interfaces[other].implements.clone());
                implements.push(other);
            }
        }
        implements.sort_unstable();
        implements.dedup();
        // Objects have one field for all interfaces.
        let mut required = vec![RequiredField {
            name: "name".to_owned(),
            arguments: String::new(),
            ty: "String".to_owned(),
        }];
        for number in 0..=self.rng.usize(..2) {
            let (ty, arguments) = (self.output(), self.arguments(1));
            required.push(RequiredField {
                name: format!("i{at}{number}"),
                arguments,
                ty,
            });
        }
        let name = format!("I{at}");
        let fields = self.required_fields(&implements, &required);
        let clause = clause(&implements);
        writeln!(self.out, "interface {name}{clause} {{ {} }}", fields.join(" ")).unwrap();
        self.interfaces.push(Interface { implements, required });
    }

    fn required_fields(&mut self, implements: &[usize], own: &[RequiredField]) -> Vec<String> {
        let mut fields: Vec<(String, String)> = Vec::new();
        let all = implements
            .iter()
            .flat_map(|at| &self.interfaces[*at].required)
            .chain(own);
        for RequiredField { name, arguments, ty } in all {
            if !fields.iter().any(|(known, _)| known == name) {
                fields.push((name.clone(), format!("{name}{arguments}: {ty}")));
            }
        }
        fields.into_iter().map(|(_, field)| field).collect()
    }

    fn object(&mut self, name: &str) {
        let mut implements: Vec<usize> = Vec::new();
        for at in 0..self.interfaces.len() {
            if self.rng.usize(..2) == 0 {
                implements.extend(self.interfaces[at].implements.clone());
                implements.push(at);
            }
        }
        implements.sort_unstable();
        implements.dedup();
        let mut fields = self.required_fields(&implements, &[]);
        for field in &mut fields {
            if !field.ends_with('!') && self.rng.usize(..4) == 0 {
                field.push('!');
            }
        }
        for own in ["a", "b", "c", "d", "e"].into_iter().take(1 + self.rng.usize(..5)) {
            let (ty, arguments) = (self.output(), self.arguments(2));
            fields.push(format!("{own}{arguments}: {ty}"));
        }
        let clause = clause(&implements);
        writeln!(self.out, "type {name}{clause} {{ {} }}", fields.join(" ")).unwrap();
    }

    fn root(&mut self, name: &str) {
        let mut fields = Vec::new();
        for at in 0..3 + self.rng.usize(..5) {
            // Root fields mostly return objects, because the selections below them are of interest.
            let composites = self.composites.clone();
            let names: Vec<&str> = composites
                .iter()
                .map(String::as_str)
                .filter(|name| *name != "Query")
                .collect();
            let of = if self.rng.usize(..4) == 0 {
                one(&mut self.rng, &LEAVES)
            } else {
                one(&mut self.rng, &names)
            };
            let (ty, arguments) = (self.wrapped(of), self.arguments(3));
            fields.push(format!("r{at}{arguments}: {ty}"));
        }
        writeln!(self.out, "type {name} {{ {} }}", fields.join(" ")).unwrap();
    }
}

fn clause(implements: &[usize]) -> String {
    if implements.is_empty() {
        return String::new();
    }
    let names: Vec<String> = implements.iter().map(|at| format!("I{at}")).collect();
    format!(" implements {}", names.join(" & "))
}

fn optional(field: &str) -> String {
    field
        .split(" = ")
        .next()
        .unwrap_or_default()
        .trim_end_matches('!')
        .to_owned()
}
