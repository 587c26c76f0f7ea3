//! Rows of a level without their Rust types, and columns of results.

use std::any::Any;

use super::{
    data::{Data, ExtractField},
    output::{Output, Shape},
    write::{Position, RowContext, Writer, Written},
};
use crate::{Cell, FieldError};

/// Rows of one object type.
pub trait Rows: Any + Send + Sync {
    /// Returns the number of rows.
    fn count(&self) -> usize;
    /// Appends the rows of another set of the same type.
    fn append(&mut self, other: Box<dyn Rows>);
    /// For downcasts.
    fn as_any(&self) -> &dyn Any;
    /// For downcasts.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
    /// For downcasts.
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// Converts a stored field of all rows to a column.
    #[doc(hidden)]
    fn data(&self, field: usize) -> Column;
    /// Writes a row.
    #[doc(hidden)]
    fn write<'p>(&self, row: usize, context: RowContext<'p>, to: &mut Writer<'p>) -> Written;
}

impl<T: Data> Rows for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn append(&mut self, other: Box<dyn Rows>) {
        let other = other.into_any().downcast::<Self>();
        let mut other = other.expect("all rows of one object type have the same Rust type");
        Vec::append(self, &mut other);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn data(&self, field: usize) -> Column {
        let mut rows = RowSet::default();
        let shapes = self
            .iter()
            .map(|row| row.visit(field, ExtractField(&mut rows)))
            .collect();
        Column {
            cells: Cells::Each,
            values: Values::Shapes(shapes),
            rows,
        }
    }

    fn write<'p>(&self, row: usize, context: RowContext<'p>, to: &mut Writer<'p>) -> Written {
        to.fields(&self[row], context)
    }
}

/// The objects of one column, grouped by concrete type.
#[derive(Default)]
pub struct RowSet {
    pub(crate) parts: Vec<Part>,
    pub(crate) places: Vec<(u32, u32)>,
}

pub(crate) struct Part {
    pub(crate) type_name: &'static str,
    pub(crate) rows: Box<dyn Rows>,
}

impl RowSet {
    /// Adds an object of a schema type; an empty name is the declared type of the field. All objects of one type must
    /// have the same Rust type.
    pub fn push<T: Data>(&mut self, type_name: &'static str, row: T) -> Shape {
        let part = match self.parts.iter().position(|part| part.type_name == type_name) {
            Some(part) => part,
            None => {
                let rows = Box::new(Vec::<T>::new());
                self.parts.push(Part { type_name, rows });
                self.parts.len() - 1
            }
        };
        let rows = self.parts[part].rows.as_any_mut().downcast_mut::<Vec<T>>();
        let rows = rows.expect("all rows of one object type have the same Rust type");
        rows.push(row);
        self.places.push((to_u32(part), to_u32(rows.len() - 1)));
        Shape::Object(to_u32(self.places.len() - 1))
    }

    /// Adds rows that form a complete column.
    pub fn push_column<T: Data>(&mut self, type_name: &'static str, rows: Vec<T>) -> Values {
        if rows.is_empty() {
            return Values::default();
        }
        let rows = Box::new(rows);
        self.parts.push(Part { type_name, rows });
        Values::Objects(to_u32(self.parts.len() - 1))
    }
}

/// The values that the cells of a column refer to.
pub enum Values {
    /// Scalars or enum values.
    #[doc(hidden)]
    Leaves(Box<dyn Leaves>),
    /// Objects: value *i* is row *i* of the part with this index.
    #[doc(hidden)]
    Objects(u32),
    /// Any values.
    #[doc(hidden)]
    Shapes(Vec<Shape>),
}

impl Default for Values {
    fn default() -> Self {
        Self::Shapes(Vec::new())
    }
}

/// Leaves of one Rust type.
#[doc(hidden)]
pub trait Leaves: Send + Sync {
    /// Writes the leaf at an index.
    fn write<'p>(&self, at: usize, to: &mut Writer<'p>, place: Position<'p>) -> Written;
    /// Converts the leaf at an index to a shape.
    fn shape(&self, at: usize) -> Shape;
}

impl<T: Output + Clone> Leaves for Vec<T> {
    fn write<'p>(&self, at: usize, to: &mut Writer<'p>, place: Position<'p>) -> Written {
        self[at].write(to, place)
    }

    fn shape(&self, at: usize) -> Shape {
        self[at].clone().shape(&mut RowSet::default())
    }
}

/// Maps parents to values.
pub(crate) enum Cells {
    /// The same cell for all parents.
    All(Cell),
    /// One value per parent.
    Each,
    /// One cell per parent.
    Mixed(Vec<Cell>),
}

/// The results of a field for all its parents.
pub struct Column {
    pub(crate) cells: Cells,
    pub(crate) values: Values,
    pub(crate) rows: RowSet,
}

impl Column {
    /// Creates a column that fails each parent with the same error.
    pub fn failed(error: FieldError) -> Self {
        Self::all(Cell::Failed(Box::new(error)))
    }

    pub(crate) fn all(cell: Cell) -> Self {
        Self {
            cells: Cells::All(cell),
            values: Values::default(),
            rows: RowSet::default(),
        }
    }

    /// Creates a column with one shape per parent.
    pub fn shapes(shapes: Vec<Shape>, rows: RowSet) -> Self {
        Self {
            cells: Cells::Each,
            values: Values::Shapes(shapes),
            rows,
        }
    }

    /// Returns `None` if the column fits any number of parents.
    pub(crate) fn len(&self) -> Option<usize> {
        match (&self.cells, &self.values) {
            (Cells::All(_), _) => None,
            (Cells::Mixed(cells), _) => Some(cells.len()),
            (Cells::Each, Values::Shapes(shapes)) => Some(shapes.len()),
            (Cells::Each, Values::Leaves(_) | Values::Objects(_)) => None,
        }
    }

    pub(crate) fn failures(&mut self, mut each: impl FnMut(&mut FieldError)) {
        fn shape_failures(shape: &mut Shape, each: &mut impl FnMut(&mut FieldError)) {
            match shape {
                Shape::Failed(error) => each(error),
                Shape::List(entries) => entries.iter_mut().for_each(|entry| shape_failures(entry, each)),
                Shape::Null | Shape::Leaf(_) | Shape::Object(_) => {}
            }
        }
        let cells = match &mut self.cells {
            Cells::All(cell) => std::slice::from_mut(cell),
            Cells::Mixed(cells) => cells,
            Cells::Each => &mut [],
        };
        for cell in cells {
            if let Cell::Failed(error) = cell {
                each(error);
            }
        }
        if let Values::Shapes(shapes) = &mut self.values {
            shapes.iter_mut().for_each(|one| shape_failures(one, &mut each));
        }
    }

    pub(crate) fn into_shapes(self) -> (Vec<Shape>, RowSet) {
        match self.values {
            Values::Shapes(shapes) => (shapes, self.rows),
            Values::Leaves(_) | Values::Objects(_) => (Vec::new(), self.rows),
        }
    }

    pub(crate) fn into_shapes_for(mut self, parents: usize) -> Self {
        if let Values::Objects(part) = self.values {
            let count = self.rows.parts[part as usize].rows.count();
            self.rows.places = (0..to_u32(count)).map(|row| (part, row)).collect();
        }
        let values = self.values;
        let value = |at: usize| match &values {
            Values::Leaves(leaves) => leaves.shape(at),
            Values::Objects(_) => Shape::Object(to_u32(at)),
            Values::Shapes(shapes) => shapes[at].clone(),
        };
        let shape = |cell: &Cell| match cell {
            Cell::Row(at) => value(*at as usize),
            Cell::Rows { start, end } => Shape::List((*start as usize..*end as usize).map(value).collect()),
            Cell::Null => Shape::Null,
            Cell::Failed(error) => Shape::Failed(error.clone()),
        };
        let shapes = match &self.cells {
            Cells::All(cell) => vec![shape(cell); parents],
            Cells::Each => (0..parents).map(value).collect(),
            Cells::Mixed(cells) => cells.iter().map(shape).collect(),
        };
        Self::shapes(shapes, self.rows)
    }
}

/// A column with 2^32 rows would not fit into a response.
pub(crate) fn to_u32(at: usize) -> u32 {
    u32::try_from(at).expect("a column has fewer than 2^32 rows")
}
