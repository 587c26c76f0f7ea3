//! Checks that apollo-compiler lacks: duplicate fields of an object value (specification 5.6.3), duplicate arguments
//! of an unknown field (5.4.2), null as the default of a non-null variable (5.6.1), and empty selections, which the
//! grammar of 2026 allows.

use apollo_compiler::Node;
use apollo_compiler::ast::{
    Argument, Definition, DirectiveList, Document, FieldDefinition, InputValueDefinition, Selection, Value,
    VariableDefinition,
};
use apollo_compiler::parser::SourceSpan;

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;

pub(crate) fn check(document: &Document, out: &mut Collector) {
    for definition in &document.definitions {
        directives(definition.directives(), out);
        match definition {
            Definition::OperationDefinition(operation) => {
                for variable in &operation.variables {
                    variable.default_value.iter().for_each(|default| value(default, out));
                    check_null_default(variable, out);
                }
                check_not_empty(&operation.selection_set, operation.location(), out);
                selections(&operation.selection_set, out);
            }
            Definition::FragmentDefinition(fragment) => {
                check_not_empty(&fragment.selection_set, fragment.location(), out);
                selections(&fragment.selection_set, out);
            }
            Definition::ObjectTypeDefinition(ty) => fields(&ty.fields, out),
            Definition::ObjectTypeExtension(ty) => fields(&ty.fields, out),
            Definition::InterfaceTypeDefinition(ty) => fields(&ty.fields, out),
            Definition::InterfaceTypeExtension(ty) => fields(&ty.fields, out),
            Definition::InputObjectTypeDefinition(ty) => inputs(&ty.fields, out),
            Definition::InputObjectTypeExtension(ty) => inputs(&ty.fields, out),
            Definition::DirectiveDefinition(directive) => inputs(&directive.arguments, out),
            _ => {}
        }
    }
}

fn selections(selections: &[Selection], out: &mut Collector) {
    for selection in selections {
        match selection {
            Selection::Field(field) => {
                arguments(&field.arguments, out);
                directives(&field.directives, out);
                if let Some(selection_set) = &field.selection_set {
                    check_not_empty(selection_set, field.location(), out);
                    self::selections(selection_set, out);
                }
            }
            Selection::InlineFragment(inline) => {
                directives(&inline.directives, out);
                check_not_empty(&inline.selection_set, inline.location(), out);
                self::selections(&inline.selection_set, out);
            }
            Selection::FragmentSpread(spread) => directives(&spread.directives, out),
        }
    }
}

fn check_null_default(variable: &VariableDefinition, out: &mut Collector) {
    let default = variable.default_value.as_ref().filter(|default| default.is_null());
    if let Some(default) = default.filter(|_| variable.ty.is_non_null()) {
        let message = format!("expected a value of type `{}`, found null", variable.ty);
        out.report(code::WRONG_VALUE, default.location(), message)
            .help("remove the default, or the `!` of the type");
    }
}

fn check_not_empty(selections: &[Selection], at: Option<SourceSpan>, out: &mut Collector) {
    if selections.is_empty() {
        out.report(code::EMPTY_SELECTION, at, "the selection is empty")
            .help("select at least one field, such as `id`");
    }
}

fn fields(fields: &[Node<FieldDefinition>], out: &mut Collector) {
    for field in fields {
        inputs(&field.arguments, out);
        directives(&field.directives, out);
    }
}

fn inputs(inputs: &[Node<InputValueDefinition>], out: &mut Collector) {
    for input in inputs {
        input.default_value.iter().for_each(|default| value(default, out));
        directives(&input.directives, out);
    }
}

fn directives(directives: &DirectiveList, out: &mut Collector) {
    directives
        .iter()
        .for_each(|directive| arguments(&directive.arguments, out));
}

fn arguments(arguments: &[Node<Argument>], out: &mut Collector) {
    for (index, argument) in arguments.iter().enumerate() {
        if let Some(first) = arguments[..index].iter().find(|earlier| earlier.name == argument.name) {
            out.report(
                code::DUPLICATE_ARGUMENT,
                argument.name.location(),
                format!("argument `{}` is given more than once", argument.name),
            )
            .note(first.name.location(), "first given here")
            .help("remove one of them");
        }
        value(&argument.value, out);
    }
}

fn value(value: &Node<Value>, out: &mut Collector) {
    match &**value {
        Value::List(items) => items.iter().for_each(|item| self::value(item, out)),
        Value::Object(fields) => {
            for (index, (name, item)) in fields.iter().enumerate() {
                if let Some((first, _)) = fields[..index].iter().find(|(earlier, _)| earlier == name) {
                    out.report(
                        code::DUPLICATE_INPUT_FIELD,
                        name.location(),
                        format!("field `{name}` is given more than once"),
                    )
                    .note(first.location(), "first given here")
                    .help("remove one of them");
                }
                self::value(item, out);
            }
        }
        _ => {}
    }
}
