//! From a validated document to a plan.

use std::{marker::PhantomData, sync::Arc};

use apollo_compiler::{
    Name,
    ast::Type,
    collections::HashSet,
    executable::{Selection as Selecting, SelectionSet},
    schema::ExtendedType,
};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{
    Wiring,
    blueprint::Blueprint,
    coerce,
    collect::{Collector, Selected},
    graphql::asks_for_introspection,
    json::{self, Lead},
    plan::{Ask, Asked, Entry, FieldPlan, LevelPlan, ObjectPlan, PathPlan, Position, Source},
    prepare::Prepared,
    selection::{Selection, Within},
};

/// Plans an operation whose conditions have been decided: `conditions` holds the values of the variables in them. `None` where
/// the generated code does not know a type of the schema.
pub(crate) fn plan<W: Wiring>(
    blueprint: &Blueprint,
    prepared: &Arc<Prepared>,
    conditions: Map<String, Value>,
) -> Option<LevelPlan> {
    let within = Within {
        prepared: Arc::clone(prepared),
        variables: Arc::new(conditions),
    };
    let planner = Planner::<W> {
        blueprint,
        within: &within,
        wiring: PhantomData,
    };
    let operation = &prepared.operation;
    let root = planner.object_type(operation.object_type())?;
    let fields = planner
        .collector()
        .collect(root.0, [&operation.selection_set].into_iter());
    planner.level(vec![(root, fields)])
}

/// The variables that decide which selections of a document count. `None` for a document that asks for introspection, whether or
/// not a condition leaves it out.
pub(crate) fn conditions(prepared: &Prepared) -> Option<Vec<Name>> {
    let mut found = HashSet::default();
    let mut sets: Vec<&SelectionSet> = vec![&prepared.operation.selection_set];
    sets.extend(
        prepared
            .document
            .fragments
            .values()
            .map(|fragment| &fragment.selection_set),
    );
    while let Some(set) = sets.pop() {
        for selection in &set.selections {
            for directive in ["skip", "include"] {
                let condition = selection.directives().get(directive);
                let condition = condition.and_then(|directive| directive.specified_argument_by_name("if"));
                if let Some(variable) = condition.and_then(|condition| condition.as_variable()) {
                    found.insert(variable.clone());
                }
            }
            match selection {
                Selecting::Field(field) if asks_for_introspection(&field.name) => return None,
                Selecting::Field(field) => sets.extend(&field.selection_set),
                Selecting::InlineFragment(inline) => sets.push(&inline.selection_set),
                Selecting::FragmentSpread(_) => {}
            }
        }
    }
    let mut found: Vec<Name> = found.into_iter().collect();
    found.sort();
    Some(found)
}

/// An object type by the name that the generated code has for it, and its fields that are parts of its values.
type ObjectType = (&'static str, &'static [&'static str]);

struct Planner<'a, W> {
    blueprint: &'a Blueprint,
    within: &'a Within,
    wiring: PhantomData<fn() -> W>,
}

impl<'a, W: Wiring> Planner<'a, W> {
    fn collector(&self) -> Collector<'a> {
        Collector {
            blueprint: self.blueprint,
            document: &self.within.prepared.document,
            variables: &self.within.variables,
        }
    }

    fn object_type(&self, name: &str) -> Option<ObjectType> {
        let roots = [Some(W::QUERY), W::MUTATION, W::SUBSCRIPTION];
        match roots.into_iter().flatten().find(|root| *root == name) {
            Some(root) => Some((root, &[])),
            None => W::object(name),
        }
    }

    /// The object types that a value of a composite type can have; none for a leaf.
    fn possible(&self, type_name: &str) -> Option<Vec<ObjectType>> {
        match self.blueprint.schema.types.get(type_name)? {
            ExtendedType::Object(_) => Some(vec![self.object_type(type_name)?]),
            ExtendedType::Interface(_) | ExtendedType::Union(_) => {
                let members = self.blueprint.members(type_name).into_iter();
                members.map(|member| self.object_type(member)).collect()
            }
            ExtendedType::Scalar(_) | ExtendedType::Enum(_) | ExtendedType::InputObject(_) => Some(Vec::new()),
        }
    }

    fn collect(&self, of: ObjectType, selected: &Selected) -> Vec<Selected> {
        self.collector().collect(of.0, selected.sets())
    }

    /// Plans a level from the types at it, and the fields that are selected of each.
    fn level(&self, groups: Vec<(ObjectType, Vec<Selected>)>) -> Option<LevelPlan> {
        let mut level = LevelPlan::default();
        // Entries of one response key, with what is selected below each.
        let mut keys: IndexMap<Name, Vec<(Entry, Selected)>> = IndexMap::new();
        for (group, (of, fields)) in groups.into_iter().enumerate() {
            let mut planned = Vec::with_capacity(fields.len());
            for selected in fields {
                let (field, ask) = self.field(of, &selected, planned.is_empty())?;
                if let Some(ask) = ask {
                    let entry = Entry {
                        group,
                        field: planned.len(),
                        ask,
                        targets: Vec::new(),
                    };
                    keys.entry(selected.key().clone()).or_default().push((entry, selected));
                }
                planned.push(field);
            }
            level.groups.push(object(of, planned));
        }
        for (path, (_, entries)) in keys.into_iter().enumerate() {
            for (at, (entry, _)) in entries.iter().enumerate() {
                level.groups[entry.group].fields[entry.field].source = Source::Column { path, entry: at };
            }
            let path = self.path(&level, entries)?;
            level.paths.push(path);
        }
        Some(level)
    }

    /// Plans what is below one response key.
    fn path(&self, level: &LevelPlan, entries: Vec<(Entry, Selected)>) -> Option<PathPlan> {
        let mut below: Vec<(ObjectType, Selected)> = Vec::new();
        let mut planned = Vec::with_capacity(entries.len());
        for (mut entry, selected) in entries {
            let field = &level.groups[entry.group].fields[entry.field];
            for of in self.possible(field.ty.inner_named_type())? {
                // Objects of different parents that have the same selections are resolved together.
                let known = below
                    .iter()
                    .position(|(other, at)| other.0 == of.0 && at.same(&selected));
                let group = known.unwrap_or_else(|| {
                    below.push((of, selected.clone()));
                    below.len() - 1
                });
                entry.targets.push((of.0, group));
            }
            planned.push(entry);
        }
        let below = below
            .into_iter()
            .map(|(of, selected)| (of, self.collect(of, &selected)));
        Some(PathPlan {
            entries: planned,
            below: self.level(below.collect())?,
        })
    }

    /// Plans a field, and how it is asked for where it has to be.
    fn field(&self, of: ObjectType, selected: &Selected, first: bool) -> Option<(FieldPlan, Option<Ask>)> {
        let mut field = self.described(of, selected, first)?;
        if selected.name() == "__typename" {
            return Some((field, None));
        }
        let named = field.ty.inner_named_type().clone();
        let Some(number) = of.1.iter().position(|name| *name == selected.name().as_str()) else {
            let asked = self.asked(of, selected)?;
            return Some((field, Some(Ask::Resolver(asked))));
        };
        let possible = self.possible(&named)?;
        if possible.is_empty() {
            field.source = match &field.ty {
                Type::Named(_) | Type::NonNullNamed(_) => Source::Leaf(number),
                Type::List(_) | Type::NonNullList(_) => Source::Inline(number),
            };
            return Some((field, None));
        }
        let alone = possible.len() == 1;
        let inline = possible.into_iter().map(|of| self.inline(of, alone, selected));
        let inline: Option<Vec<ObjectPlan>> = inline.collect();
        match inline {
            Some(inline) => {
                field.source = Source::Inline(number);
                field.inline = inline;
                Some((field, None))
            }
            None => Some((field, Some(Ask::Rows(number)))),
        }
    }

    /// Plans an object all of whose fields are parts of it, and of what is below; `None` when one is not.
    ///
    /// Where several types are possible, objects below them are resolved like those of resolvers: their types share one level
    /// then. Inline, each type would have a plan of its own for everything below, and plans would multiply from level to level.
    fn inline(&self, of: ObjectType, alone: bool, selected: &Selected) -> Option<ObjectPlan> {
        let mut planned: Vec<FieldPlan> = Vec::new();
        for selected in self.collect(of, selected) {
            if !alone && selected.sets().next().is_some() {
                return None;
            }
            match self.field(of, &selected, planned.is_empty())? {
                (field, None) => planned.push(field),
                (_, Some(_)) => return None,
            }
        }
        Some(object(of, planned))
    }

    fn described(&self, of: ObjectType, selected: &Selected, first: bool) -> Option<FieldPlan> {
        let ty = match selected.name().as_str() {
            "__typename" => Type::NonNullNamed(Name::new_static("String").ok()?),
            name => self.blueprint.field(of.0, name)?.ty.clone(),
        };
        let mut lead = if first { Vec::new() } else { vec![b','] };
        json::text(&mut lead, selected.key());
        lead.push(b':');
        Some(FieldPlan {
            key: selected.key().as_str().into(),
            lead: Lead::new(&lead),
            coordinate: format!("{}.{}", of.0, selected.name()).into(),
            position: Position::new(&ty),
            ty,
            source: Source::Name,
            inline: Vec::new(),
        })
    }

    fn asked(&self, of: ObjectType, selected: &Selected) -> Option<Asked> {
        let node = &selected.nodes[0];
        let definition = self.blueprint.field(of.0, selected.name())?;
        let variable = node.arguments.iter().any(|argument| has_variable(&argument.value));
        // What is wrong with a literal is told when it is asked for, like all that is wrong with arguments.
        let constant = match variable {
            true => None,
            false => {
                let schema = &self.blueprint.schema;
                coerce::arguments(schema, &definition.arguments, node, &Map::new())
                    .map(Value::Object)
                    .ok()
            }
        };
        Some(Asked {
            node: node.clone(),
            constant,
            selection: Arc::new(Selection::new(self.within, &selected.nodes)),
        })
    }
}

fn object(of: ObjectType, fields: Vec<FieldPlan>) -> ObjectPlan {
    let mut quoted_name = Vec::new();
    json::text(&mut quoted_name, of.0);
    ObjectPlan {
        type_name: of.0,
        quoted_name: quoted_name.into(),
        fields,
    }
}

fn has_variable(value: &apollo_compiler::ast::Value) -> bool {
    use apollo_compiler::ast::Value;
    match value {
        Value::Variable(_) => true,
        Value::List(entries) => entries.iter().any(|entry| has_variable(entry)),
        Value::Object(fields) => fields.iter().any(|(_, value)| has_variable(value)),
        _ => false,
    }
}
