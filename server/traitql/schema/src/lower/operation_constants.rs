//! Constants in operations must satisfy the constraints of their positions, also as defaults of variables, because
//! every such call would be rejected.

use std::collections::HashSet;

use apollo_compiler::ast::{InputValueDefinition, Value};
use apollo_compiler::executable::{ExecutableDocument, Operation, Selection, SelectionSet};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::{Name, Node, Schema};

use super::{constraints, exact_numbers};
use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;

pub(crate) fn check(schema: &Schema, document: &ExecutableDocument, out: &mut Collector) {
    let mut reported = HashSet::new();
    for operation in document.operations.iter() {
        let mut constants = Constants {
            schema,
            document,
            operation,
            fragments: HashSet::new(),
            reported: &mut reported,
            out,
        };
        constants.selections(&operation.selection_set);
        for variable in &operation.variables {
            if let Some(default) = &variable.default_value {
                exact_numbers::check(schema, variable.ty.inner_named_type(), default, constants.out);
            }
        }
    }
}

struct Constants<'a, 'o> {
    schema: &'a Schema,
    document: &'a ExecutableDocument,
    operation: &'a Operation,
    /// Fragments that this operation has already entered.
    fragments: HashSet<&'a Name>,
    /// Operations can share fragments, and arguments can share variables.
    reported: &'o mut HashSet<Option<SourceSpan>>,
    out: &'o mut Collector,
}

impl<'a> Constants<'a, '_> {
    fn selections(&mut self, set: &'a SelectionSet) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    for argument in &field.arguments {
                        if let Some(definition) = field.definition.argument_by_name(&argument.name) {
                            let coordinate = format!("{}.{}({}:)", set.ty, field.name, argument.name);
                            self.value(&coordinate, definition, &argument.value);
                            exact_numbers::check(
                                self.schema,
                                definition.ty.inner_named_type(),
                                &argument.value,
                                self.out,
                            );
                        }
                    }
                    if let Some(below) = &field.selection_set {
                        self.selections(below);
                    }
                }
                Selection::InlineFragment(inline) => self.selections(&inline.selection_set),
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.fragment_name)
                        && self.fragments.insert(&fragment.name)
                    {
                        self.selections(&fragment.selection_set);
                    }
                }
            }
        }
    }

    fn value(&mut self, coordinate: &str, definition: &InputValueDefinition, value: &Node<Value>) {
        let value = match &**value {
            Value::Variable(name) => {
                let variable = self.operation.variables.iter().find(|variable| variable.name == *name);
                match variable.and_then(|variable| variable.default_value.as_ref()) {
                    Some(default) => default.clone(),
                    None => return,
                }
            }
            _ => value.clone(),
        };
        for problem in constraints::problems(self.schema, definition, &value) {
            if self.reported.insert(value.location()) {
                let message = format!("the value of `{coordinate}` {problem}");
                self.out
                    .report(code::CONSTANT_LIMIT, value.location(), message)
                    .help("the server would reject every call; change the value, or the constraint in the schema");
            }
        }
        self.inside(definition.ty.inner_named_type(), &value);
    }

    fn inside(&mut self, ty: &str, value: &Node<Value>) {
        match &**value {
            Value::List(items) => items.iter().for_each(|item| self.inside(ty, item)),
            Value::Object(fields) => {
                let Some(input) = self.schema.get_input_object(ty) else {
                    return;
                };
                for (name, value) in fields {
                    if let Some(field) = input.fields.get(name) {
                        self.value(&format!("{ty}.{name}"), field, value);
                    }
                }
            }
            _ => {}
        }
    }
}
