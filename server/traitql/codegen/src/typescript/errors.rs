use std::collections::BTreeSet;
use std::fmt::Write as _;

use traitql_schema::model::{ErrorCode, Field, Model, Operation, Type};

use super::literal::{doc, object, text, texts};

pub(super) fn contents(model: &Model) -> String {
    let mut out = String::from(
        "import { fillSlots } from './traitql';\n\n\
         /** All values of `extensions.code`, each with its message, HTTP status and retry advice. */\n\
         export const errorCatalogue = {\n",
    );
    for ErrorCode {
        code,
        http,
        message,
        slots,
        retry,
        ..
    } in &model.errors
    {
        let entry = object(&[
            ("message", text(message)),
            ("http", http.to_string()),
            ("retry", text(retry)),
            ("slots", texts(slots)),
        ]);
        let _ = writeln!(out, "  {code}: {entry},");
    }
    out.push_str(
        "} as const;\n\n\
         export type ErrorCode = keyof typeof errorCatalogue;\n\n\
         /** Values for the slots of a code's message. */\n\
         export type Slots<Code extends ErrorCode> = Readonly<Record<(typeof errorCatalogue)[Code]['slots'][number], string>>;\n\n\
         /** Returns the message of a code with its slots filled in. */\n\
         export const errorMessage = <Code extends ErrorCode>(code: Code, slots: Slots<Code>): string =>\n  \
           fillSlots(errorCatalogue[code].message, slots) ?? errorCatalogue[code].message;\n\n\
         /** True if the schema contains this code. A newer server can send other codes. */\n\
         export const isErrorCode = (value: unknown): value is ErrorCode =>\n  \
           typeof value === 'string' && Object.hasOwn(errorCatalogue, value);\n",
    );
    let _ = write!(
        out,
        "\n{}export interface OperationErrors {{\n",
        doc(
            "The codes that the fields of each operation declare with `@throws`, for an exhaustive `switch`. General codes (sign-in,\nconstraints, rate limits, outages) can occur in addition."
        )
    );
    for operation in &model.operations {
        let codes = codes(model, operation);
        let union: Vec<String> = model
            .errors
            .iter()
            .filter(|error| codes.contains(error.code.as_str()))
            .map(|error| text(&error.code))
            .collect();
        let union = if union.is_empty() {
            "never".to_owned()
        } else {
            union.join(" | ")
        };
        let _ = writeln!(out, "  {}: {union};", operation.name);
    }
    out.push_str("}\n");
    out
}

/// A field selected on an interface can be the field of any member.
fn codes<'m>(model: &'m Model, operation: &Operation) -> BTreeSet<&'m str> {
    let mut codes = BTreeSet::new();
    for coordinate in &operation.coordinates {
        let Some((ty, name)) = coordinate.split_once('.') else {
            continue;
        };
        let types: Vec<&str> = match model.types.get(ty) {
            Some(Type::Interface(interface)) => interface.members.iter().map(String::as_str).chain([ty]).collect(),
            _ => vec![ty],
        };
        for field in types.into_iter().filter_map(|ty| field(model, ty, name)) {
            codes.extend(field.throws.iter().map(String::as_str));
        }
    }
    codes
}

fn field<'m>(model: &'m Model, ty: &str, name: &str) -> Option<&'m Field> {
    let fields = match model.types.get(ty)? {
        Type::Object(object) => &object.fields,
        Type::Interface(interface) => &interface.fields,
        _ => return None,
    };
    fields.iter().find(|field| field.name == name)
}
