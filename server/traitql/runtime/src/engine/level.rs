//! Breadth-first execution: one resolver call per field and level.
//!
//! A level is the list of all objects at one response path (without list indices), split into one [`Group`] per
//! concrete type and selection. The rows that a resolver returns for a group form the groups of the next level. The
//! fields of one level run concurrently. Objects that reach a path through different concrete parents are merged
//! first.

use crate::FieldError;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use apollo_compiler::{
    ast::{OperationType, Type},
    executable::Selection,
};
use futures_util::future::{BoxFuture, join_all};
use indexmap::IndexMap;

use super::{
    GeneratedSchema,
    call::{Call, Execution, Resolution},
    collect::Selected,
    output::Shape,
    rows::{Column, RowSet, Rows, to_u32},
};

/// Objects of one concrete type at one response path that have the same selections.
pub(crate) struct Group {
    pub(crate) type_name: &'static str,
    pub(crate) selected: Selected,
    pub(crate) rows: Box<dyn Rows>,
}

pub(crate) struct Objects {
    pub(crate) fields: Vec<Resolved>,
}

pub(crate) struct Resolved {
    pub(crate) key: String,
    pub(crate) coordinate: String,
    /// Determines the position.
    pub(crate) ty: Type,
    /// One per object of the group.
    pub(crate) shapes: Vec<Shape>,
    /// Index into `below`, and index of the object there.
    pub(crate) places: Vec<(u32, u32)>,
    pub(crate) below: Arc<Vec<Objects>>,
}

struct Entry {
    group: usize,
    position: usize,
    selected: Selected,
}

impl<W: GeneratedSchema> Execution<W> {
    /// Returns one `Objects` per group.
    pub(crate) fn level(&self, groups: Vec<Group>) -> BoxFuture<'_, Vec<Objects>> {
        Box::pin(async move {
            // Groups with one response key form one level below.
            let mut paths: IndexMap<String, Vec<Entry>> = IndexMap::new();
            let mut objects: Vec<Vec<Option<Resolved>>> = Vec::with_capacity(groups.len());
            for (
                group,
                Group {
                    type_name, selected, ..
                },
            ) in groups.iter().enumerate()
            {
                let fields = self.collector().collect(type_name, selected.sets());
                objects.push(fields.iter().map(|_| None).collect());
                for (position, selected) in fields.into_iter().enumerate() {
                    let entry = Entry {
                        group,
                        position,
                        selected,
                    };
                    paths.entry(entry.selected.key().to_string()).or_default().push(entry);
                }
            }
            let resolved = join_all(paths.into_values().map(|entries| self.path(&groups, entries))).await;
            for (entry, field) in resolved.into_iter().flatten() {
                objects[entry.group][entry.position] = Some(field);
            }
            let objects = objects.into_iter().map(|fields| Objects {
                fields: fields.into_iter().flatten().collect(),
            });
            objects.collect()
        })
    }

    async fn path(&self, groups: &[Group], entries: Vec<Entry>) -> Vec<(Entry, Resolved)> {
        let columns = join_all(entries.iter().map(|entry| async {
            let group = &groups[entry.group];
            let column = self.column(group.type_name, &*group.rows, &entry.selected).await;
            (group.type_name, entry.selected.clone(), column)
        }))
        .await;
        let resolved = self.descend(columns).await;
        entries.into_iter().zip(resolved).collect()
    }

    /// Resolves one field of one group to a shape for each object.
    pub(crate) async fn column(&self, type_name: &'static str, rows: &dyn Rows, field: &Selected) -> Column {
        let same = |shape| Column::shapes(vec![shape; rows.count()], RowSet::default());
        if field.name() == "__typename" {
            return same(Shape::text(type_name));
        }
        if field.is_introspection() {
            return same(self.introspected(field));
        }
        let parents = rows.count();
        let call = Call::new(self, type_name, field, parents);
        let data =
            W::object(type_name).and_then(|(_, data)| data.iter().position(|name| *name == field.name().as_str()));
        let column = match data {
            Some(number) => rows.data(number),
            None => self.call_resolver(&call, rows).await,
        };
        call.reported(column.into_shapes_for(parents))
    }

    pub(crate) async fn call_resolver<'c>(&'c self, call: &'c Call<'c, W>, rows: &'c dyn Rows) -> Column {
        match catch_unwind(AssertUnwindSafe(|| W::column(rows, call))) {
            Ok(Resolution::Ready(column)) => column,
            Ok(Resolution::Pending(column)) => column.await,
            Err(panic) => Column::failed(FieldError::of_panic(panic)),
        }
    }

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

    pub(crate) async fn descend(&self, columns: Vec<(&'static str, Selected, Column)>) -> Vec<Resolved> {
        let mut below: Vec<Group> = Vec::new();
        let mut resolved = Vec::with_capacity(columns.len());
        for (type_name, selected, column) in columns {
            let (shapes, rows) = column.into_shapes();
            let definition = self.schema_index().field(type_name, selected.name());
            let definition =
                definition.expect("validation has checked that the schema has every field of the document");
            // Of each part of the column: the group, and its number of rows so far.
            let mut moved: Vec<(u32, u32)> = Vec::with_capacity(rows.parts.len());
            for part in rows.parts {
                let part_type = match part.type_name {
                    "" => W::object(definition.ty.inner_named_type()).map_or("", |(name, _)| name),
                    name => name,
                };
                let known = below
                    .iter()
                    .position(|group| group.type_name == part_type && group.selected.same(&selected));
                match known {
                    Some(at) => {
                        moved.push((to_u32(at), to_u32(below[at].rows.count())));
                        below[at].rows.append(part.rows);
                    }
                    None => {
                        moved.push((to_u32(below.len()), 0));
                        below.push(Group {
                            type_name: part_type,
                            selected: selected.clone(),
                            rows: part.rows,
                        });
                    }
                }
            }
            let places = rows.places.iter().map(|(part, row)| {
                let (group, offset) = moved[*part as usize];
                (group, offset + row)
            });
            resolved.push(Resolved {
                key: selected.key().to_string(),
                coordinate: format!("{type_name}.{}", selected.name()),
                ty: definition.ty.clone(),
                shapes,
                places: places.collect(),
                below: Arc::default(),
            });
        }
        if !below.is_empty() {
            let below = Arc::new(self.level(below).await);
            for field in &mut resolved {
                field.below = Arc::clone(&below);
            }
        }
        resolved
    }
}
