//! [`levels`](super::levels) determines the structure during execution, here the plan provides it.

use futures_util::future::{BoxFuture, join_all};

use super::{
    GeneratedSchema,
    call::{Call, Execution},
    plan::{ColumnSource, Entry, LevelPlan, PathPlan},
    rows::{Cells, Column, Rows, Values, to_u32},
    write::{RowContext, Writer, Written},
};
use crate::{Cell, FieldError};

pub(crate) struct LevelData<'p> {
    pub(crate) plan: &'p LevelPlan,
    /// Contains `None` for a group without objects.
    rows: Vec<Option<Box<dyn Rows>>>,
    pub(crate) paths: Vec<PathData<'p>>,
}

pub(crate) struct PathData<'p> {
    pub(crate) columns: Vec<ColumnData>,
    pub(crate) below: LevelData<'p>,
}

pub(crate) struct ColumnData {
    pub(crate) cells: Cells,
    pub(crate) values: Values,
    /// Refers to the part and the row of each object.
    pub(crate) places: Vec<(u32, u32)>,
    /// Has the group of the level below and the number of rows before, for the rows of each part.
    pub(crate) moved: Vec<(u32, u32)>,
}

impl<'p> LevelData<'p> {
    pub(crate) fn write(&'p self, group: usize, row: usize, to: &mut Writer<'p>) -> Written {
        let context = RowContext {
            plan: &self.plan.groups[group],
            resolved: Some((self, row)),
        };
        match &self.rows[group] {
            Some(rows) => rows.write(row, context, to),
            None => Written::failed(FieldError::internal("a planned row was not resolved")),
        }
    }
}

impl<W: GeneratedSchema> Execution<W> {
    pub(crate) async fn resolve<'p>(&'p self, plan: &'p LevelPlan, rows: Vec<Option<Box<dyn Rows>>>) -> LevelData<'p> {
        let paths = match &plan.paths[..] {
            [] => Vec::new(),
            [only] => vec![self.resolve_path(plan, &rows, only).await],
            several => join_all(several.iter().map(|path| self.resolve_path(plan, &rows, path))).await,
        };
        LevelData { plan, rows, paths }
    }

    pub(crate) fn resolve_path<'r, 'p: 'r>(
        &'p self,
        level: &'p LevelPlan,
        rows: &'r [Option<Box<dyn Rows>>],
        path: &'p PathPlan,
    ) -> BoxFuture<'r, PathData<'p>> {
        Box::pin(async move {
            let columns = match &path.entries[..] {
                [only] => vec![self.entry(level, rows, only).await],
                several => join_all(several.iter().map(|entry| self.entry(level, rows, entry))).await,
            };
            self.descend_path(path, columns).await
        })
    }

    async fn entry(&self, level: &LevelPlan, rows: &[Option<Box<dyn Rows>>], entry: &Entry) -> Column {
        let Some(rows) = &rows[entry.group] else {
            return Column::all(Cell::Null);
        };
        let group = &level.groups[entry.group];
        match &entry.source {
            ColumnSource::Rows(number) => {
                let mut column = rows.data(*number);
                column.failures(|error| {
                    *error = self.log_failure(&group.fields[entry.field].coordinate, error.clone());
                });
                column
            }
            ColumnSource::Resolver(resolver_call) => {
                let call = Call::planned(self, group.type_name, resolver_call, rows.count());
                call.reported(self.call_resolver(&call, &**rows).await)
            }
        }
    }

    pub(crate) async fn descend_path<'p>(&'p self, path: &'p PathPlan, columns: Vec<Column>) -> PathData<'p> {
        let mut below: Vec<Option<Box<dyn Rows>>> = path.below.groups.iter().map(|_| None).collect();
        let columns = columns.into_iter().zip(&path.entries);
        let columns = columns
            .map(|(column, entry)| moved(column, entry, &mut below))
            .collect();
        let below = if path.below.paths.is_empty() || below.iter().all(Option::is_none) {
            LevelData {
                plan: &path.below,
                rows: below,
                paths: Vec::new(),
            }
        } else {
            self.resolve(&path.below, below).await
        };
        PathData { columns, below }
    }
}

fn moved(column: Column, entry: &Entry, below: &mut [Option<Box<dyn Rows>>]) -> ColumnData {
    let Column { cells, values, rows } = column;
    let mut moved = Vec::with_capacity(rows.parts.len());
    for part in rows.parts {
        let target = match &entry.targets[..] {
            [(name, only)] if part.type_name.is_empty() || *name == part.type_name => Some(*only),
            targets => targets
                .iter()
                .find(|(name, _)| *name == part.type_name)
                .map(|(_, group)| *group),
        };
        let Some(target) = target else {
            let problem = format!(
                "got an object of type {}, which the schema does not allow here",
                part.type_name
            );
            let error = Box::new(FieldError::internal(problem));
            return ColumnData {
                cells: Cells::All(Cell::Failed(error)),
                values: Values::default(),
                places: Vec::new(),
                moved: Vec::new(),
            };
        };
        let offset = match &mut below[target] {
            Some(rows) => {
                let offset = rows.count();
                rows.append(part.rows);
                offset
            }
            slot => {
                *slot = Some(part.rows);
                0
            }
        };
        moved.push((to_u32(target), to_u32(offset)));
    }
    ColumnData {
        cells,
        values,
        places: rows.places,
        moved,
    }
}
