use apollo_compiler::Schema;
use serde_json::{Value, json};

use crate::{app::cx, engines};

const QUERY: &str = "query Introspect($deprecated: Boolean = true) {
  __schema { description queryType { name } mutationType { name } subscriptionType { name }
    types { ...Type } directives { name description isRepeatable locations args(includeDeprecated: true) { ...Input } } }
  tour: __type(name: \"Tour\") { name kind } nothing: __type(name: \"Nothing\") { name }
}
fragment Type on __Type { kind name description specifiedByURL isOneOf
  fields(includeDeprecated: $deprecated) { name description isDeprecated deprecationReason type { ...Ref } args(includeDeprecated: true) { ...Input } }
  inputFields(includeDeprecated: true) { ...Input } interfaces { name } possibleTypes { name }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } }
fragment Input on __InputValue { name description defaultValue isDeprecated deprecationReason type { ...Ref } }
fragment Ref on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }";

#[tokio::test]
async fn introspection_describes_the_whole_schema() {
    let data = engines().data(QUERY).await;
    assert_eq!(data["tour"], json!({ "name": "Tour", "kind": "OBJECT" }));
    assert_eq!(data["nothing"], Value::Null);
    // Introspection does not report applied directives, except those of the specification.
    let sdl = include_str!("schema.graphql").replace(" @auth(role: ADMIN)", "");
    let normal = |sdl: &str| Schema::parse_and_validate(sdl, "sdl").unwrap().serialize().to_string();
    let printed = schema(&data["__schema"]);
    assert_eq!(normal(&printed), normal(&sdl));
    for (object, interfaces) in [("Tour", ["Named", "Node"]), ("Person", ["Named", "Node"])] {
        let types = data["__schema"]["types"].as_array().unwrap();
        for interface in interfaces {
            let interface = types.iter().find(|ty| ty["name"] == interface).unwrap();
            assert!(
                interface["possibleTypes"]
                    .as_array()
                    .unwrap()
                    .contains(&json!({ "name": object }))
            );
        }
    }
}

#[tokio::test]
async fn introspection_and_data_are_in_document_order() {
    let text = "{ a: tours(first: 1) { id } b: __type(name: \"Tour\") { name } c: tours(first: 1) { id } }";
    let response = engines().execute_as(&cx(None), text, json!({})).await;
    let body = String::from_utf8(response.body.to_vec()).unwrap();
    assert_eq!(
        body,
        r#"{"data":{"a":[{"id":"t0"}],"b":{"name":"Tour"},"c":[{"id":"t0"}]}}"#
    );
}

#[tokio::test]
async fn introspection_may_depend_on_a_condition() {
    let text = "query ($introspect: Boolean!) { tours(first: 1) { id } __type(name: \"Tour\") @include(if: $introspect) { name } }";
    for (execute, body) in [
        (false, r#"{"data":{"tours":[{"id":"t0"}]}}"#),
        (true, r#"{"data":{"tours":[{"id":"t0"}],"__type":{"name":"Tour"}}}"#),
    ] {
        let response = engines()
            .execute_as(&cx(None), text, json!({ "introspect": execute }))
            .await;
        assert_eq!(String::from_utf8(response.body.to_vec()).unwrap(), body);
    }
}

fn schema(schema: &Value) -> String {
    let root = |kind: &str| format!("{kind}: {}\n", schema[format!("{kind}Type")]["name"].as_str().unwrap());
    let mut out =
        description(schema) + "schema {\n" + &root("query") + &root("mutation") + &root("subscription") + "}\n";
    let built_in = ["skip", "include", "deprecated", "specifiedBy", "oneOf"];
    for directive in list(&schema["directives"]).filter(|directive| !built_in.contains(&text(&directive["name"]))) {
        let locations: Vec<_> = list(&directive["locations"]).map(text).collect();
        out += &format!(
            "{}directive @{}{} on {}\n",
            description(directive),
            text(&directive["name"]),
            arguments(&directive["args"]),
            locations.join(" | ")
        );
    }
    let built_in = ["Int", "Float", "String", "Boolean", "ID"];
    let types = list(&schema["types"])
        .filter(|ty| !text(&ty["name"]).starts_with("__") && !built_in.contains(&text(&ty["name"])));
    out + &types.map(definition).collect::<String>()
}

fn definition(ty: &Value) -> String {
    let name = text(&ty["name"]);
    let names = |key: &str| list(&ty[key]).map(|ty| text(&ty["name"])).collect::<Vec<_>>();
    let implements = match names("interfaces") {
        none if none.is_empty() => String::new(),
        some => format!(" implements {}", some.join(" & ")),
    };
    let field = |field: &Value| {
        let (args, deprecated) = (arguments(&field["args"]), deprecated(field));
        format!(
            "{}{}{args}: {}{deprecated}\n",
            description(field),
            text(&field["name"]),
            reference(&field["type"])
        )
    };
    let fields = |key: &str| list(&ty[key]).map(field).collect::<String>();
    description(ty)
        + &match text(&ty["kind"]) {
            "SCALAR" => {
                let url = ty["specifiedByURL"]
                    .as_str()
                    .map(|url| format!(" @specifiedBy(url: {url:?})"));
                format!("scalar {name}{}\n", url.unwrap_or_default())
            }
            "ENUM" => {
                let value = |value: &Value| description(value) + text(&value["name"]) + &deprecated(value) + "\n";
                format!(
                    "enum {name} {{\n{}}}\n",
                    list(&ty["enumValues"]).map(value).collect::<String>()
                )
            }
            "INPUT_OBJECT" => {
                let one_of = if ty["isOneOf"] == true { " @oneOf" } else { "" };
                let fields: String = list(&ty["inputFields"]).map(|field| input(field) + "\n").collect();
                format!("input {name}{one_of} {{\n{fields}}}\n")
            }
            "UNION" => format!("union {name} = {}\n", names("possibleTypes").join(" | ")),
            "INTERFACE" => format!("interface {name}{implements} {{\n{}}}\n", fields("fields")),
            _ => format!("type {name}{implements} {{\n{}}}\n", fields("fields")),
        }
}

fn arguments(args: &Value) -> String {
    let args: Vec<String> = list(args).map(input).collect();
    if args.is_empty() {
        String::new()
    } else {
        format!("({})", args.join(", "))
    }
}

fn input(value: &Value) -> String {
    let default = value["defaultValue"]
        .as_str()
        .map(|default| format!(" = {default}"))
        .unwrap_or_default();
    let head = format!(
        "{}{}: {}",
        description(value),
        text(&value["name"]),
        reference(&value["type"])
    );
    head + &default + &deprecated(value)
}

fn reference(ty: &Value) -> String {
    match text(&ty["kind"]) {
        "NON_NULL" => reference(&ty["ofType"]) + "!",
        "LIST" => format!("[{}]", reference(&ty["ofType"])),
        _ => text(&ty["name"]).to_owned(),
    }
}

fn deprecated(value: &Value) -> String {
    let reason = value["deprecationReason"]
        .as_str()
        .filter(|_| value["isDeprecated"] == true);
    reason
        .map(|reason| format!(" @deprecated(reason: {reason:?})"))
        .unwrap_or_default()
}

fn description(value: &Value) -> String {
    value["description"]
        .as_str()
        .map(|text| format!("{text:?}\n"))
        .unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}
