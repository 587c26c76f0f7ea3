#![allow(clippy::unwrap_used)]

use serde_json::json;

use super::*;

fn query(request: &GraphqlRequest<'_>) -> String {
    request.query.as_ref().unwrap().plain("query").unwrap().into_owned()
}

fn problem(result: Result<GraphqlRequest<'_>, Problem>) -> String {
    result.unwrap_err().errors[0].slots["problem"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_request_with_all_parameters_is_parsed() {
    let body = json!({
        "operationName": "Tour", "variables": { "id": "1" }, "query": "query Tour { a }",
        "extensions": { "clientLibrary": { "name": "@apollo/client" } }, "somethingElse": [1],
    })
    .to_string();
    let request = from_json(body.as_bytes()).unwrap();
    assert_eq!(query(&request), "query Tour { a }");
    assert_eq!(request.operation_name.as_deref(), Some("Tour"));
    assert_eq!(request.variables["id"], "1");
    assert_eq!(request.document_id, None);
}

#[test]
fn strings_are_unescaped() {
    for body in [
        r#"{"query":"a\nb"}"#,
        r#"{"query":"a\u000ab"}"#,
        r#"{"quer\u0079":"a\u000Ab"}"#,
        r#"{ "query" : "a\nb" , "operationName" : null }"#,
    ] {
        assert_eq!(query(&from_json(body.as_bytes()).unwrap()), "a\nb", "{body}");
    }
    let escaped = r#"{"documentId":"\u0061bc","operationName":"A\u0042"}"#;
    let request = from_json(escaped.as_bytes()).unwrap();
    assert_eq!(
        (request.document_id.as_deref(), request.operation_name.as_deref()),
        (Some("abc"), Some("AB"))
    );
    let half = from_json(br#"{"query":"\ud800"}"#).unwrap();
    let error = half.query.unwrap().plain("query").map(|_| ()).unwrap_err();
    assert!(problem(Err(error)).starts_with("`query` is not a valid string: "));
}

#[test]
fn null_means_absent() {
    let body = r#"{"query":"{a}","variables":null,"operationName":null,"extensions":null,"documentId":null}"#;
    let expected = GraphqlRequest {
        query: Some(Text::Quoted("\"{a}\"")),
        ..GraphqlRequest::default()
    };
    assert_eq!(from_json(body.as_bytes()).unwrap(), expected);
}

#[test]
fn a_hash_can_be_sent_in_two_parameters() {
    let by_extension = r#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"abc"}}}"#;
    assert_eq!(
        from_json(by_extension.as_bytes()).unwrap().document_id.as_deref(),
        Some("abc")
    );
    let both = r#"{"documentId":"sha256:abc","extensions":{"persistedQuery":{"sha256Hash":"abc"}}}"#;
    assert_eq!(
        from_json(both.as_bytes()).unwrap().document_id.as_deref(),
        Some("sha256:abc")
    );
    let different = r#"{"documentId":"sha256:abd","extensions":{"persistedQuery":{"sha256Hash":"abc"}}}"#;
    assert!(problem(from_json(different.as_bytes())).contains("different documents"));
}

#[test]
fn every_mistake_has_a_specific_message() {
    let cases = [
        ("", "the body is empty"),
        (" \n", "the body is empty"),
        (
            "{",
            "the body is not a valid request: EOF while parsing an object at line 1 column 1",
        ),
        (
            "{\n  \"query\": \"{a}\",\n}",
            "the body is not a valid request: trailing comma at line 3 column 1",
        ),
        (
            "{} {}",
            "the body is not a valid request: trailing characters at line 1 column 4",
        ),
        (
            r#"[{"query":"{a}"}]"#,
            "batched requests are not supported, send them one by one",
        ),
        (
            r#""{a}""#,
            r#"invalid type: string "{a}", expected an object with `query`"#,
        ),
        ("{}", "`query` is missing"),
        (r#"{"query":null}"#, "`query` is missing"),
        (r#"{"query":{"a":1}}"#, "`query` must be a string, not an object"),
        (
            r#"{"query":"{a}","variables":[1]}"#,
            "`variables` must be an object, not a list",
        ),
        (
            r#"{"query":"{a}","variables":"{}"}"#,
            "`variables` must be an object, not a string",
        ),
        (
            r#"{"query":"{a}","operationName":0}"#,
            "`operationName` must be a string, not a number",
        ),
        (
            r#"{"query":"{a}","extensions":false}"#,
            "`extensions` must be an object, not a boolean",
        ),
        (r#"{"query":"{a}","query":"{b}"}"#, "`query` is repeated"),
        (
            r#"{"query":null,"query":"{b}"}"#,
            "`query` is repeated at line 1 column",
        ),
        (
            r#"{"query":"{a}","variables":{"a":1,"b":2,"a":1}}"#,
            "the variable `a` is repeated at line 1 column",
        ),
        (
            r#"{"query":"{a}","variables":{"input":{"owner":"me","owner":"you"}}}"#,
            "the field `owner` is repeated at line 1 column",
        ),
        (
            r#"{"query":"{a}","variables":{"list":[{"a":1,"\u0061":2}]}}"#,
            "the field `a` is repeated at line 1 column",
        ),
        (
            r#"{"query":"{a}","variables":1.5}"#,
            "`variables` must be an object, not a number",
        ),
        (
            r#"{"extensions":{"persistedQuery":{"sha256Hash":"a","sha256Hash":"b"}}}"#,
            "`extensions.persistedQuery` is invalid: duplicate field `sha256Hash`",
        ),
        (
            r#"{"extensions":{"persistedQuery":{"sha256Hash":1}}}"#,
            "`extensions.persistedQuery.sha256Hash` must be a string, not a number",
        ),
        (r#"{"documentId":"\ud800"}"#, "`documentId` is not a valid string: "),
        (
            r#"{"extensions":{"persistedQuery":{"version":2,"sha256Hash":"a"}}}"#,
            "version` must be 1",
        ),
        (
            r#"{"extensions":{"persistedQuery":{"version":1}}}"#,
            "sha256Hash` is missing",
        ),
        (
            r#"{"extensions":{"persistedQuery":"a"}}"#,
            "must be an object, not a string",
        ),
    ];
    for (body, expected) in cases {
        let problem = problem(from_json(body.as_bytes()));
        assert!(
            problem.contains(expected),
            "{body}\n  {problem}\n  expected: {expected}"
        );
    }
    assert_eq!(
        problem(from_json(b"{\"query\":\"\xff\"}")),
        "the body is not UTF-8 after byte 10"
    );
    let deep = format!(
        r#"{{"query":"{{a}}","variables":{}1{}}}"#,
        r#"{"a":"#.repeat(10_000),
        "}".repeat(10_000)
    );
    assert!(problem(from_json(deep.as_bytes())).contains("recursion limit exceeded"));
}

#[test]
fn a_query_string_has_the_same_parameters() {
    let request = from_query_string(
        "query=query%20Tour%7Ba%7D&variables=%7B%22id%22%3A%221%22%7D&operationName=Tour&utm=x&extensions=",
    );
    let request = request.unwrap();
    assert_eq!(query(&request), "query Tour{a}");
    assert_eq!(request.variables["id"], "1");
    assert_eq!(request.operation_name.as_deref(), Some("Tour"));
    assert_eq!(
        problem(from_query_string("query=a&query=b")),
        "the parameter `query` is repeated"
    );
    assert!(problem(from_query_string("query=a&variables=%7B")).contains("`variables` is not JSON: EOF"));
    assert!(problem(from_query_string("query=a&extensions=%7B")).contains("`extensions` is not JSON: EOF"));
    assert_eq!(
        problem(from_query_string("query=a&variables=%5B%5D")),
        "`variables` must be an object, not a list"
    );
    let hash = from_query_string("extensions=%20%7B%22persistedQuery%22:%7B%22sha256Hash%22:%22abc%22%7D%7D");
    assert_eq!(hash.unwrap().document_id.as_deref(), Some("abc"));
    assert!(problem(from_query_string("")).contains("`query` is missing"));
}

#[test]
fn the_digits_of_big_integers_are_kept() {
    let json = r#"{"id":12345678901234567890123,"in":{"ids":[1,-9223372036854775809,18446744073709551616,1e30,18446744073709551615]},"":{"x":"1"},"text":"99999999999999999999"}"#;
    let expected = serde_json::json!({
        "id": "12345678901234567890123",
        "in.ids.1": "-9223372036854775809",
        "in.ids.2": "18446744073709551616",
    });
    let request = format!(r#"{{"variables":{json},"query":"{{a}}"}}"#);
    let request = from_json(request.as_bytes()).unwrap();
    assert_eq!(request.variables[traitql::BIG_INTEGERS], expected);
    assert_eq!(
        super::variables(json.as_bytes()).unwrap()[traitql::BIG_INTEGERS],
        expected
    );
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("variables", json)
        .append_pair("query", "{a}")
        .finish();
    assert_eq!(
        from_query_string(&query).unwrap().variables[traitql::BIG_INTEGERS],
        expected
    );
    let request = from_json(br#"{"query":"{a}","variables":{"":{"id":"1"},"id":1}}"#).unwrap();
    assert!(
        !request.variables.contains_key(traitql::BIG_INTEGERS),
        "the name is reserved"
    );
}
