#![allow(clippy::unwrap_used)]

use super::*;

const SDL: &str = r#"
directive @cost(value: Int! = 1, times: String) on FIELD_DEFINITION
directive @range(min: Float, max: Float) on ARGUMENT_DEFINITION
directive @embedded on OBJECT
directive @resolve on FIELD_DEFINITION

type Query {
  hello: String
  person(id: ID): Person
  people(first: Int! = 10 @range(min: 1, max: 100), filter: [[String]], by: Filter): [Person!]! @cost(times: "first")
  search(first: Int): [Person!]! @cost(value: 20, times: "first")
}
extend type Query { page(first: Int!): PersonConnection! @cost(times: "first") }
type PersonConnection { nodes: [Person!]! edges: [PersonEdge!]! pageInfo: PageInfo! }
type PersonEdge { cursor: String! node: Person! }
type PageInfo { more: Boolean! }
input Filter { and: [Filter!], name: String }
type Person { id: ID! name: Name friend: Person friends(first: Int! = 2): [Person!]! @cost(times: "first") status: Int @resolve }
type Name @embedded { first: String last: String }
type Mutation { rename(id: ID!, name: String!): Person }
type Subscription { changed(id: ID!): Person }
"#;

fn ad_hoc() -> AdHoc {
    AdHoc::new(SDL, Limits::default()).unwrap()
}

fn rejection(text: &str) -> String {
    match ad_hoc().check(text, None) {
        Err(Rejection::Invalid(findings)) => findings
            .into_iter()
            .map(|finding| finding.problem)
            .collect::<Vec<_>>()
            .join("\n"),
        Err(Rejection::TooLarge(problem)) => problem,
        Err(Rejection::TooCostly { cost, limit }) => format!("costs {cost} of {limit}"),
        Ok(document) => panic!("accepted at cost {}: {text}", document.cost),
    }
}

fn cost(text: &str) -> u64 {
    ad_hoc().check(text, None).unwrap().cost
}

#[test]
fn arguments_without_a_value_are_rejected() {
    assert_eq!(rejection("{ people(first) { id } }"), "`first` has no value.");
    assert_eq!(rejection("{ people(first: 1, by) { id } }"), "`by` has no value.");
    assert_eq!(rejection("{ people(by: { name }) { id } }"), "`name` has no value.");
}

#[test]
fn null_is_no_default_of_a_non_null_variable() {
    let problem = "the default of `$id` is null, but its type is `ID!`.";
    assert_eq!(
        rejection("query A($id: ID! = null) { person(id: $id) { id } }"),
        problem
    );
    assert_eq!(cost("query A($id: ID = null) { person(id: $id) { id } }"), 1);
}

#[test]
fn a_field_can_be_deprecated_without_its_interface_field() {
    let sdl = "type Query { host: Host } interface Account { name: String }
        type Host implements Account { name: String @deprecated }";
    let documents = AdHoc::new(sdl, Limits::default()).unwrap();
    assert_eq!(
        documents.check("{ host { name } }", None).map(|document| document.cost),
        Ok(1)
    );
    // All other rules still apply.
    let invalid = AdHoc::new(&sdl.replace("name: String @", "other: String @"), Limits::default());
    assert!(invalid.unwrap_err().contains("Account"));
}

#[test]
fn an_exceeded_limit_is_named() {
    let aliases: String = (0..31).map(|index| format!("a{index}: hello ")).collect();
    let limits = Limits {
        root_fields: 50,
        ..Limits::default()
    };
    let documents = AdHoc::new(SDL, limits).unwrap();
    let problem = "it has more than 30 aliases, with its fragments expanded (`Limits::aliases`).";
    let rejection = Rejection::TooLarge(problem.to_owned());
    assert_eq!(
        documents.check(&format!("{{ {aliases} }}"), None).err(),
        Some(rejection)
    );
}

#[test]
fn a_subscription_has_one_response_key() {
    let more = "fragment More on Subscription { changed(id: 1) { status } }";
    for one in [
        "subscription { changed(id: 1) { id } changed(id: 1) { name { first } } }".to_owned(),
        format!("subscription {{ changed(id: 1) {{ id }} ...More }} {more}"),
        "subscription { ... { changed(id: 1) { id } } changed(id: 1) { id } }".to_owned(),
    ] {
        assert_eq!(
            ad_hoc().check(&one, None).map(|document| document.kind),
            Ok(OperationKind::Subscription),
            "{one}"
        );
    }
    for several in [
        "subscription { changed(id: 1) { id } other: changed(id: 1) { id } }",
        "subscription { changed(id: 1) { id } changed(id: 2) { id } }",
        "subscription { changed(id: 1) { id } changed(id: 1) { nothing } }",
        "subscription A { changed(id: 1) { id } changed(id: 1) { id } } subscription B { a: changed(id: 1) { id } b: changed(id: 1) { id } }",
    ] {
        assert!(!rejection(several).is_empty(), "{several}");
    }
}

#[test]
fn an_operation_is_accepted_with_its_name_and_kind() {
    let text =
        "query A { hello } mutation B { rename(id: 1, name: \"a\") { id } } subscription C { changed(id: 1) { id } }";
    let ad_hoc = ad_hoc();
    for (name, kind) in [
        ("A", OperationKind::Query),
        ("B", OperationKind::Mutation),
        ("C", OperationKind::Subscription),
    ] {
        let document = ad_hoc.check(text, Some(name)).unwrap();
        assert_eq!(
            (document.name.as_deref(), document.kind, document.trusted),
            (Some(name), kind, false)
        );
        assert!(
            Arc::ptr_eq(&document, &ad_hoc.check(text, Some(name)).unwrap()),
            "a repeated document is served from the cache"
        );
    }
    assert!(rejection(text).contains("`operationName` must select one"));
    assert_eq!(ad_hoc.check("{ hello }", None).unwrap().name, None);
    let Err(Rejection::Invalid(findings)) = ad_hoc.check(text, Some("D")) else {
        panic!("operation D does not exist")
    };
    assert_eq!(findings[0].problem, "it has no operation with the name `D`.");
}

#[test]
fn errors_have_a_position() {
    let Err(Rejection::Invalid(findings)) = ad_hoc().check("query {\n  helo\n  person { nam }\n}", None) else {
        panic!("the document has two misspelt fields")
    };
    let places: Vec<_> = findings.iter().map(|finding| finding.locations.clone()).collect();
    assert_eq!(places, [vec![(2, 3)], vec![(3, 12)]]);
    assert!(findings[0].problem.contains("helo"), "{findings:?}");
    assert!(rejection("query {").starts_with("syntax error"));
    assert!(rejection("fragment F on Query { hello }").contains("must be used in an operation"));
    assert!(rejection("type T { a: Int }").contains("must not contain"));
}

#[test]
fn the_introspection_query_of_graphql_js_is_accepted() {
    let document = ad_hoc().check(include_str!("introspection.graphql"), None).unwrap();
    assert_eq!(document.cost, 0);
}

#[test]
fn costs_follow_the_cost_directive() {
    assert_eq!(cost("{ hello }"), 1, "a root field has a resolver");
    assert_eq!(
        cost("{ person { id name { first } } }"),
        1,
        "an embedded type is stored data, which is free"
    );
    assert_eq!(cost("{ person { friend { status } } }"), 3);
    assert_eq!(
        cost("{ people { friend { id } } }"),
        11,
        "the argument's default is the multiplier"
    );
    assert_eq!(cost("{ people(first: 3) { friend { id } } }"), 4);
    assert_eq!(
        cost("query($n: Int! = 3) { people(first: $n) { friend { id } } }"),
        101,
        "a variable counts with the upper end of its range"
    );
    assert_eq!(
        cost("query($n: Int) { search(first: $n) { friend { id } } }"),
        120,
        "without a range the multiplier is 100"
    );
    let merged = "{ people(first: 3) { ...F ...F friend { id } } } fragment F on Person { friend { id } }";
    assert_eq!(cost(merged), 4, "a field that is selected again is free");
    assert_eq!(
        cost("{ page(first: 5) { nodes { friend { id } } edges { node { friend { id } } } pageInfo { more } } }"),
        11
    );
    assert_eq!(cost("{ ... on Query { person { id } } }"), 1);
    assert_eq!(
        rejection("{ people(first: 90) { friends(first: 90) { friend { id } } } }"),
        "costs 8191 of 5000"
    );
}

fn bomb(length: usize, width: usize) -> String {
    let mut text = "query { ...F0 }".to_owned();
    for n in 0..length {
        text.push_str(&format!(
            " fragment F{n} on Query {{ {} }}",
            format!("...F{} ", n + 1).repeat(width)
        ));
    }
    text + &format!(" fragment F{length} on Query {{ hello }}")
}

#[test]
fn fragments_that_multiply_are_rejected_without_expansion() {
    for (length, width) in [(26, 2), (5, 20), (40, 2), (3, 100)] {
        assert!(
            rejection(&bomb(length, width)).contains("more than 2000 fields"),
            "{length} × {width}"
        );
    }
    // The innermost fragment does not count as a field.
    let empty = bomb(26, 2).replace("{ hello }", "{ ...Nowhere }");
    assert!(rejection(&empty).contains("more than 2000 fields"));
    let unused = bomb(26, 2).replace("query { ...F0 }", "query { hello }");
    assert!(rejection(&unused).contains("more than 2000 fields"));
}

#[test]
fn fragment_cycles_are_rejected() {
    assert_eq!(
        rejection("{ ...A } fragment A on Query { ...A }"),
        "the fragment `A` contains itself."
    );
    let text = "{ person { ...A } } fragment A on Person { friend { ...B } } fragment B on Person { friend { ...A } }";
    assert_eq!(rejection(text), "the fragment `A` contains itself.");
}

#[test]
fn documents_over_a_limit_are_rejected() {
    let cases = [
        (
            "nested selections",
            format!("{}{}", "{a".repeat(10_000), "}".repeat(10_000)),
            "more than 2000 tokens",
        ),
        (
            "nested selections, short",
            format!("{}{}", "{a".repeat(300), "}".repeat(300)),
            "nested more than 64 levels",
        ),
        (
            "nested inline fragments",
            format!("{}hello{}", "{...".repeat(600), "}".repeat(600)),
            "nested more than 64 levels",
        ),
        (
            "nested list values",
            format!("{{people(filter:{}{}){{id}}}}", "[".repeat(900), "]".repeat(900)),
            "nested more than 64",
        ),
        (
            "nested object values",
            format!("{{people(by:{}1{}){{id}}}}", "{and:".repeat(450), "}".repeat(450)),
            "nested more than 64",
        ),
        (
            "nested types",
            format!("query($a:{}Int{}){{hello}}", "[".repeat(900), "]".repeat(900)),
            "nested more than 64",
        ),
        (
            "depth",
            format!("{{person{}{{id}}{}}}", "{friend".repeat(15), "}".repeat(15)),
            "nested more than 15 levels",
        ),
        (
            "aliases",
            format!("{{{}}}", (0..31).map(|n| format!("a{n}:hello ")).collect::<String>()),
            "more than 20 fields at its root",
        ),
        (
            "aliases below",
            format!(
                "{{person{{{}}}}}",
                (0..31).map(|n| format!("a{n}:id ")).collect::<String>()
            ),
            "more than 30 aliases",
        ),
        (
            "aliases in fragments",
            format!(
                "{{person{{{}}}}} fragment A on Person{{a:id b:status friend{{c:id}}}}",
                "...A ".repeat(11)
            ),
            "more than 30 aliases",
        ),
        (
            "directives",
            format!("{{hello {}}}", "@skip(if:true)".repeat(51)),
            "more than 50 directives",
        ),
        (
            "unknown directives",
            format!("query {}{{hello}}", "@a".repeat(600)),
            "more than 50 directives",
        ),
        (
            "fields",
            format!("{{person{{{}}}}}", "id ".repeat(1_500)),
            "more than 2000 tokens",
        ),
        (
            "a long comment",
            format!("#{}\n{{hello}}", "a".repeat(40_000)),
            "longer than 32768 bytes",
        ),
        (
            "a huge literal",
            format!("{{person(id:\"{}\"){{id}}}}", "a".repeat(2_000_000)),
            "longer than 32768 bytes",
        ),
        (
            "commas",
            format!("{{hello{}}}", ",".repeat(30_000)),
            "more than 2000 tokens",
        ),
        (
            "a huge number",
            format!("{{people(first:{}){{id}}}}", "9".repeat(30_000)),
            "",
        ),
        ("open braces", "{".repeat(30_000), ""),
        ("open quotes", format!("{{hello(a:{}", "\"".repeat(30_000)), ""),
        ("backslashes", format!("{{person(id:\"{}\")}}", "\\".repeat(30_000)), ""),
        (
            "unicode escapes",
            format!("{{person(id:\"{}\"){{id}}}}", "\\u{FFFFFFFF}".repeat(2_000)),
            "",
        ),
        (
            "many variables",
            format!(
                "query({}){{hello}}",
                (0..300).map(|n| format!("$a{n}:Int ")).collect::<String>()
            ),
            "",
        ),
        (
            "one variable many times",
            format!(
                "query($a:Int){{{}}}",
                (0..150).map(|_| "people(first:$a){id}").collect::<String>()
            ),
            "root",
        ),
        (
            "many operations",
            (0..300).map(|n| format!("query a{n}{{x}}")).collect::<String>(),
            "",
        ),
        (
            "same field, different arguments",
            format!(
                "{{person{{{}}}}}",
                (0..150)
                    .map(|n| format!("friends(first:{n}){{id}}"))
                    .collect::<String>()
            ),
            "",
        ),
        ("a NUL", "{hello\0}".to_owned(), ""),
        (
            "lists of introspection",
            format!(
                "{{__schema{{types{{{}name{}}}}}}}",
                "fields{type{".repeat(6),
                "}}".repeat(6)
            ),
            "nested too deeply",
        ),
    ];
    let mut wrong = Vec::new();
    for (name, text, expected) in cases {
        let rejection = rejection(&text);
        if !rejection.contains(expected) || rejection.len() > 2_000 {
            wrong.push(format!("{name}: {rejection:.300}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_that_the_validator_does_not_check_are_enforced() {
    let twice = rejection(r#"{ people(by: { name: "a", name: "b" }) { id } }"#);
    assert_eq!(twice, "it contains the field `name` twice.");
    assert_eq!(rejection("{ person { } }"), "it has an empty selection.");
    let null = rejection("query ($first: Int = null) { page(first: $first) { nodes { id } } }");
    assert!(null.contains("`$first`"), "{null}");
    assert_eq!(cost("query ($id: ID = null) { person(id: $id) { id } }"), 1);
}
