//! Resolving what a plan says, level by level.
//!
//! What [`level`](super::level) finds out about a document while it executes is known here beforehand; what is asked of
//! resolvers, and together with what, is the same.

use futures_util::future::{BoxFuture, join_all};

use super::{
    Wiring,
    call::{Call, Session},
    plan::{Ask, Entry, LevelPlan, PathPlan},
    rows::{Cells, Column, Rows, Values, narrow},
    write::{Scope, Writer, Written},
};
use crate::{Cell, FieldError};

/// What was resolved for a level.
pub(crate) struct LevelData<'p> {
    pub(crate) plan: &'p LevelPlan,
    /// By group; none for a group without an object.
    rows: Vec<Option<Box<dyn Rows>>>,
    pub(crate) paths: Vec<PathData<'p>>,
}

/// What was resolved for one response key of a level.
pub(crate) struct PathData<'p> {
    /// By entry.
    pub(crate) columns: Vec<ColumnData>,
    pub(crate) below: LevelData<'p>,
}

/// What was resolved for an entry.
pub(crate) struct ColumnData {
    pub(crate) cells: Cells,
    pub(crate) values: Values,
    /// Part and row of the objects that shapes refer to.
    pub(crate) places: Vec<(u32, u32)>,
    /// Where the rows of each part went: group of the level below, and behind how many rows of other columns.
    pub(crate) moved: Vec<(u32, u32)>,
}

impl<'p> LevelData<'p> {
    /// Writes a row of a group.
    pub(crate) fn write(&'p self, group: usize, row: usize, to: &mut Writer<'p>) -> Written {
        let scope = Scope {
            plan: &self.plan.groups[group],
            resolved: Some((self, row)),
        };
        match &self.rows[group] {
            Some(rows) => rows.write(row, scope, to),
            None => Written::failed(FieldError::internal("a row was planned and not resolved")),
        }
    }
}

impl<W: Wiring> Session<W> {
    /// Resolves a level and everything below it.
    pub(crate) async fn resolve<'p>(&'p self, plan: &'p LevelPlan, rows: Vec<Option<Box<dyn Rows>>>) -> LevelData<'p> {
        let paths = match &plan.paths[..] {
            [] => Vec::new(),
            [only] => vec![self.path_planned(plan, &rows, only).await],
            several => join_all(several.iter().map(|path| self.path_planned(plan, &rows, path))).await,
        };
        LevelData { plan, rows, paths }
    }

    /// Resolves one response key of a level and everything below.
    pub(crate) fn path_planned<'r, 'p: 'r>(
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
            self.descend_planned(path, columns).await
        })
    }

    async fn entry(&self, level: &LevelPlan, rows: &[Option<Box<dyn Rows>>], entry: &Entry) -> Column {
        let Some(rows) = &rows[entry.group] else {
            return Column::all(Cell::Null);
        };
        let group = &level.groups[entry.group];
        match &entry.ask {
            Ask::Rows(number) => {
                let mut column = rows.data(*number);
                column.failures(|error| {
                    *error = self.told(&group.fields[entry.field].coordinate, error.clone());
                });
                column
            }
            Ask::Resolver(asked) => {
                let call = Call::planned(self, group.type_name, asked, rows.count());
                call.reported(self.ask(&call, &**rows).await)
            }
        }
    }

    /// Resolves what is below the columns of a response key.
    pub(crate) async fn descend_planned<'p>(&'p self, path: &'p PathPlan, columns: Vec<Column>) -> PathData<'p> {
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

/// Moves the rows of a column into the groups of the level below.
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
            let problem = format!("an object of the type {} where the schema allows none", part.type_name);
            let error = Box::new(FieldError::internal(problem));
            return ColumnData {
                cells: Cells::All(Cell::Failed(error)),
                values: Values::default(),
                places: Vec::new(),
                moved: Vec::new(),
            };
        };
        let offset = match &mut below[target] {
            Some(known) => {
                let offset = known.count();
                known.append(part.rows);
                offset
            }
            none => {
                *none = Some(part.rows);
                0
            }
        };
        moved.push((narrow(target), narrow(offset)));
    }
    ColumnData {
        cells,
        values,
        places: rows.places,
        moved,
    }
}
