//! Fuzz test: the parser returns a request with the content that was sent, or a message, and never panics. A slow and
//! simple parser computes the expected result.
//!
//! The seeds are fixed. `TRAITQL_FUZZ=1000000 cargo test -p traitql-axum --lib fuzz` runs more iterations.

#![allow(clippy::unwrap_used)]

use allocation_counter::measure;
use fastrand::Rng;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, json, value::RawValue};
use traitql::BIG_INTEGERS;

use super::*;
use crate::ws;

const ITERATIONS: u64 = 20_000;

fn iterations() -> u64 {
    std::env::var("TRAITQL_FUZZ").map_or(ITERATIONS, |count| {
        count.parse().expect("`TRAITQL_FUZZ` must be a number")
    })
}

/// Each once and in this order.
const ORDERED_NAMES: &[&str] = &["query", "variables", "operationName", "extensions", "documentId"];

const NAMES: &[&str] = &[
    "query",
    "documentId",
    "operationName",
    "variables",
    "extensions",
    "qu\\u0065ry",
    "Query",
    "",
    "\\ud800",
];

const TEXTS: &[&str] = &[
    r#""{a}""#,
    r#""query A {\n  a\n}""#,
    r#""\u007ba\u007D\/\b\f\n\r\t\\\"""#,
    r#""é\u0000😀\ud83d\ude00""#,
    r#""\ud83d""#,
    r#""sha256:abc""#,
    r#""abc""#,
    r#""""#,
    "null",
];

const OTHERS: &[&str] = &[
    "{}",
    "[]",
    "true",
    "0",
    "-1.5e3",
    "1e999",
    "18446744073709551616",
    "[[[[{}]]]]",
    "nul",
    "{\"a\":1,\"a\":2}",
    "",
];

const EXTENSIONS: &[&str] = &[
    "null",
    "{}",
    r#"{"clientLibrary":{"name":"@apollo/client","version":"4"}}"#,
    r#"{"persistedQuery":{"version":1,"sha256Hash":"abc"}}"#,
    r#"{ "persistedQuery" : { "sha256Hash" : "\u0061bc" , "x" : 1e999 } }"#,
    r#"{"persistedQuery":{"version":2,"sha256Hash":"abc"}}"#,
    r#"{"persistedQuery":{"version":null,"sha256Hash":null}}"#,
    r#"{"persistedQuery":{"sha256Hash":"a","sha256Hash":"b"}}"#,
    r#"{"persistedQuery":null}"#,
    r#"{"persistedQuery":[1,"abc"]}"#,
    "[]",
];

fn one<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.usize(..of.len())]
}

fn value(rng: &mut Rng, name: &str) -> String {
    let pool = match name {
        "variables" if rng.usize(..8) > 0 => {
            let mut text = String::from("{");
            for at in 0..rng.usize(..5) {
                let comma = if at > 0 { "," } else { "" };
                let value = one(rng, &[TEXTS, OTHERS].concat());
                text += &format!("{comma}\"{}\":{value}", one(rng, &["a", "b", "c", "\\u0061"]));
            }
            return text + "}";
        }
        "extensions" if rng.usize(..8) > 0 => EXTENSIONS,
        _ if rng.usize(..8) > 0 => TEXTS,
        _ => OTHERS,
    };
    one(rng, pool).to_owned()
}

fn body(rng: &mut Rng) -> Vec<u8> {
    let blank = |rng: &mut Rng| one(rng, &["", "", " ", "\n\t"]).to_owned();
    let ordered = rng.usize(..2) == 0;
    let mut text = blank(rng) + "{";
    for (at, ordered_name) in ORDERED_NAMES.iter().enumerate().take(rng.usize(..6)) {
        let name = if ordered { ordered_name } else { one(rng, NAMES) };
        text += if at > 0 { "," } else { "" };
        text += &format!("{}\"{name}\"{}:{}", blank(rng), blank(rng), value(rng, name));
    }
    let mut bytes = (text + &blank(rng) + "}").into_bytes();
    for _ in 0..rng.usize(..2) * (1 + rng.usize(..4)) {
        damage(&mut bytes, rng);
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    const MEANINGFUL: &[u8] = b"{}[]\",:\\ \0\xff1eu.-n&=%+";
    let at = rng.usize(..bytes.len() + 1);
    let end = (at + rng.usize(..12)).min(bytes.len());
    match rng.usize(..4) {
        0 => drop(bytes.drain(at..end)),
        1 => bytes.extend_from_within(at..end),
        2 => bytes.truncate(at),
        _ => bytes
            .splice(at..end.min(at + 1), [MEANINGFUL[rng.usize(..MEANINGFUL.len())]])
            .for_each(drop),
    }
}

#[derive(Debug, PartialEq)]
struct Content {
    query: Option<String>,
    id: Option<String>,
    operation: Option<String>,
    variables: Variables,
}

fn read(request: Result<GraphqlRequest<'_>, Problem>) -> Result<Content, String> {
    let message = |problem: Problem| problem.errors[0].slots["problem"].as_str().unwrap().to_owned();
    let request = request.map_err(message)?;
    Ok(Content {
        query: request
            .query
            .map(|text| text.plain("query").map(Cow::into_owned))
            .transpose()
            .map_err(message)?,
        id: request.document_id.map(Cow::into_owned),
        operation: request.operation_name.map(Cow::into_owned),
        variables: request.variables,
    })
}

struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

fn member<'m>(members: &'m Members, name: &str) -> Result<Option<&'m str>, ()> {
    let mut found = members
        .0
        .iter()
        .filter(|(key, _)| key == name)
        .map(|(_, json)| json.get());
    match (found.next(), found.next()) {
        (_, Some(_)) => Err(()),
        (json, None) => Ok(json.filter(|json| *json != "null")),
    }
}

/// Rejects repeated names, and collects the digits of big integers.
fn check_value(json: &str, path: &str, digits: &mut Variables) -> Result<(), ()> {
    if let Ok(Members(members)) = serde_json::from_str(json) {
        for (index, (name, json)) in members.iter().enumerate() {
            if members[..index].iter().any(|(earlier, _)| earlier == name) {
                return Err(());
            }
            check_value(json.get(), &format!("{path}.{name}"), digits)?;
        }
    } else if let Ok(entries) = serde_json::from_str::<Vec<Box<RawValue>>>(json) {
        for (index, entry) in entries.iter().enumerate() {
            check_value(entry.get(), &format!("{path}.{index}"), digits)?;
        }
    } else if is_big_integer(json) {
        digits.insert(path.to_owned(), json.into());
    }
    Ok(())
}

fn is_big_integer(json: &str) -> bool {
    let digits = json.strip_prefix('-').unwrap_or(json);
    let fits = |number: i128| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&number);
    digits.starts_with(|digit: char| digit.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !json.parse().is_ok_and(fits)
}

fn expected(body: &[u8]) -> Result<Content, ()> {
    fn parsed<T: for<'a> Deserialize<'a>>(json: &str) -> Result<T, ()> {
        serde_json::from_str(json).map_err(drop)
    }
    let members: Members = serde_json::from_slice(body).map_err(drop)?;
    let text = |name| member(&members, name)?.map(parsed::<String>).transpose();
    let variables = match member(&members, "variables")? {
        None => Variables::new(),
        Some(json) => {
            let each: Members = parsed(json)?;
            let (mut variables, mut digits) = (Variables::new(), Variables::new());
            for (name, json) in each.0 {
                check_value(json.get(), &name, &mut digits)?;
                variables
                    .insert(name, parsed(json.get())?)
                    .map_or(Ok(()), |_| Err(()))?;
            }
            // No variable has an empty name, which is reserved for the digits.
            variables.shift_remove(BIG_INTEGERS);
            if !digits.is_empty() {
                variables.insert(BIG_INTEGERS.to_owned(), digits.into());
            }
            variables
        }
    };
    let mut hash = None;
    if let Some(extensions) = member(&members, "extensions")?
        && let Some(persisted) = member(&parsed(extensions)?, "persistedQuery")?
    {
        let persisted: Members = parsed(persisted)?;
        if member(&persisted, "version")?.is_some_and(|version| version != "1") {
            return Err(());
        }
        hash = Some(parsed::<String>(member(&persisted, "sha256Hash")?.ok_or(())?)?);
    }
    let (query, id) = (text("query")?, text("documentId")?);
    let same = |id: &String, hash: &String| id.strip_prefix("sha256:").unwrap_or(id) == hash;
    if id.as_ref().zip(hash.as_ref()).is_some_and(|(id, hash)| !same(id, hash)) {
        return Err(());
    }
    let id = id.or(hash);
    let operation = text("operationName")?;
    (query.is_some() || id.is_some()).then_some(()).ok_or(())?;
    Ok(Content {
        query,
        id,
        operation,
        variables,
    })
}

fn contains_a_position(problem: &str, body: &[u8]) -> bool {
    if problem.contains('`') || problem.contains(" byte ") || problem == "the body is empty" {
        return true;
    }
    let Some((_, place)) = problem.rsplit_once(" at line ") else {
        return false;
    };
    let (line, column) = place.split_once(" column ").unwrap();
    let lines: Vec<&[u8]> = body.split(|byte| *byte == b'\n').collect();
    let (line, column): (usize, usize) = (line.parse().unwrap(), column.parse().unwrap());
    lines.get(line.max(1) - 1).is_some_and(|line| column <= line.len() + 1)
}

#[test]
fn bodies_are_parsed_as_expected_or_rejected_with_a_position() {
    let mut valid = 0;
    for seed in 0..iterations() {
        let body = body(&mut Rng::with_seed(seed));
        let shown = String::from_utf8_lossy(&body);
        match (read(from_json(&body)), expected(&body)) {
            (Ok(read), Ok(expected)) => {
                assert_eq!(read, expected, "seed {seed}: {shown}");
                // The numbers themselves are rounded.
                let mut read = read;
                read.variables.shift_remove(BIG_INTEGERS);
                let again = json!({
                    "query": read.query, "documentId": read.id, "operationName": read.operation, "variables": read.variables,
                });
                assert_eq!(
                    self::read(from_json(again.to_string().as_bytes())).unwrap(),
                    read,
                    "seed {seed}: {shown}"
                );
                let mut pairs = url::form_urlencoded::Serializer::new(String::new());
                for (name, value) in [
                    ("query", &read.query),
                    ("documentId", &read.id),
                    ("operationName", &read.operation),
                ] {
                    pairs.extend_pairs(value.as_ref().map(|value| (name, value)));
                }
                pairs.append_pair("variables", &Value::from(read.variables.clone()).to_string());
                assert_eq!(
                    self::read(from_query_string(&pairs.finish())).unwrap(),
                    read,
                    "seed {seed}: {shown}"
                );
                valid += 1;
            }
            (Err(problem), Err(())) => assert!(contains_a_position(&problem, &body), "seed {seed}: {shown}\n{problem}"),
            (read, expected) => panic!("seed {seed}: {shown}\n{read:?}\n{expected:?}"),
        }
    }
    assert!(
        valid > iterations() / 12,
        "only {valid} inputs were valid: the generator is unbalanced"
    );
}

#[test]
fn query_strings_are_parsed_or_rejected_with_a_parameter_name() {
    let pairs = [
        "query=%7Ba%7D",
        "query=",
        "documentId=sha256:abc",
        "operationName=A+b",
        "variables=%7B%22a%22:1%7D",
        "variables=",
        "extensions=%7B%22persistedQuery%22:%7B%22sha256Hash%22:%22abc%22%7D%7D",
        "utm=x",
        "query",
        "%71uery=a",
        "=%",
        "variables=%5B",
    ];
    for seed in 0..iterations() {
        let mut rng = Rng::with_seed(seed);
        let chosen: Vec<&str> = (0..rng.usize(..5)).map(|_| one(&mut rng, &pairs)).collect();
        let mut bytes = chosen.join("&").into_bytes();
        for _ in 0..rng.usize(..3) {
            damage(&mut bytes, &mut rng);
        }
        let query = String::from_utf8_lossy(&bytes);
        if let Err(problem) = read(from_query_string(&query)) {
            assert!(problem.contains('`'), "seed {seed}: {query}\n{problem}");
        }
    }
}

#[test]
fn socket_messages_are_parsed_or_close_the_socket_with_a_short_reason() {
    let messages = [
        r#"{"type":"connection_init","payload":{"authorization":"Bearer a"}}"#,
        r#"{"type":"subscribe","id":"1","payload":{"query":"{a}","variables":{"a":1}}}"#,
        r#"{"type":"complete","id":"1"}"#,
        r#"{"type":"ping","payload":{"a":[1]}}"#,
        r#"{"type":"pong"}"#,
    ];
    for seed in 0..iterations() {
        let mut rng = Rng::with_seed(seed);
        let mut bytes = one(&mut rng, &messages).as_bytes().to_vec();
        for _ in 0..rng.usize(..4) {
            damage(&mut bytes, &mut rng);
        }
        let text = String::from_utf8_lossy(&bytes);
        match ws::parse_for_test(&text) {
            Ok(None) => {}
            Ok(Some(payload)) => drop(read(from_json(payload.as_bytes()))),
            Err((code, reason)) => {
                // RFC 6455, section 5.5, with two bytes for the code.
                assert!(
                    code == 4400 && (1..=123).contains(&reason.len()),
                    "seed {seed}: {text}: {code} {reason}"
                );
            }
        }
    }
}

#[test]
fn memory_use_grows_linearly_with_the_body() {
    type Shape = fn(usize) -> String;
    let shapes: [(&str, Shape); 8] = [
        ("parameters", |n| (0..n).map(|at| format!(r#""p{at}":0,"#)).collect()),
        ("variables", |n| {
            let each: Vec<String> = (0..n).map(|at| format!(r#""v{at}":{at}"#)).collect();
            format!(r#""variables":{{{}}},"#, each.join(","))
        }),
        ("a list", |n| format!(r#""variables":{{"a":[{}0]}},"#, "0,".repeat(n))),
        ("lists", |n| {
            format!(r#""variables":{{"a":[{}[]]}},"#, "[[]],".repeat(n))
        }),
        ("nesting in an ignored parameter", |n| {
            format!(r#""x":{}{},"#, "[".repeat(n), "]".repeat(n))
        }),
        ("nesting of extensions", |n| {
            format!(r#""extensions":{{"x":{}{}}},"#, "[".repeat(n), "]".repeat(n))
        }),
        ("nesting of variables", |n| {
            format!(r#""variables":{}{},"#, "{\"a\":".repeat(n), "}".repeat(n))
        }),
        ("escapes", |n| format!(r#""operationName":"{}","#, "\\u0061".repeat(n))),
    ];
    for (name, shape) in shapes {
        let take = |n: usize| {
            let body = format!(r#"{{{}"query":"{{a}}"}}"#, shape(n));
            let used = measure(|| drop(read(from_json(body.as_bytes()))));
            (used.bytes_total as f64, used.count_total as f64, body.len() as f64)
        };
        let (small, large) = (take(2_000), take(32_000));
        let growth = large.2 / small.2;
        assert!(
            large.0 <= small.0 * growth * 1.5 + 4_096.0,
            "{name}: {small:?} {large:?} bytes"
        );
        assert!(
            large.1 <= small.1 * growth * 1.5 + 100.0,
            "{name}: {small:?} {large:?} allocations"
        );
        assert!(large.0 <= 100.0 * large.2, "{name}: {large:?}");
    }
}
