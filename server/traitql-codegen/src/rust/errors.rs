//! The error catalogue: a struct per code, whose fields are the slots of its sentence.

use std::fmt::Write as _;

use traitql_schema::model::ErrorCode;

use super::api::Api;
use crate::{
    GeneratedFile,
    names::{ident, snake, variant},
    render,
};

/// `errors.rs`; none for a schema without a catalogue.
pub(crate) fn file(api: &Api<'_>) -> Option<GeneratedFile> {
    let of = api.model.error_enum.as_deref()?;
    let codes = api.rust(of);
    let mut file = api.whole(
        "errors.rs",
        "What a resolver may answer with when it fails. A field accepts the codes that it declares with `@throws`.",
    );
    file.item(format!("use super::types::{codes};"));
    let mut errors: Vec<&ErrorCode> = api.model.errors.iter().collect();
    errors.sort_by_key(|error| &error.code);
    for error in errors {
        let name = variant(api.model.rust_value(of, &error.code));
        file.item(item(error, &name, &codes));
    }
    Some(file.finish())
}

fn item(error: &ErrorCode, name: &str, codes: &str) -> String {
    let slots: Vec<(String, &String)> = error.slots.iter().map(|slot| (ident(&snake(slot)), slot)).collect();
    let doc = render::lines(&format!("`{}` (HTTP {}): {}", error.code, error.http, error.say));
    let fields: String = slots.iter().fold(String::new(), |mut out, (field, slot)| {
        let _ = write!(out, "/// Stands for `{{{slot}}}`.\npub {field}: String,\n");
        out
    });
    let body = if slots.is_empty() {
        ";".to_owned()
    } else {
        format!("{{\n{fields}}}")
    };
    let filled: String = slots.iter().fold(String::new(), |mut out, (field, slot)| {
        let _ = write!(out, ".slot({}, self.{field})", render::literal(slot));
        out
    });
    let message = message(error, &slots);
    format!(
        "{doc}#[derive(Debug, Clone, PartialEq, Eq)]\npub struct {name} {body}\n
        impl {name} {{
            /// The code in the schema.
            pub const CODE: {codes} = {codes}::{name};
        }}
        impl traitql::Code for {name} {{
            fn into_field_error(self) -> traitql::FieldError {{
                traitql::FieldError::new({code}, {http}, {message}){filled}
            }}
        }}",
        code = render::literal(&error.code),
        http = error.http,
    )
}

/// The sentence with its slots: a literal, or a `format!`.
fn message(error: &ErrorCode, slots: &[(String, &String)]) -> String {
    if slots.is_empty() {
        return render::literal(&error.say);
    }
    let mut format = error.say.replace('{', "{{").replace('}', "}}");
    let mut args = String::new();
    for (field, slot) in slots {
        let placeholder = field.trim_start_matches("r#");
        format = format.replace(&format!("{{{{{slot}}}}}"), &format!("{{{placeholder}}}"));
        let _ = write!(args, ", {field} = self.{field}");
    }
    format!("format!({}{args})", render::literal(&format))
}
