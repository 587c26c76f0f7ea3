//! The batches of the ad-hoc engine.
//!
//! async-graphql visits one object after the other, but a resolver takes all objects of a level: those at one response
//! path (without list indices), split into one [`Group`] per concrete type and selection. The first object that needs
//! a field therefore resolves it for all of them, and the others await the same future. It completes with the level
//! below, because objects that reach a path through different concrete parents are in one level.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use apollo_compiler::{
    Name,
    ast::{OperationType, Type},
    executable::Selection,
};
use async_graphql::{
    Pos, Positioned,
    parser::types::{self, Field, SelectionSet},
};
use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, join_all},
};
use indexmap::IndexMap;

use super::{
    GeneratedSchema,
    call::{Call, Execution},
    collect::Selected,
    output::Shape,
    rows::{Column, RowSet, Rows, to_u32},
};
use crate::FieldError;

/// All objects at one response path.
pub(crate) struct Level {
    pub(crate) groups: Vec<Arc<Group>>,
    /// The futures refer to the groups, but not to the level, so that an execution that is dropped early leaves no
    /// cycle.
    paths: HashMap<Name, Shared<BoxFuture<'static, Arc<Path>>>>,
}

/// Objects of one concrete type at one response path that have the same selections.
pub(crate) struct Group {
    pub(crate) type_name: &'static str,
    /// The selected fields, each response key once.
    pub(crate) selection: Positioned<SelectionSet>,
    rows: Box<dyn Rows>,
}

/// One response key of all objects of a level.
pub(crate) struct Path {
    /// The field of each group that selects the key.
    fields: Vec<(usize, Resolved)>,
    pub(crate) below: Level,
}

pub(crate) struct Resolved {
    pub(crate) ty: Type,
    /// The error of a null in a non-null position, logged once.
    pub(crate) null_error: LazyLock<FieldError, Box<dyn FnOnce() -> FieldError + Send>>,
    /// One per object of the group.
    pub(crate) shapes: Vec<Shape>,
    /// Index of the group below, and index of the object there.
    pub(crate) places: Vec<(u32, u32)>,
}

/// A response key of one group.
pub(crate) struct Entry {
    /// Index of the group.
    pub(crate) number: usize,
    pub(crate) group: Arc<Group>,
    pub(crate) selected: Selected,
}

impl Level {
    pub(crate) fn new<W: GeneratedSchema>(
        execution: &Arc<Execution<W>>,
        groups: Vec<(&'static str, Vec<Selected>, Box<dyn Rows>)>,
    ) -> Self {
        let mut entries: IndexMap<Name, Vec<Entry>> = IndexMap::new();
        let groups = groups
            .into_iter()
            .enumerate()
            .map(|(number, (type_name, fields, rows))| {
                let group = Arc::new(Group {
                    type_name,
                    selection: selection_set(&fields),
                    rows,
                });
                for selected in fields {
                    let of_key = entries.entry(selected.key().clone()).or_default();
                    of_key.push(Entry {
                        number,
                        group: Arc::clone(&group),
                        selected,
                    });
                }
                group
            });
        let groups = groups.collect();
        let paths = entries
            .into_iter()
            .map(|(key, entries)| (key, resolve(Arc::clone(execution), entries).shared()));
        Self {
            groups,
            paths: paths.collect(),
        }
    }

    /// Resolves a response key for all objects, at the first call.
    pub(crate) fn path(&self, key: &str) -> impl Future<Output = Arc<Path>> + use<> {
        let path = self.paths.get(key).expect("async-graphql visits the fields of a group");
        path.clone()
    }
}

impl Path {
    pub(crate) fn new<W: GeneratedSchema>(execution: &Arc<Execution<W>>, columns: Vec<(Entry, Column)>) -> Self {
        let mut below: Vec<(&'static str, Selected, Box<dyn Rows>)> = Vec::new();
        let mut fields = Vec::with_capacity(columns.len());
        for (entry, column) in columns {
            let Entry {
                number,
                group,
                selected,
            } = entry;
            let (shapes, rows) = column.into_shapes();
            let definition = execution.schema_index().field(group.type_name, selected.name());
            let definition =
                definition.expect("validation has checked that the schema has every field of the document");
            // Of each part of the column: the group below, and its number of rows so far.
            let mut moved: Vec<(u32, u32)> = Vec::with_capacity(rows.parts.len());
            for part in rows.parts {
                let part_type = match part.type_name {
                    "" => W::object(definition.ty.inner_named_type()).map_or("", |(name, _)| name),
                    name => name,
                };
                let known = below
                    .iter()
                    .position(|(type_name, same, _)| *type_name == part_type && same.same(&selected));
                match known {
                    Some(at) => {
                        let rows = &mut below[at].2;
                        moved.push((to_u32(at), to_u32(rows.count())));
                        rows.append(part.rows);
                    }
                    None => {
                        moved.push((to_u32(below.len()), 0));
                        below.push((part_type, selected.clone(), part.rows));
                    }
                }
            }
            let places = rows.places.iter().map(|(part, row)| {
                let (group, offset) = moved[*part as usize];
                (group, offset + row)
            });
            let (execution, ty) = (Arc::clone(execution), definition.ty.clone());
            let null_error = Box::new(move || {
                let coordinate = format!("{}.{}", group.type_name, selected.name());
                let problem = format!("got null in a field of type {ty}");
                execution.log_failure(&coordinate, FieldError::internal(problem))
            });
            let resolved = Resolved {
                null_error: LazyLock::new(null_error),
                ty: definition.ty.clone(),
                shapes,
                places: places.collect(),
            };
            fields.push((number, resolved));
        }
        let below = below.into_iter().map(|(type_name, selected, rows)| {
            let fields = execution.collector().collect(type_name, selected.sets());
            (type_name, fields, rows)
        });
        Self {
            below: Level::new(execution, below.collect()),
            fields,
        }
    }

    pub(crate) fn field(&self, group: usize) -> &Resolved {
        let found = self.fields.iter().find(|(number, _)| *number == group);
        let (_, field) = found.expect("async-graphql visits the fields of a group");
        field
    }
}

/// Returns the fields of a group for async-graphql, which executes each selection of a key separately, and a fragment
/// again for each spread.
fn selection_set(fields: &[Selected]) -> Positioned<SelectionSet> {
    let at = Pos::default();
    let name = |name: &str| Positioned::new(async_graphql::Name::new(name), at);
    let fields = fields.iter().map(|selected| {
        let field = Field {
            alias: Some(name(selected.key())),
            name: name(selected.name()),
            arguments: Vec::new(),
            directives: Vec::new(),
            selection_set: Positioned::default(),
        };
        Positioned::new(types::Selection::Field(Positioned::new(field, at)), at)
    });
    let items = fields.collect();
    Positioned::new(SelectionSet { items }, at)
}

fn resolve<W: GeneratedSchema>(execution: Arc<Execution<W>>, entries: Vec<Entry>) -> BoxFuture<'static, Arc<Path>> {
    Box::pin(async move {
        let columns = entries
            .iter()
            .map(|entry| execution.column(entry.group.type_name, &*entry.group.rows, &entry.selected));
        let columns = join_all(columns).await;
        Arc::new(Path::new(&execution, entries.into_iter().zip(columns).collect()))
    })
}

impl<W: GeneratedSchema> Execution<W> {
    /// Resolves one field of one group to a shape for each object.
    async fn column(&self, type_name: &'static str, rows: &dyn Rows, field: &Selected) -> Column {
        let parents = rows.count();
        if field.is_introspection() {
            return Column::shapes(vec![self.introspected(field); parents], RowSet::default());
        }
        let call = Call::new(self, type_name, field, parents);
        let stored =
            W::object(type_name).and_then(|(_, stored)| stored.iter().position(|name| *name == field.name().as_str()));
        let column = match stored {
            Some(number) => rows.data(number),
            None => self.call_resolver(&call, rows).await,
        };
        call.reported(column.into_shapes_for(parents))
    }

    /// apollo-compiler introspects, because async-graphql's introspection lacks, for instance, interfaces of interfaces.
    fn introspected(&self, field: &Selected) -> Shape {
        let mut operation = (*self.prepared.operation).clone();
        operation.operation_type = OperationType::Query;
        if let Some(root) = &self.schema_index().schema.schema_definition.query {
            operation.selection_set.ty = (**root).clone();
        }
        operation.selection_set.selections = field.nodes.iter().cloned().map(Selection::Field).collect();
        let result = self
            .schema_index()
            .introspect(&self.prepared.document, &operation, &self.variables);
        match result {
            Ok(mut result) => result.remove(field.key().as_str()).map_or(Shape::Null, Shape::Leaf),
            Err(problem) => {
                let problem = problem.message().to_string();
                Shape::failed(self.catalog().error("INVALID_DOCUMENT", &[("problem", &problem)]))
            }
        }
    }
}
