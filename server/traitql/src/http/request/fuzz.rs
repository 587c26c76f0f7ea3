//! Whatever a client sends, the reader answers with a request or with a sentence; it never panics, and what it reads is what
//! stands there. Requests are put together from parameters that are right, nearly right and wrong, and half of them have bytes
//! removed, doubled or replaced. A second reader, slow and simple, says what each one means.
//!
//! The same seeds are tried each time. `TRAITQL_FUZZ=1000000 cargo test -p traitql --lib fuzz` tries as many as that.

#![allow(clippy::unwrap_used)]

use allocation_counter::measure;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, json, value::RawValue};

use super::*;
use crate::{
    chance::{Chance, count},
    http::ws,
};

/// How many requests are tried without being asked for more.
const REQUESTS: u64 = 20_000;

/// In a tidy request, each name stands once and in this order.
const TIDY: &[&str] = &["query", "variables", "operationName", "extensions", "documentId"];

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

/// A piece of JSON that a parameter may have as its value.
fn value(chance: &mut Chance, name: &str) -> String {
    let pool = match name {
        "variables" if chance.below(8) > 0 => {
            let mut text = String::from("{");
            for at in 0..chance.below(5) {
                let comma = if at > 0 { "," } else { "" };
                let value = chance.one(&[TEXTS, OTHERS].concat());
                text += &format!("{comma}\"{}\":{value}", chance.one(&["a", "b", "c", "\\u0061"]));
            }
            return text + "}";
        }
        "extensions" if chance.below(8) > 0 => EXTENSIONS,
        _ if chance.below(8) > 0 => TEXTS,
        _ => OTHERS,
    };
    chance.one(pool).to_owned()
}

fn body(chance: &mut Chance) -> Vec<u8> {
    let blank = |chance: &mut Chance| chance.one(&["", "", " ", "\n\t"]).to_owned();
    let tidy = chance.below(2) == 0;
    let mut text = blank(chance) + "{";
    for (at, tidied) in TIDY.iter().enumerate().take(chance.below(6)) {
        let name = if tidy { tidied } else { chance.one(NAMES) };
        text += if at > 0 { "," } else { "" };
        text += &format!("{}\"{name}\"{}:{}", blank(chance), blank(chance), value(chance, name));
    }
    let mut bytes = (text + &blank(chance) + "}").into_bytes();
    for _ in 0..chance.below(2) * (1 + chance.below(4)) {
        damage(&mut bytes, chance);
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, chance: &mut Chance) {
    const MEANINGFUL: &[u8] = b"{}[]\",:\\ \0\xff1eu.-n&=%+";
    let at = chance.below(bytes.len() + 1);
    let end = (at + chance.below(12)).min(bytes.len());
    match chance.below(4) {
        0 => drop(bytes.drain(at..end)),
        1 => bytes.extend_from_within(at..end),
        2 => bytes.truncate(at),
        _ => bytes
            .splice(at..end.min(at + 1), [MEANINGFUL[chance.below(MEANINGFUL.len())]])
            .for_each(drop),
    }
}

/// A request, taken apart.
#[derive(Debug, PartialEq)]
struct Meaning {
    query: Option<String>,
    id: Option<String>,
    operation: Option<String>,
    variables: Variables,
}

/// What the reader under test makes of it; `Err` is what it says.
fn read(request: Result<GraphqlRequest<'_>, Problem>) -> Result<Meaning, String> {
    let say = |problem: Problem| problem.errors[0].slots["problem"].as_str().unwrap().to_owned();
    let request = request.map_err(say)?;
    Ok(Meaning {
        query: request
            .query
            .map(|text| text.plain("query").map(Cow::into_owned))
            .transpose()
            .map_err(say)?,
        id: request.document_id.map(Cow::into_owned),
        operation: request.operation_name.map(Cow::into_owned),
        variables: request.variables,
    })
}

/// Members of an object, also those that are there twice.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Every;
        impl<'de> Visitor<'de> for Every {
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
        deserializer.deserialize_map(Every)
    }
}

/// The JSON of a member; `Err` when it is there twice.
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

/// What a request means, by the longest way.
fn meant(body: &[u8]) -> Result<Meaning, ()> {
    fn parsed<T: for<'a> Deserialize<'a>>(json: &str) -> Result<T, ()> {
        serde_json::from_str(json).map_err(drop)
    }
    let members: Members = serde_json::from_slice(body).map_err(drop)?;
    let text = |name| member(&members, name)?.map(parsed::<String>).transpose();
    let variables = match member(&members, "variables")? {
        None => Variables::new(),
        Some(json) => {
            let each: Members = parsed(json)?;
            let mut variables = Variables::new();
            for (name, json) in each.0 {
                variables
                    .insert(name, parsed(json.get())?)
                    .map_or(Ok(()), |_| Err(()))?;
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
    Ok(Meaning {
        query,
        id,
        operation,
        variables,
    })
}

/// A sentence about a mistake says where it is: by its place in the text, or by the name of the parameter.
fn names_a_place(problem: &str, body: &[u8]) -> bool {
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
fn every_body_is_read_as_what_it_means_or_refused_with_a_place() {
    let mut read_well = 0;
    for seed in 0..count(REQUESTS) {
        let body = body(&mut Chance(seed));
        let shown = String::from_utf8_lossy(&body);
        match (read(from_json(&body)), meant(&body)) {
            (Ok(read), Ok(meant)) => {
                assert_eq!(read, meant, "seed {seed}: {shown}");
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
                read_well += 1;
            }
            (Err(problem), Err(())) => assert!(names_a_place(&problem, &body), "seed {seed}: {shown}\n{problem}"),
            (read, meant) => panic!("seed {seed}: {shown}\n{read:?}\n{meant:?}"),
        }
    }
    assert!(
        read_well > count(REQUESTS) / 12,
        "only {read_well} were right: what is tried is too wild"
    );
}

#[test]
fn every_query_string_is_read_or_refused() {
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
    for seed in 0..count(REQUESTS) {
        let mut chance = Chance(seed);
        let chosen: Vec<&str> = (0..chance.below(5)).map(|_| chance.one(&pairs)).collect();
        let mut bytes = chosen.join("&").into_bytes();
        for _ in 0..chance.below(3) {
            damage(&mut bytes, &mut chance);
        }
        let query = String::from_utf8_lossy(&bytes);
        if let Err(problem) = read(from_query_string(&query)) {
            assert!(problem.contains('`'), "seed {seed}: {query}\n{problem}");
        }
    }
}

#[test]
fn every_message_of_a_socket_is_understood_or_closes_it_with_a_short_reason() {
    let messages = [
        r#"{"type":"connection_init","payload":{"authorization":"Bearer a"}}"#,
        r#"{"type":"subscribe","id":"1","payload":{"query":"{a}","variables":{"a":1}}}"#,
        r#"{"type":"complete","id":"1"}"#,
        r#"{"type":"ping","payload":{"a":[1]}}"#,
        r#"{"type":"pong"}"#,
    ];
    for seed in 0..count(REQUESTS) {
        let mut chance = Chance(seed);
        let mut bytes = chance.one(&messages).as_bytes().to_vec();
        for _ in 0..chance.below(4) {
            damage(&mut bytes, &mut chance);
        }
        let text = String::from_utf8_lossy(&bytes);
        match ws::tried(&text) {
            Ok(None) => {}
            Ok(Some(payload)) => drop(read(from_json(payload.as_bytes()))),
            Err((code, reason)) => {
                // A control frame holds 125 bytes, two of them for the code (RFC 6455, section 5.5).
                assert!(
                    code == 4400 && (1..=123).contains(&reason.len()),
                    "seed {seed}: {text}: {code} {reason}"
                );
            }
        }
    }
}

#[test]
fn what_reading_takes_grows_no_faster_than_the_body() {
    /// What a body is full of, so many times.
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
        ("nesting where nobody looks", |n| {
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
