//! One struct per code, with the slots of its message as fields.

use traitql_schema::model::ErrorCode;

use super::api::Api;
use crate::{
    GeneratedFile,
    names::{ident, snake, variant},
    render,
};

pub(crate) fn file(api: &Api<'_>) -> Option<GeneratedFile> {
    let of = api.model.error_enum.as_deref()?;
    let codes = api.rust(of);
    let mut file = api.whole(
        "errors.rs",
        "The errors that resolvers can return. A field accepts only the codes that it declares with `@throws`.",
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
    let doc = render::lines(&format!("`{}` (HTTP {}): {}", error.code, error.http, error.message));
    let fields: String = slots.iter().fold(String::new(), |out, (field, slot)| {
        out + &render::field(&format!("/// Replaces `{{{slot}}}`."), field, "String")
    });
    let body = match fields.as_str() {
        "" => ";".to_owned(),
        fields => format!(" {}", render::block(fields)),
    };
    let (code, http, message) = (render::literal(&error.code), error.http, message(error, &slots));
    let slot_calls: String = slots
        .iter()
        .map(|(field, slot)| format!(".slot({}, self.{field})", render::literal(slot)))
        .collect();
    format!(
        "{doc}#[derive(Debug, Clone, PartialEq, Eq)]
pub struct {name}{body}

impl {name} {{
    /// The code in the schema.
    pub const CODE: {codes} = {codes}::{name};
}}

impl traitql::Code for {name} {{
    fn into_field_error(self) -> traitql::FieldError {{
        traitql::FieldError::new({code}, {http}, {message}){slot_calls}
    }}
}}
"
    )
}

fn message(error: &ErrorCode, slots: &[(String, &String)]) -> String {
    if slots.is_empty() {
        return render::literal(&error.message);
    }
    let mut format = error.message.replace('{', "{{").replace('}', "}}");
    let mut arguments = Vec::new();
    for (field, slot) in slots {
        let placeholder = field.trim_start_matches("r#");
        format = format.replace(&format!("{{{{{slot}}}}}"), &format!("{{{placeholder}}}"));
        arguments.push(format!("{field} = self.{field}"));
    }
    format!("format!({}, {})", render::literal(&format), arguments.join(", "))
}
