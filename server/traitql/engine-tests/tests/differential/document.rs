//! Random documents; invalid ones are discarded.

use apollo_compiler::{Node, ast::FieldDefinition};

use crate::{
    facts::{Facts, MUTATION, QUERY, SUBSCRIPTION},
    fuzz_input::{Rng, one},
    values::{Literals, Variables},
    world::mixed,
};

struct Writer<'a> {
    facts: &'a Facts,
    rng: Rng,
    variables: Variables,
    fragments: Vec<(String, String, String)>,
    started: usize,
    /// By type, to be selected again.
    heads: Vec<(String, String, Node<FieldDefinition>)>,
    left: usize,
}

pub(crate) fn document(facts: &Facts, seed: u64) -> String {
    let mut writer = Writer {
        facts,
        rng: Rng::with_seed(seed),
        variables: Variables::default(),
        fragments: Vec::new(),
        started: 0,
        heads: Vec::new(),
        left: 40,
    };
    let (kind, root) = match writer.rng.usize(..8) {
        0 | 1 => ("mutation", MUTATION),
        2 => ("subscription", SUBSCRIPTION),
        _ => ("query", QUERY),
    };
    let selections = if root == SUBSCRIPTION {
        // A subscription has one root field without a condition.
        let fields = facts.fields(root);
        let field = fields[writer.rng.usize(..fields.len())].clone();
        writer.selected(root, &field, 3, "")
    } else {
        writer.selections(root, 4)
    };
    let fragments: String = writer.fragments.iter().map(|(_, _, text)| text.as_str()).collect();
    // Variables can be created without being used in the final text.
    let is_used = |name: &str| {
        let uses = [&selections, &fragments]
            .into_iter()
            .flat_map(|text| text.split('$').skip(1));
        uses.into_iter()
            .any(|after| after.split(|letter: char| !letter.is_alphanumeric()).next() == Some(name))
    };
    let defined = writer.variables.defined.iter().filter(|(name, _)| is_used(name));
    let variables: Vec<String> = defined.map(|(name, ty)| format!("${name}: {ty}")).collect();
    let variables = if variables.is_empty() {
        String::new()
    } else {
        format!("({})", variables.join(", "))
    };
    format!("{kind} Made{variables} {{ {selections}}}\n{fragments}")
}

impl Writer<'_> {
    fn selections(&mut self, type_name: &str, depth: usize) -> String {
        let mut out = String::new();
        // The set must not be empty.
        if self.rng.usize(..3) > 0 || self.facts.fields(type_name).is_empty() {
            out += ["__typename ", "kind: __typename "][self.rng.usize(..2)];
        }
        for _ in 0..=self.rng.usize(..4) {
            match self.rng.usize(..10) {
                0 | 1 => out += &self.inline(type_name, depth),
                2 | 3 => out += &self.spread(type_name, depth),
                4 if type_name == QUERY && depth == 4 && self.rng.usize(..3) == 0 => {
                    out += "__type(name: \"T0\") { kind name fields { name type { name ofType { name } } } } ";
                }
                _ => out += &self.field(type_name, depth),
            }
        }
        if out.is_empty() {
            out += "__typename ";
        }
        out
    }

    fn inline(&mut self, type_name: &str, depth: usize) -> String {
        let condition = self.conditions();
        if self.rng.usize(..5) == 0 {
            return format!(
                "...{condition} {{ {}}} ",
                self.selections(type_name, depth.saturating_sub(1))
            );
        }
        let on = self.overlapping(type_name);
        format!(
            "... on {on}{condition} {{ {}}} ",
            self.selections(&on, depth.saturating_sub(1))
        )
    }

    fn spread(&mut self, type_name: &str, depth: usize) -> String {
        let condition = self.conditions();
        let possible = self.facts.overlapping(type_name);
        let known: Vec<&str> = self
            .fragments
            .iter()
            .filter(|(_, on, _)| possible.iter().any(|name| name.as_str() == on))
            .map(|(name, ..)| name.as_str())
            .collect();
        if !known.is_empty() && self.rng.usize(..2) == 0 {
            return format!("...{}{condition} ", one(&mut self.rng, &known));
        }
        if depth == 0 || self.left == 0 {
            return String::new();
        }
        let on = self.overlapping(type_name);
        let name = format!("F{}", self.started);
        self.started += 1;
        let selections = self.selections(&on, depth - 1);
        let text = format!("fragment {name} on {on} {{ {selections}}}\n");
        self.fragments.push((name.clone(), on, text));
        let again = if self.rng.usize(..4) == 0 {
            format!("...{name} ")
        } else {
            String::new()
        };
        format!("...{name}{condition} {again}")
    }

    fn field(&mut self, type_name: &str, depth: usize) -> String {
        let condition = self.conditions();
        let known: Vec<usize> = (0..self.heads.len())
            .filter(|at| self.heads[*at].0 == type_name)
            .collect();
        if !known.is_empty() && self.rng.usize(..3) == 0 {
            let (_, head, field) = self.heads[known[self.rng.usize(..known.len())]].clone();
            return self.with_head(&head, &field, depth, &condition);
        }
        let fields = self.facts.fields(type_name);
        if fields.is_empty() {
            return String::new();
        }
        let field = fields[self.rng.usize(..fields.len())].clone();
        self.selected(type_name, &field, depth, &condition)
    }

    fn selected(&mut self, type_name: &str, field: &Node<FieldDefinition>, depth: usize, condition: &str) -> String {
        let (facts, rng) = (self.facts, &mut self.rng);
        let mut literals = Literals {
            facts,
            rng,
            variables: Some(&mut self.variables),
        };
        let arguments: Vec<String> = field
            .arguments
            .iter()
            .filter_map(|argument| literals.named(argument, 3))
            .collect();
        let arguments = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        // Equal keys require equal fields.
        let key = match self.rng.usize(..4) {
            0 if arguments.is_empty() => String::new(),
            1 => format!("k{}: ", self.rng.usize(..1000)),
            _ => format!(
                "{}_{}: ",
                field.name,
                mixed(0, &[&field.ty.to_string(), &arguments]).usize(..100_000)
            ),
        };
        let head = format!("{key}{}{arguments}", field.name);
        self.heads.push((type_name.to_owned(), head.clone(), field.clone()));
        self.with_head(&head, field, depth, condition)
    }

    fn with_head(&mut self, head: &str, field: &FieldDefinition, depth: usize, condition: &str) -> String {
        if self.facts.is_leaf(&field.ty) {
            return format!("{head}{condition} ");
        }
        if depth == 0 || self.left == 0 {
            return format!("{head}{condition} {{ __typename }} ");
        }
        self.left -= 1;
        let below = self.selections(field.ty.inner_named_type(), depth - 1);
        format!("{head}{condition} {{ {below}}} ")
    }

    fn conditions(&mut self) -> String {
        let mut out = String::new();
        for (name, often) in [("include", 8), ("skip", 12)] {
            if self.rng.usize(..often.max(1)) > 0 {
                continue;
            }
            let value = match self.rng.usize(..6) {
                0 => "true".to_owned(),
                1 => "false".to_owned(),
                other => {
                    // A null condition, which only the last type allows, rejects the whole request.
                    let often = ["Boolean!", "Boolean! = true", "Boolean! = false"];
                    let ty = match self.rng.usize(..8) {
                        0 => "Boolean = true",
                        _ => often[other % 3],
                    };
                    let (facts, rng) = (self.facts, &mut self.rng);
                    let mut literals = Literals {
                        facts,
                        rng,
                        variables: Some(&mut self.variables),
                    };
                    format!("${}", literals.variable(ty.to_owned()))
                }
            };
            out += &format!(" @{name}(if: {value})");
        }
        out
    }

    fn overlapping(&mut self, type_name: &str) -> String {
        let names = self.facts.overlapping(type_name);
        if names.is_empty() {
            return type_name.to_owned();
        }
        names[self.rng.usize(..names.len())].to_string()
    }
}
