//! Limits of types and values, which bound the stack of all later steps.

use apollo_compiler::Node;
use apollo_compiler::ast::{
    Argument, Definition, DirectiveList, Document, FieldDefinition, InputValueDefinition, Selection, Type, Value,
};
use apollo_compiler::parser::SourceSpan;

use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;

/// List types inside each other, as in `[[Int]]`, which has two.
const MAX_LISTS: usize = 16;
/// Lists and objects inside each other.
const MAX_VALUES: usize = 64;

/// Returns true if everything is within the limits.
pub(crate) fn check(document: &Document, out: &mut Collector) -> bool {
    let before = out.len();
    let mut check = Check { out };
    for definition in &document.definitions {
        check.definition(definition);
    }
    out.len() == before
}

struct Check<'o> {
    out: &'o mut Collector,
}

impl Check<'_> {
    fn definition(&mut self, definition: &Definition) {
        self.directives(definition.directives());
        match definition {
            Definition::OperationDefinition(operation) => {
                for variable in &operation.variables {
                    self.ty(&variable.ty, variable.location());
                    variable.default_value.iter().for_each(|value| self.value(value));
                    self.directives(&variable.directives);
                }
                self.selections(&operation.selection_set);
            }
            Definition::FragmentDefinition(fragment) => self.selections(&fragment.selection_set),
            Definition::ObjectTypeDefinition(ty) => self.fields(&ty.fields),
            Definition::ObjectTypeExtension(ty) => self.fields(&ty.fields),
            Definition::InterfaceTypeDefinition(ty) => self.fields(&ty.fields),
            Definition::InterfaceTypeExtension(ty) => self.fields(&ty.fields),
            Definition::InputObjectTypeDefinition(ty) => self.inputs(&ty.fields),
            Definition::InputObjectTypeExtension(ty) => self.inputs(&ty.fields),
            Definition::DirectiveDefinition(directive) => self.inputs(&directive.arguments),
            _ => {}
        }
    }

    fn fields(&mut self, fields: &[Node<FieldDefinition>]) {
        for field in fields {
            self.ty(&field.ty, field.name.location());
            self.inputs(&field.arguments);
            self.directives(&field.directives);
        }
    }

    fn inputs(&mut self, inputs: &[Node<InputValueDefinition>]) {
        for input in inputs {
            self.ty(&input.ty, input.name.location());
            input.default_value.iter().for_each(|value| self.value(value));
            self.directives(&input.directives);
        }
    }

    fn selections(&mut self, selections: &[Selection]) {
        let mut open: Vec<&Selection> = selections.iter().collect();
        while let Some(selection) = open.pop() {
            match selection {
                Selection::Field(field) => {
                    self.directives(&field.directives);
                    self.arguments(&field.arguments);
                    open.extend(field.selection_set.iter().flatten());
                }
                Selection::InlineFragment(inline) => {
                    self.directives(&inline.directives);
                    open.extend(&inline.selection_set);
                }
                Selection::FragmentSpread(spread) => self.directives(&spread.directives),
            }
        }
    }

    fn directives(&mut self, directives: &DirectiveList) {
        directives
            .iter()
            .for_each(|directive| self.arguments(&directive.arguments));
    }

    fn arguments(&mut self, arguments: &[Node<Argument>]) {
        arguments.iter().for_each(|argument| self.value(&argument.value));
    }

    fn ty(&mut self, ty: &Type, at: Option<SourceSpan>) {
        let (mut lists, mut ty) = (0, ty);
        while let Type::List(item) | Type::NonNullList(item) = ty {
            (lists, ty) = (lists + 1, item);
        }
        if lists > MAX_LISTS {
            let message = format!("the type is nested too deeply: {lists} lists, at most {MAX_LISTS} are supported");
            self.out
                .report(code::TOO_DEEP, at, message)
                .help("use an object or input type for the inner lists");
        }
    }

    fn value(&mut self, value: &Node<Value>) {
        let mut open: Vec<(&Node<Value>, usize)> = vec![(value, 0)];
        while let Some((inner, depth)) = open.pop() {
            if depth > MAX_VALUES {
                let message = format!("the value is nested more than {MAX_VALUES} levels deep");
                self.out
                    .report(code::TOO_DEEP, value.location(), message)
                    .help("use a flatter value");
                return;
            }
            match &**inner {
                Value::List(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
                Value::Object(fields) => open.extend(fields.iter().map(|(_, item)| (item, depth + 1))),
                _ => {}
            }
        }
    }
}
