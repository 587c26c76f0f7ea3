//! Prints each operation as clients send it, and computes its fields, depth and maximum cost.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use apollo_compiler::ast::{self, Value};
use apollo_compiler::executable::{Field, OperationType, Selection, SelectionSet};
use apollo_compiler::{ExecutableDocument, Name, Node};
use indexmap::{IndexMap, IndexSet};

use crate::diagnostics::diagnostic::Collector;
use crate::lower::{lower_type, resolver_calls, selections};
use crate::model::{self, Constraint, Operation, RootKind, Type, Variable};
use crate::print::Printer;

pub(crate) fn lower(
    document: &ExecutableDocument,
    asts: &[ast::Document],
    types: &IndexMap<String, Type>,
    out: &Collector,
) -> Vec<Operation> {
    let definitions = || asts.iter().flat_map(|ast| &ast.definitions);
    let fragments: BTreeMap<&str, &ast::FragmentDefinition> = definitions()
        .filter_map(|definition| definition.as_fragment_definition())
        .map(|fragment| (fragment.name.as_str(), &**fragment))
        .collect();
    let printer = Printer {
        sources: out.sources().files(),
    };
    let mut operations: Vec<Operation> = Vec::new();
    for definition in definitions().filter_map(|definition| definition.as_operation_definition()) {
        let Some(name) = &definition.name else { continue };
        let Some(operation) = document.operations.named.get(name) else {
            continue;
        };
        let mut used = BTreeSet::new();
        spreads(&definition.selection_set, &fragments, &mut used);
        let mut body = printer.operation(definition);
        for fragment in used {
            body.push_str("\n\n");
            body.push_str(&printer.fragment(fragments[fragment]));
        }
        let variables = operation
            .variables
            .iter()
            .map(|variable| (variable.name.as_str(), variable))
            .collect();
        let mut measure = Measure {
            document,
            types,
            variables,
            coordinates: IndexSet::new(),
            variable_inputs: IndexSet::new(),
            given_inputs: IndexSet::new(),
        };
        let (cost, depth) = measure.selections(&[&operation.selection_set]);
        for variable in &operation.variables {
            if let Some(default) = &variable.default_value {
                measure.given(default, variable.ty.inner_named_type());
            }
        }
        let root = &operation.selection_set.ty;
        let root_fields = measure
            .coordinates
            .iter()
            .filter(|c| c.split_once('.').is_some_and(|(ty, _)| *root == ty));
        operations.push(Operation {
            name: name.to_string(),
            kind: match operation.operation_type {
                OperationType::Query => RootKind::Query,
                OperationType::Mutation => RootKind::Mutation,
                OperationType::Subscription => RootKind::Subscription,
            },
            body,
            root_fields: root_fields.cloned().collect(),
            coordinates: measure.coordinates.iter().cloned().collect(),
            variable_inputs: measure.variable_inputs.iter().cloned().collect(),
            given_inputs: measure.given_inputs.iter().cloned().collect(),
            cost,
            depth,
            calls: resolver_calls::count(document, types, &operation.selection_set),
            variables: operation
                .variables
                .iter()
                .map(|variable| Variable {
                    name: variable.name.to_string(),
                    ty: lower_type(&variable.ty),
                    has_default: variable.default_value.is_some(),
                })
                .collect(),
            selections: selections::selections(&operation.selection_set),
            origin: out.sources().origin(name.location()),
        });
    }
    operations.sort_by(|a, b| a.name.cmp(&b.name));
    operations
}

fn spreads<'a>(
    selections: &'a [ast::Selection],
    fragments: &BTreeMap<&str, &'a ast::FragmentDefinition>,
    used: &mut BTreeSet<&'a str>,
) {
    for selection in selections {
        match selection {
            ast::Selection::Field(field) => {
                spreads(field.selection_set.as_deref().unwrap_or_default(), fragments, used)
            }
            ast::Selection::InlineFragment(inline) => spreads(&inline.selection_set, fragments, used),
            ast::Selection::FragmentSpread(spread) => {
                if let Some(fragment) = fragments.get(spread.fragment_name.as_str())
                    && used.insert(spread.fragment_name.as_str())
                {
                    spreads(&fragment.selection_set, fragments, used);
                }
            }
        }
    }
}

struct Measure<'a> {
    document: &'a ExecutableDocument,
    types: &'a IndexMap<String, Type>,
    variables: HashMap<&'a str, &'a Node<ast::VariableDefinition>>,
    coordinates: IndexSet<String>,
    variable_inputs: IndexSet<String>,
    given_inputs: IndexSet<String>,
}

impl<'a> Measure<'a> {
    /// Merges the selections. A field that several of them select is counted once; fields of different types behind
    /// one alias are all counted, as the upper bound.
    fn selections(&mut self, sets: &[&'a SelectionSet]) -> (u64, u32) {
        if sets.is_empty() {
            return (0, 0);
        }
        let mut fields = IndexMap::new();
        let mut seen = HashSet::new();
        for set in sets {
            self.collect(set, &mut fields, &mut seen);
        }
        let (mut cost, mut depth) = (0_u64, 0);
        for ((parent, _), fields) in fields {
            let field = fields[0];
            let children: Vec<&SelectionSet> = fields.iter().filter_map(|field| field.selection_set.as_ref()).collect();
            let Some(definition) = self.definition(parent, &field.name) else {
                continue;
            };
            let (own, times) = (definition.cost.value, definition.cost.times.clone());
            let factor = times.map_or(1, |argument| self.upper_limit(parent, field, &argument));
            self.coordinates.insert(format!("{parent}.{}", field.name));
            for argument in &field.arguments {
                if let Some(input) = definition.args.iter().find(|input| argument.name == *input.name) {
                    let coordinate = format!("{parent}.{}({}:)", field.name, argument.name);
                    self.sent(coordinate, &argument.value, input.ty.name());
                }
            }
            let (below, deep) = self.selections(&children);
            cost = cost
                .saturating_add(u64::from(own))
                .saturating_add(below.saturating_mul(factor));
            depth = depth.max(deep + 1);
        }
        (cost, depth)
    }

    fn sent(&mut self, coordinate: String, value: &Value, ty: &str) {
        match value {
            Value::Variable(_) => {
                self.variable_inputs.insert(coordinate.clone());
            }
            Value::List(items) => items.iter().for_each(|item| self.sent(coordinate.clone(), item, ty)),
            Value::Object(fields) => self.fields(fields, ty),
            Value::Enum(name) => self.enum_value(name, ty),
            _ => {}
        }
        self.given_inputs.insert(coordinate);
    }

    /// Records the parts of a value whose own coordinate is not deprecated, such as the default of a variable.
    fn given(&mut self, value: &Value, ty: &str) {
        match value {
            Value::List(items) => items.iter().for_each(|item| self.given(item, ty)),
            Value::Object(fields) => self.fields(fields, ty),
            Value::Enum(name) => self.enum_value(name, ty),
            _ => {}
        }
    }

    fn fields(&mut self, fields: &[(Name, Node<Value>)], ty: &str) {
        let Some(Type::Input(input)) = self.types.get(ty) else {
            return;
        };
        for (name, value) in fields {
            if let Some(field) = input.fields.iter().find(|field| *name == *field.name) {
                self.sent(format!("{ty}.{name}"), value, field.ty.name());
            }
        }
    }

    fn enum_value(&mut self, name: &str, ty: &str) {
        if matches!(self.types.get(ty), Some(Type::Enum(_))) {
            self.given_inputs.insert(format!("{ty}.{name}"));
        }
    }

    fn collect(
        &self,
        set: &'a SelectionSet,
        fields: &mut IndexMap<(&'a str, &'a str), Vec<&'a Node<Field>>>,
        seen: &mut HashSet<&'a str>,
    ) {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) if field.name.starts_with("__") => {}
                Selection::Field(field) => {
                    let key = (set.ty.as_str(), field.response_name().as_str());
                    fields.entry(key).or_default().push(field);
                }
                Selection::InlineFragment(inline) => self.collect(&inline.selection_set, fields, seen),
                Selection::FragmentSpread(spread) => {
                    if seen.insert(spread.fragment_name.as_str())
                        && let Some(fragment) = self.document.fragments.get(&spread.fragment_name)
                    {
                        self.collect(&fragment.selection_set, fields, seen);
                    }
                }
            }
        }
    }

    fn definition(&self, parent: &str, field: &str) -> Option<&'a model::Field> {
        match self.types.get(parent)? {
            Type::Object(object) => object.fields.iter().find(|candidate| candidate.name == field),
            Type::Interface(interface) => interface.fields.iter().find(|candidate| candidate.name == field),
            _ => None,
        }
    }

    /// Returns the literal, or the limit of the argument, or the default if the variable or argument is not given.
    fn upper_limit(&self, parent: &str, field: &'a Field, argument: &str) -> u64 {
        let definition = self.definition(parent, &field.name);
        let input = definition.and_then(|definition| definition.args.iter().find(|input| input.name == argument));
        let limit = input.and_then(|input| {
            input.constraints.iter().find_map(|rule| match rule {
                Constraint::Range { max: Some(max), .. } => Some(*max as u64),
                _ => None,
            })
        });
        let default = input.and_then(|input| match input.default {
            Some(model::Value::Int(value)) => u64::try_from(value).ok(),
            _ => None,
        });
        let number = |value: &Value| value.to_i32().and_then(|value| u64::try_from(value).ok());
        match field.specified_argument_by_name(argument) {
            None => default.or(limit).unwrap_or(1),
            Some(value) => match &**value {
                Value::Variable(name) => {
                    let variable = self.variables.get(name.as_str());
                    let variable_default = variable
                        .and_then(|variable| variable.default_value.as_deref())
                        .and_then(number);
                    limit.or(variable_default).or(default).unwrap_or(1)
                }
                literal => number(literal).or(default).unwrap_or(1),
            },
        }
    }
}
