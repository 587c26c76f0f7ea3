//! Converts the response to an introspection query to SDL. Many published schemas have no other form.
//!
//! Introspection lacks applied directives except `@deprecated`, `@specifiedBy` and `@oneOf`. The SDL is not validated
//! here.

use std::fmt::Write as _;

use serde_json::Value;

const BUILT_IN_SCALARS: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];
const BUILT_IN_DIRECTIVES: [&str; 5] = ["skip", "include", "deprecated", "specifiedBy", "oneOf"];

/// Converts an introspection response to SDL. It may be wrapped in `data`.
///
/// # Errors
/// A message that describes the missing part.
pub fn to_sdl(json: &str) -> Result<String, String> {
    let answer: Value = serde_json::from_str(json).map_err(|error| format!("invalid JSON: {error}"))?;
    let schema = [&answer["data"]["__schema"], &answer["__schema"], &answer]
        .into_iter()
        .find(|schema| schema["types"].is_array())
        .ok_or_else(|| match answer["errors"][0]["message"].as_str() {
            Some(message) => format!("the server returned an error instead of a schema: {message}"),
            None => "not an introspection response: `__schema.types` is missing".to_owned(),
        })?;
    let mut out = String::new();
    root(schema, &mut out);
    for directive in list(&schema["directives"]) {
        if !BUILT_IN_DIRECTIVES.contains(&text(directive, "name")?) {
            self::directive(directive, &mut out)?;
        }
    }
    for ty in list(&schema["types"]) {
        let name = text(ty, "name")?;
        if !name.starts_with("__") && !BUILT_IN_SCALARS.contains(&name) {
            definition(ty, name, &mut out)?;
        }
    }
    Ok(out)
}

fn root(schema: &Value, out: &mut String) {
    let name = |kind: &str| schema[kind]["name"].as_str();
    let roots = [
        ("query", "Query", name("queryType")),
        ("mutation", "Mutation", name("mutationType")),
        ("subscription", "Subscription", name("subscriptionType")),
    ];
    // Without it, a type named `Mutation` that is not the root would become the root.
    let is_type = |name: &str| list(&schema["types"]).iter().any(|ty| ty["name"] == name);
    let has_default_names = roots
        .iter()
        .all(|(_, default_name, name)| name.map_or(!is_type(default_name), |name| name == *default_name));
    if has_default_names && schema["description"].is_null() {
        return;
    }
    describe(schema, "", out);
    out.push_str("schema {\n");
    for (kind, _, name) in roots {
        if let Some(name) = name {
            let _ = writeln!(out, "  {kind}: {name}");
        }
    }
    out.push_str("}\n\n");
}

fn directive(directive: &Value, out: &mut String) -> Result<(), String> {
    describe(directive, "", out);
    let _ = write!(out, "directive @{}", text(directive, "name")?);
    arguments(&directive["args"], out)?;
    if directive["isRepeatable"] == true {
        out.push_str(" repeatable");
    }
    let locations: Vec<&str> = list(&directive["locations"]).iter().filter_map(Value::as_str).collect();
    let _ = write!(out, " on {}\n\n", locations.join(" | "));
    Ok(())
}

fn definition(ty: &Value, name: &str, out: &mut String) -> Result<(), String> {
    describe(ty, "", out);
    match text(ty, "kind")? {
        "SCALAR" => {
            let _ = write!(out, "scalar {name}");
            if let Some(url) = ty["specifiedByURL"].as_str().or(ty["specifiedByUrl"].as_str()) {
                let _ = write!(out, " @specifiedBy(url: {})", literal(url));
            }
        }
        "ENUM" => {
            let _ = writeln!(out, "enum {name} {{");
            for value in list(&ty["enumValues"]) {
                describe(value, "  ", out);
                let _ = write!(out, "  {}", text(value, "name")?);
                deprecation(value, out);
                out.push('\n');
            }
            out.push('}');
        }
        "UNION" => {
            let _ = write!(out, "union {name} = {}", names(&ty["possibleTypes"], " | ")?);
        }
        "INPUT_OBJECT" => {
            let one_of = if ty["isOneOf"] == true { " @oneOf" } else { "" };
            let _ = writeln!(out, "input {name}{one_of} {{");
            for field in list(&ty["inputFields"]) {
                describe(field, "  ", out);
                out.push_str("  ");
                value(field, out)?;
                out.push('\n');
            }
            out.push('}');
        }
        kind @ ("OBJECT" | "INTERFACE") => {
            let _ = write!(out, "{} {name}", if kind == "OBJECT" { "type" } else { "interface" });
            let interfaces = names(&ty["interfaces"], " & ")?;
            if !interfaces.is_empty() {
                let _ = write!(out, " implements {interfaces}");
            }
            out.push_str(" {\n");
            for field in list(&ty["fields"]) {
                describe(field, "  ", out);
                let _ = write!(out, "  {}", text(field, "name")?);
                arguments(&field["args"], out)?;
                let _ = write!(out, ": {}", reference(&field["type"])?);
                deprecation(field, out);
                out.push('\n');
            }
            out.push('}');
        }
        kind => return Err(format!("type `{name}` has the unknown kind `{kind}`")),
    }
    out.push_str("\n\n");
    Ok(())
}

fn arguments(args: &Value, out: &mut String) -> Result<(), String> {
    if list(args).is_empty() {
        return Ok(());
    }
    out.push_str("(\n");
    for arg in list(args) {
        describe(arg, "    ", out);
        out.push_str("    ");
        value(arg, out)?;
        out.push('\n');
    }
    out.push_str("  )");
    Ok(())
}

fn value(value: &Value, out: &mut String) -> Result<(), String> {
    let _ = write!(out, "{}: {}", text(value, "name")?, reference(&value["type"])?);
    if let Some(default) = value["defaultValue"].as_str() {
        let _ = write!(out, " = {default}");
    }
    deprecation(value, out);
    Ok(())
}

fn reference(ty: &Value) -> Result<String, String> {
    Ok(match text(ty, "kind")? {
        "NON_NULL" => format!("{}!", reference(&ty["ofType"])?),
        "LIST" => format!("[{}]", reference(&ty["ofType"])?),
        _ => text(ty, "name")?.to_owned(),
    })
}

fn deprecation(value: &Value, out: &mut String) {
    if value["isDeprecated"] == true {
        match value["deprecationReason"].as_str() {
            Some(reason) => {
                let _ = write!(out, " @deprecated(reason: {})", literal(reason));
            }
            None => out.push_str(" @deprecated"),
        }
    }
}

fn describe(value: &Value, indent: &str, out: &mut String) {
    if let Some(description) = value["description"].as_str().filter(|text| !text.is_empty()) {
        let _ = writeln!(out, "{indent}{}", literal(description));
    }
}

/// JSON strings are valid GraphQL strings (October 2021, section 2.9.4).
fn literal(text: &str) -> String {
    Value::from(text).to_string()
}

fn names(types: &Value, between: &str) -> Result<String, String> {
    let names: Result<Vec<&str>, String> = list(types).iter().map(|ty| text(ty, "name")).collect();
    Ok(names?.join(between))
}

/// Servers may omit empty lists or send null.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str, String> {
    value[key].as_str().ok_or_else(|| {
        let near: String = value.to_string().chars().take(80).collect();
        format!("`{key}` is missing in `{near}`: use the full introspection query")
    })
}
