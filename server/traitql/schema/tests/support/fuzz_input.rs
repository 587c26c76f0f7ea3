//! Shuffled tokens or renamed identifiers. By seed.
#![allow(dead_code, unreachable_pub)]

pub use fastrand::Rng;

/// Tokens to insert.
const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "!",
    ":",
    "=",
    "|",
    "&",
    "@",
    "$",
    "...",
    "\"",
    "\"\"\"",
    "#",
    ",",
    "\n",
    "\u{feff}",
    "type",
    "input",
    "enum",
    "union",
    "interface",
    "scalar",
    "directive",
    "extend",
    "schema",
    "implements",
    "on",
    "query",
    "mutation",
    "subscription",
    "fragment",
    "repeatable",
    "true",
    "null",
    "Int",
    "Float",
    "String",
    "ID",
    "Query",
    "Mutation",
    "Subscription",
    "__schema",
    "__typename",
    "Self",
    "self",
    "crate",
    "_",
    "__",
    "r",
    "1",
    "-0",
    "1e999",
    "99999999999999999999",
    "\"\\u{110000}\"",
    "\"\\uD800\"",
    "'",
    "é",
    "\0",
    "@deprecated",
    "@oneOf",
    "@public",
    "@auth",
    "@embedded",
    "@resolve",
    "@cost(times: \"first\")",
    "@specifiedBy(url: \"x\")",
    "PageInfo",
    "Connection",
];

const NAMES: &[&str] = &[
    "Self",
    "self",
    "crate",
    "super",
    "type",
    "async",
    "dyn",
    "r",
    "_",
    "_1",
    "__",
    "a_b",
    "aB",
    "AB",
    "Ab",
    "Option",
    "Vec",
    "String",
    "Box",
    "From",
    "Into",
    "Some",
    "None",
    "Ok",
    "Err",
    "Result",
    "Send",
    "Sync",
    "Default",
    "Debug",
    "Clone",
    "PartialEq",
    "std",
    "core",
    "traitql",
    "types",
    "resolve",
    "engine",
    "field",
    "mock",
    "Mock",
    "Schema",
    "Resolvers",
    "Access",
    "Subject",
    "Grant",
    "Id",
    "Page",
    "Edge",
    "PageInfo",
    "Batch",
    "Ctx",
    "Viewer",
    "Throws",
    "Patch",
    "Json",
    "cx",
    "viewer",
    "parents",
    "given",
    "findings",
    "rows",
    "call",
    "value",
    "args",
    "main",
    "Generated",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "undefined",
    "Infinity",
    "default",
    "class",
    "any",
];

pub fn one<'a, T: ?Sized>(rng: &mut Rng, of: &[&'a T]) -> &'a T {
    of[rng.usize(..of.len())]
}

fn tokens(text: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let blank = rest[end..]
            .find(|letter: char| !letter.is_whitespace())
            .unwrap_or(rest.len() - end);
        let (token, after) = rest.split_at(end + blank);
        tokens.push(token);
        rest = after;
    }
    tokens
}

pub fn mutated(texts: &[String], rng: &mut Rng) -> String {
    let all: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut parts = tokens(one(rng, &all));
    for _ in 0..=rng.usize(..6) {
        let at = rng.usize(..parts.len().max(1));
        let to = (at + rng.usize(..12)).min(parts.len());
        match rng.usize(..7) {
            0 => drop(parts.drain(at..to)),
            1 => {
                let again = parts[at..to].to_vec();
                parts.splice(at..at, again);
            }
            2 => parts.insert(at, one(rng, WORDS)),
            3 if at < parts.len() => parts[at] = one(rng, WORDS),
            // A token of the text itself, so that names clash.
            4 | 5 if !parts.is_empty() => {
                let from = rng.usize(..parts.len().max(1));
                parts[at] = parts[from];
            }
            _ => {
                let other = tokens(one(rng, &all));
                let from = rng.usize(..other.len().max(1));
                let until = (from + rng.usize(..40)).min(other.len());
                parts.splice(at..at, other[from..until].iter().copied());
            }
        }
    }
    parts.concat()
}

pub fn renamed(texts: &[String], rng: &mut Rng) -> String {
    let all: Vec<&str> = texts.iter().map(String::as_str).collect();
    let text = one(rng, &all);
    let mut parts: Vec<String> = tokens(text).into_iter().map(str::to_owned).collect();
    for _ in 0..=rng.usize(..4) {
        let is_name = |part: &String| part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        let names: Vec<String> = parts
            .iter()
            .filter(|part| is_name(part))
            .map(|part| part.trim_end().to_owned())
            .collect();
        let (old, other) = (&names[rng.usize(..names.len())], &names[rng.usize(..names.len())]);
        let new = match rng.usize(..4) {
            0 => other.clone(),
            1 => other.to_uppercase(),
            2 => format!("_{old}"),
            _ => one(rng, NAMES).to_owned(),
        };
        for part in parts.iter_mut().filter(|part| part.trim_end() == old) {
            *part = part.replacen(old.as_str(), &new, 1);
        }
    }
    parts.concat()
}

pub fn bytes(rng: &mut Rng) -> String {
    let length = rng.usize(..400);
    let bytes: Vec<u8> = (0..length).map(|_| rng.u8(..)).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
