use std::{marker::PhantomData, sync::Arc};

use apollo_compiler::{
    Name,
    ast::Type,
    collections::HashSet,
    executable::{Selection as SelectionNode, SelectionSet},
    schema::ExtendedType,
};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{
    GeneratedSchema, coerce,
    collect::{Collector, Selected},
    json::{self, KeyPrefix},
    plan::{ColumnSource, Entry, FieldPlan, LevelPlan, Nullability, ObjectPlan, PathPlan, ResolverCall, Source},
    prepare::{self, Prepared},
    schema_index::{self, SchemaIndex},
    selection::{Selection, SelectionContext},
};

/// `conditions` contains the variables of `@skip` and `@include`. Returns `None` if the generated code does not know a
/// type of the schema.
pub(crate) fn plan<W: GeneratedSchema>(
    schema_index: &SchemaIndex,
    prepared: &Arc<Prepared>,
    conditions: Map<String, Value>,
) -> Option<LevelPlan> {
    let context = SelectionContext {
        prepared: Arc::clone(prepared),
        variables: Arc::new(conditions),
    };
    let planner = Planner::<W> {
        schema_index,
        context: &context,
        wiring: PhantomData,
    };
    let operation = &prepared.operation;
    let root = planner.object_type(operation.object_type())?;
    let fields = planner
        .collector()
        .collect(root.0, [&operation.selection_set].into_iter());
    planner.level(vec![(root, fields)])
}

/// Returns `None` for a document with introspection fields, even if a condition excludes them.
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
            found.extend(prepare::conditions(selection.directives()).cloned());
            match selection {
                SelectionNode::Field(field) if schema_index::is_introspection_field(&field.name) => return None,
                SelectionNode::Field(field) => sets.extend(&field.selection_set),
                SelectionNode::InlineFragment(inline) => sets.push(&inline.selection_set),
                SelectionNode::FragmentSpread(_) => {}
            }
        }
    }
    let mut found: Vec<Name> = found.into_iter().collect();
    found.sort();
    Some(found)
}

/// Name and stored fields.
type ObjectType = (&'static str, &'static [&'static str]);

struct Planner<'a, W> {
    schema_index: &'a SchemaIndex,
    context: &'a SelectionContext,
    wiring: PhantomData<fn() -> W>,
}

impl<'a, W: GeneratedSchema> Planner<'a, W> {
    fn collector(&self) -> Collector<'a> {
        Collector {
            schema_index: self.schema_index,
            document: &self.context.prepared.document,
            variables: &self.context.variables,
        }
    }

    fn object_type(&self, name: &str) -> Option<ObjectType> {
        let roots = [Some(W::QUERY), W::MUTATION, W::SUBSCRIPTION];
        match roots.into_iter().flatten().find(|root| *root == name) {
            Some(root) => Some((root, &[])),
            None => W::object(name),
        }
    }

    fn possible(&self, type_name: &str) -> Option<Vec<ObjectType>> {
        match self.schema_index.schema.types.get(type_name)? {
            ExtendedType::Object(_) => Some(vec![self.object_type(type_name)?]),
            ExtendedType::Interface(_) | ExtendedType::Union(_) => {
                let members = self.schema_index.members(type_name).into_iter();
                members.map(|member| self.object_type(member)).collect()
            }
            ExtendedType::Scalar(_) | ExtendedType::Enum(_) | ExtendedType::InputObject(_) => Some(Vec::new()),
        }
    }

    fn collect(&self, of: ObjectType, selected: &Selected) -> Vec<Selected> {
        self.collector().collect(of.0, selected.sets())
    }

    fn level(&self, groups: Vec<(ObjectType, Vec<Selected>)>) -> Option<LevelPlan> {
        let mut level = LevelPlan::default();
        let mut keys: IndexMap<Name, Vec<(Entry, Selected)>> = IndexMap::new();
        for (group, (of, fields)) in groups.into_iter().enumerate() {
            let mut planned = Vec::with_capacity(fields.len());
            for selected in fields {
                let (field, source) = self.field(of, &selected, planned.is_empty())?;
                if let Some(source) = source {
                    let entry = Entry {
                        group,
                        field: planned.len(),
                        source,
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

    fn path(&self, level: &LevelPlan, entries: Vec<(Entry, Selected)>) -> Option<PathPlan> {
        let mut below: Vec<(ObjectType, Selected)> = Vec::new();
        let mut planned = Vec::with_capacity(entries.len());
        for (mut entry, selected) in entries {
            let field = &level.groups[entry.group].fields[entry.field];
            for of in self.possible(field.ty.inner_named_type())? {
                // Objects of different parents are resolved together if they have the same selections.
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

    fn field(&self, of: ObjectType, selected: &Selected, first: bool) -> Option<(FieldPlan, Option<ColumnSource>)> {
        let mut field = self.field_plan(of, selected, first)?;
        if selected.name() == "__typename" {
            return Some((field, None));
        }
        let named = field.ty.inner_named_type().clone();
        let Some(number) = of.1.iter().position(|name| *name == selected.name().as_str()) else {
            let resolver_call = self.resolver_call(of, selected)?;
            return Some((field, Some(ColumnSource::Resolver(resolver_call))));
        };
        let possible = self.possible(&named)?;
        if possible.is_empty() {
            field.source = match &field.ty {
                Type::Named(_) | Type::NonNullNamed(_) => Source::Leaf(number),
                Type::List(_) | Type::NonNullList(_) => Source::Inline(number),
            };
            return Some((field, None));
        }
        let only_type = possible.len() == 1;
        let inline = possible.into_iter().map(|of| self.inline(of, only_type, selected));
        let inline: Option<Vec<ObjectPlan>> = inline.collect();
        match inline {
            Some(inline) => {
                field.source = Source::Inline(number);
                field.inline = inline;
                Some((field, None))
            }
            None => Some((field, Some(ColumnSource::Rows(number)))),
        }
    }

    /// Returns `None` if a field requires a resolver.
    ///
    /// If several types are possible, objects below them are planned as if they were resolved, so that their types
    /// share one level; otherwise the number of plans would multiply from level to level.
    fn inline(&self, of: ObjectType, only_type: bool, selected: &Selected) -> Option<ObjectPlan> {
        let mut planned: Vec<FieldPlan> = Vec::new();
        for selected in self.collect(of, selected) {
            if !only_type && selected.sets().next().is_some() {
                return None;
            }
            match self.field(of, &selected, planned.is_empty())? {
                (field, None) => planned.push(field),
                (_, Some(_)) => return None,
            }
        }
        Some(object(of, planned))
    }

    fn field_plan(&self, of: ObjectType, selected: &Selected, first: bool) -> Option<FieldPlan> {
        let ty = match selected.name().as_str() {
            "__typename" => Type::NonNullNamed(Name::new_static("String").ok()?),
            name => self.schema_index.field(of.0, name)?.ty.clone(),
        };
        let mut key_prefix = if first { Vec::new() } else { vec![b','] };
        json::text(&mut key_prefix, selected.key());
        key_prefix.push(b':');
        Some(FieldPlan {
            key: selected.key().as_str().into(),
            key_prefix: KeyPrefix::new(&key_prefix),
            coordinate: format!("{}.{}", of.0, selected.name()).into(),
            nullability: Nullability::new(&ty),
            ty,
            source: Source::Name,
            inline: Vec::new(),
        })
    }

    fn resolver_call(&self, of: ObjectType, selected: &Selected) -> Option<ResolverCall> {
        let node = &selected.nodes[0];
        let definition = self.schema_index.field(of.0, selected.name())?;
        let variable = node.arguments.iter().any(|argument| has_variable(&argument.value));
        // Invalid literals are reported when the field is executed, together with all other violations.
        let constant = if variable {
            None
        } else {
            let schema = &self.schema_index.schema;
            coerce::arguments(schema, &definition.arguments, node, &Map::new())
                .map(Value::Object)
                .ok()
        };
        Some(ResolverCall {
            node: node.clone(),
            constant,
            selection: Arc::new(Selection::new(self.context, &selected.nodes)),
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
