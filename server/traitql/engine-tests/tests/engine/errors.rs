use serde_json::{Value, json};

use crate::{app::cx, engines, errors};

#[tokio::test]
async fn an_error_of_one_parent_nulls_the_nearest_nullable_position() {
    let engines = engines();
    let answer = engines.execute("{ tours { id risky } }").await;
    assert_eq!(
        answer["data"]["tours"],
        json!([{ "id": "t0", "risky": "t0" }, { "id": "t1", "risky": null }, { "id": "t2", "risky": "t2" }])
    );
    assert_eq!(errors(&answer), ["tours.1.risky RISK Tour t1 is risky."]);

    // All positions between `strict` and the root are non-null.
    let answer = engines.execute("{ tours { id strict } }").await;
    assert_eq!(answer["data"], Value::Null);
    assert_eq!(errors(&answer), ["tours.1.strict RISK Tour t1 is risky."]);

    // `boss`, `tour` and the entries of `search` are nullable.
    let answer = engines
        .execute(r#"{ tour(id: "t1") { id strict } other: tour(id: "t2") { id } }"#)
        .await;
    assert_eq!(answer["data"], json!({ "tour": null, "other": null }));
    assert_eq!(errors(&answer), ["tour.strict RISK Tour t1 is risky."]);
    let answer = engines
        .execute("{ search { ... on Tour { nothing } ... on Person { id } } }")
        .await;
    assert_eq!(answer["data"], json!({ "search": [{ "id": "p5" }, null, null] }));
    assert_eq!(
        errors(&answer),
        ["search.2.nothing INTERNAL Something failed on our side. Reference r1."]
    );
    let answer = engines.execute("{ tours(first: 1) { wrong { tour } } }").await;
    assert_eq!(answer["data"], json!({ "tours": [{ "wrong": null }] }));
    assert_eq!(
        errors(&answer),
        ["tours.0.wrong.0.tour INTERNAL Something failed on our side. Reference r1."]
    );
}

#[tokio::test]
async fn errors_are_in_response_order_with_their_own_paths() {
    let engines = engines();
    let answer = engines.execute("{ a: fails tours { risky panics } b: fails nodes { related { ... on Tour { rating owner { boss { id } } } } } }").await;
    assert_eq!(
        errors(&answer),
        [
            "a SOFT It fails softly.",
            "tours.0.panics INTERNAL Something failed on our side. Reference r1.",
            "tours.1.risky RISK Tour t1 is risky.",
            "tours.1.panics INTERNAL Something failed on our side. Reference r1.",
            "tours.2.panics INTERNAL Something failed on our side. Reference r1.",
            "b SOFT It fails softly.",
        ]
    );
    assert_eq!(
        answer["errors"][0]["extensions"],
        json!({ "code": "SOFT", "slots": { "n": "1" }, "requestId": "r1" })
    );
    // An object that several parents share fails once for each of them.
    let answer = engines
        .execute("{ tours(first: 2) { steps { tour { risky } } } }")
        .await;
    assert_eq!(
        errors(&answer),
        [
            "tours.1.steps.0.tour.risky RISK Tour t1 is risky.",
            "tours.1.steps.1.tour.risky RISK Tour t1 is risky."
        ]
    );
    // The errors end with the first root field in the document that leaves no data, regardless of which field
    // completes first.
    let answer = engines.execute("{ fails tours { strict } failsHard }").await;
    assert_eq!(answer["data"], Value::Null);
    assert_eq!(
        errors(&answer),
        ["fails SOFT It fails softly.", "tours.1.strict RISK Tour t1 is risky."]
    );
}

/// async-graphql awaits more than thirty fields or entries in another way.
#[tokio::test]
async fn errors_of_long_lists_and_many_fields_are_in_response_order() {
    let engines = engines();
    let answer = engines.execute("{ tours(first: 100) { panics id } }").await;
    let tour = |n| format!("tours.{n}.panics INTERNAL Something failed on our side. Reference r1.");
    assert_eq!(errors(&answer), (0..100).map(tour).collect::<Vec<_>>());
    let mut text: String = (0..50).map(|n| format!("f{n}: fails t{n}: tours {{ id }} ")).collect();
    text += "tours { strict } failsHard";
    let answer = engines.execute(&format!("{{ {text} }}")).await;
    let mut expected: Vec<String> = (0..50).map(|n| format!("f{n} SOFT It fails softly.")).collect();
    expected.push("tours.1.strict RISK Tour t1 is risky.".to_owned());
    assert_eq!((&answer["data"], errors(&answer)), (&Value::Null, expected));
}

#[tokio::test]
async fn without_data_the_status_is_that_of_the_first_error() {
    let engines = engines();
    let status = async |text: &str| engines.execute_as(&cx(None), text, json!({})).await.http;
    assert_eq!(status("{ fails }").await, 200);
    assert_eq!(status("{ failsHard }").await, 500);
    assert_eq!(status("{ secret }").await, 401);
    assert_eq!(
        engines.execute_as(&cx(None), "{ fails secret }", json!({})).await.codes,
        ["SOFT", "UNAUTHENTICATED"]
    );
}

#[tokio::test]
async fn leaves_and_nested_lists_are_written_according_to_the_schema() {
    let engines = engines();
    let answer = engines
        .execute("{ tours(first: 2) { matrix createdAt rating content { __typename ... on Video { seconds } } old } }")
        .await;
    assert_eq!(
        answer["data"]["tours"],
        json!([
            { "matrix": [[1, null], [0]], "createdAt": "1970-01-01T00:00:01.000Z", "rating": 0.5, "content": { "__typename": "Text" }, "old": null },
            { "matrix": [[1, null], [1]], "createdAt": "1970-01-01T00:00:01.000Z", "rating": null, "content": { "__typename": "Video", "seconds": 1 }, "old": null },
        ])
    );
    assert_eq!(
        errors(&answer),
        ["tours.1.rating INTERNAL Something failed on our side. Reference r1."]
    );
}

#[tokio::test]
async fn a_panic_fails_only_its_field() {
    let engines = engines();
    let answer = engines
        .execute("{ tours(first: 1) { id panics steps(first: 1) { title broken } } }")
        .await;
    assert_eq!(
        answer["data"]["tours"][0],
        json!({ "id": "t0", "panics": null, "steps": [{ "title": "Step 0 of t0", "broken": null }] })
    );
    assert_eq!(
        errors(&answer),
        [
            "tours.0.panics INTERNAL Something failed on our side. Reference r1.",
            "tours.0.steps.0.broken INTERNAL Something failed on our side. Reference r1.",
        ]
    );
}
