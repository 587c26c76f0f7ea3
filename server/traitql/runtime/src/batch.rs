//! Batches and columns: the signature of every resolver below the root.
//!
//! A resolver is called once per field and level, with all sibling parents, so N+1 queries cannot occur.
//!
//! Slot *i* of a column is the result for parent *i*. The lifetime `'b` is invariant and acts as a brand: rustc
//! rejects a column of another batch ("lifetime may not live long enough").

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    marker::PhantomData,
};

use crate::FieldError;

type Brand<'b> = PhantomData<fn(&'b ()) -> &'b ()>;

/// All sibling parents of one field. Cheap to copy.
pub struct Batch<'b, P> {
    parents: Parents<'b, P>,
    brand: Brand<'b>,
}

enum Parents<'b, P> {
    Row(&'b [P]),
    Scattered(&'b [&'b P]),
}

impl<P> Clone for Batch<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Batch<'_, P> {}

impl<P> Clone for Parents<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Parents<'_, P> {}

/// The result of a column for one parent.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub enum Cell {
    /// A value: index of a row. Several parents may share a row.
    Row(u32),
    /// A list: the rows from `start` (inclusive) to `end` (exclusive).
    Rows { start: u32, end: u32 },
    /// Null.
    Null,
    /// The field of this parent failed, others did not.
    Failed(Box<FieldError>),
}

/// A column with at most one value per parent.
#[must_use = "a column is the result of a resolver"]
pub struct One<'b, T> {
    rows: Vec<T>,
    cells: Vec<Cell>,
    brand: Brand<'b>,
}

/// A list per parent.
#[must_use = "a column is the result of a resolver"]
pub struct Many<'b, T> {
    rows: Vec<T>,
    cells: Vec<Cell>,
    brand: Brand<'b>,
}

impl<'b, P> Batch<'b, P> {
    /// Returns the number of parents. Executors never pass an empty batch.
    pub fn len(&self) -> usize {
        match self.parents {
            Parents::Row(parents) => parents.len(),
            Parents::Scattered(parents) => parents.len(),
        }
    }

    /// True if there are no parents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the parents, in the order of the column's slots.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'b P> + use<'b, P> {
        let parents = self.parents;
        (0..self.len()).map(move |index| match parents {
            Parents::Row(parents) => &parents[index],
            Parents::Scattered(parents) => parents[index],
        })
    }

    // The following functions use loops, because rustc instantiates dozens of functions for each closure in the crate
    // of the resolvers.

    /// Returns the distinct keys of the parents in first-seen order, for `WHERE id IN (…)`.
    pub fn keys<K: Hash + Eq + Clone>(&self, mut key: impl FnMut(&P) -> K) -> Vec<K> {
        let mut keys = Distinct::with_capacity(self.len());
        for parent in self.iter() {
            keys.add(key(parent));
        }
        keys.in_order
    }

    /// Returns the distinct keys of the parents that have one.
    pub fn keys_opt<K: Hash + Eq + Clone>(&self, mut key: impl FnMut(&P) -> Option<K>) -> Vec<K> {
        let mut keys = Distinct::with_capacity(self.len());
        for parent in self.iter() {
            if let Some(key) = key(parent) {
                keys.add(key);
            }
        }
        keys.in_order
    }

    /// Builds a column from a function of the parent.
    pub fn map<T>(self, mut value: impl FnMut(&P) -> Result<T, FieldError>) -> One<'b, T> {
        let mut column = One::with_capacity(self.len());
        for parent in self.iter() {
            match value(parent) {
                Ok(row) => column.add(row),
                Err(error) => column.cells.push(Cell::Failed(Box::new(error))),
            }
        }
        column
    }

    /// Builds a column with a value or null per parent, computed from the parent alone.
    pub fn map_opt<T>(self, mut value: impl FnMut(&P) -> Result<Option<T>, FieldError>) -> One<'b, T> {
        let mut column = One::with_capacity(self.len());
        for parent in self.iter() {
            match value(parent) {
                Ok(Some(row)) => column.add(row),
                Ok(None) => column.cells.push(Cell::Null),
                Err(error) => column.cells.push(Cell::Failed(Box::new(error))),
            }
        }
        column
    }

    /// Builds a column with a list per parent, computed from the parent alone.
    pub fn map_many<T>(self, mut list: impl FnMut(&P) -> Result<Vec<T>, FieldError>) -> Many<'b, T> {
        let mut column = Many::with_capacity(self.len());
        for parent in self.iter() {
            match list(parent) {
                Ok(entries) => column.add(entries),
                Err(error) => column.cells.push(Cell::Failed(Box::new(error))),
            }
        }
        column
    }

    /// Builds a column with a list or null per parent, computed from the parent alone.
    pub fn map_many_opt<T>(self, mut list: impl FnMut(&P) -> Result<Option<Vec<T>>, FieldError>) -> Many<'b, T> {
        let mut column = Many::with_capacity(self.len());
        for parent in self.iter() {
            match list(parent) {
                Ok(Some(entries)) => column.add(entries),
                Ok(None) => column.cells.push(Cell::Null),
                Err(error) => column.cells.push(Cell::Failed(Box::new(error))),
            }
        }
        column
    }

    /// Assigns each parent the row with the parent's key (a to-one relation). A parent without a row gets null. If the
    /// parent's key is optional, wrap the row's key: `join(rows, |r| Some(r.id.clone()), |p| p.theme_id.clone())`.
    pub fn join<T, K: Hash + Eq>(
        self,
        rows: Vec<T>,
        mut row_key: impl FnMut(&T) -> K,
        mut parent_key: impl FnMut(&P) -> K,
    ) -> One<'b, T> {
        let mut found: HashMap<K, Cell> = HashMap::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            found.insert(row_key(row), Cell::Row(index(at)));
        }
        let mut cells = Vec::with_capacity(self.len());
        for parent in self.iter() {
            cells.push(cell_of(&found, &parent_key(parent)));
        }
        One {
            rows,
            cells,
            brand: PhantomData,
        }
    }

    /// Assigns each parent the rows with the parent's key, in row order (a to-many relation). Parents with equal keys
    /// share their rows.
    pub fn group<T, K: Hash + Eq>(
        self,
        rows: Vec<T>,
        mut row_key: impl FnMut(&T) -> K,
        mut parent_key: impl FnMut(&P) -> K,
    ) -> Many<'b, T> {
        let mut by_key: HashMap<K, Vec<T>> = HashMap::new();
        for row in rows {
            by_key.entry(row_key(&row)).or_default().push(row);
        }
        let mut column = Many::with_capacity(self.len());
        let mut done: HashMap<K, Cell> = HashMap::new();
        for parent in self.iter() {
            let key = parent_key(parent);
            match done.get(&key) {
                Some(span) => column.cells.push(span.clone()),
                None => {
                    let span = column.extend(by_key.remove(&key).unwrap_or_default());
                    column.cells.push(span.clone());
                    done.insert(key, span);
                }
            }
        }
        column
    }
}

struct Distinct<K> {
    seen: HashSet<K>,
    in_order: Vec<K>,
}

impl<K: Hash + Eq + Clone> Distinct<K> {
    fn with_capacity(capacity: usize) -> Self {
        Self {
            seen: HashSet::with_capacity(capacity),
            in_order: Vec::new(),
        }
    }

    fn add(&mut self, key: K) {
        if self.seen.insert(key.clone()) {
            self.in_order.push(key);
        }
    }
}

fn cell_of<K: Hash + Eq>(found: &HashMap<K, Cell>, key: &K) -> Cell {
    match found.get(key) {
        Some(cell) => cell.clone(),
        None => Cell::Null,
    }
}

impl<'b, T> One<'b, T> {
    fn with_capacity(parents: usize) -> Self {
        Self {
            rows: Vec::with_capacity(parents),
            cells: Vec::with_capacity(parents),
            brand: PhantomData,
        }
    }

    fn add(&mut self, row: T) {
        self.cells.push(Cell::Row(index(self.rows.len())));
        self.rows.push(row);
    }

    /// Converts every row, for instance from a database type.
    pub fn map_rows<U>(self, change: impl FnMut(T) -> U) -> One<'b, U> {
        One {
            rows: self.rows.into_iter().map(change).collect(),
            cells: self.cells,
            brand: PhantomData,
        }
    }

    /// Replaces null by `value`, for counts and sums over parents without rows.
    pub fn or_else(mut self, mut value: impl FnMut() -> T) -> Self {
        for cell in &mut self.cells {
            if *cell == Cell::Null {
                self.rows.push(value());
                *cell = Cell::Row(index(self.rows.len() - 1));
            }
        }
        self
    }

    /// Returns `None` if the value is null or failed. For tests.
    pub fn get(&self, at: usize) -> Option<&T> {
        match self.cells.get(at)? {
            Cell::Row(row) => self.rows.get(*row as usize),
            Cell::Rows { .. } | Cell::Null | Cell::Failed(_) => None,
        }
    }

    #[doc(hidden)]
    pub fn __into_parts(self) -> (Vec<T>, Vec<Cell>) {
        (self.rows, self.cells)
    }
}

impl<'b, T> Many<'b, T> {
    fn with_capacity(parents: usize) -> Self {
        Self {
            rows: Vec::new(),
            cells: Vec::with_capacity(parents),
            brand: PhantomData,
        }
    }

    fn add(&mut self, entries: Vec<T>) {
        let span = self.extend(entries);
        self.cells.push(span);
    }

    fn extend(&mut self, entries: Vec<T>) -> Cell {
        let start = index(self.rows.len());
        self.rows.extend(entries);
        Cell::Rows {
            start,
            end: index(self.rows.len()),
        }
    }

    /// Converts every row, for instance from a database type.
    pub fn map_rows<U>(self, change: impl FnMut(T) -> U) -> Many<'b, U> {
        Many {
            rows: self.rows.into_iter().map(change).collect(),
            cells: self.cells,
            brand: PhantomData,
        }
    }

    /// Returns an empty list if the value is null or failed. For tests.
    pub fn get(&self, at: usize) -> &[T] {
        match self.cells.get(at) {
            Some(Cell::Rows { start, end }) => &self.rows[*start as usize..*end as usize],
            _ => &[],
        }
    }

    #[doc(hidden)]
    pub fn __into_parts(self) -> (Vec<T>, Vec<Cell>) {
        (self.rows, self.cells)
    }
}

impl<'b, P> Batch<'b, P> {
    #[doc(hidden)]
    pub fn __row(parents: &'b [P]) -> Self {
        Self {
            parents: Parents::Row(parents),
            brand: PhantomData,
        }
    }

    #[doc(hidden)]
    pub fn __scattered(parents: &'b [&'b P]) -> Self {
        Self {
            parents: Parents::Scattered(parents),
            brand: PhantomData,
        }
    }
}

/// Calls `resolve` with a batch of `parents`, for tests of resolvers. The column cannot outlive the call.
pub async fn with_batch<P, R>(parents: &[P], resolve: impl for<'b> AsyncFnOnce(Batch<'b, P>) -> R) -> R {
    resolve(Batch::__row(parents)).await
}

/// A column with 2^32 rows would not fit into a response.
fn index(at: usize) -> u32 {
    u32::try_from(at).expect("a column has fewer than 2^32 rows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Tour {
        id: u8,
        author: Option<u8>,
    }

    fn tours() -> Vec<Tour> {
        vec![
            Tour { id: 1, author: Some(7) },
            Tour { id: 2, author: Some(8) },
            Tour { id: 3, author: Some(7) },
            Tour { id: 4, author: None },
        ]
    }

    #[test]
    fn keys_are_distinct_and_in_first_seen_order() {
        let tours = tours();
        let batch = Batch::__row(&tours);
        assert_eq!(batch.keys(|t| t.author), [Some(7), Some(8), None]);
        assert_eq!(batch.keys_opt(|t| t.author), [7, 8]);
    }

    #[test]
    fn a_join_shares_rows_and_returns_null_for_missing_rows() {
        let tours = tours();
        let one = Batch::__row(&tours).join(vec![7, 9], |row| Some(*row), |t| t.author);
        assert_eq!(
            (0..4).map(|at| one.get(at).copied()).collect::<Vec<_>>(),
            [Some(7), None, Some(7), None]
        );
        assert_eq!(one.or_else(|| 0).get(3), Some(&0));
    }

    #[test]
    fn a_group_keeps_row_order_and_parents_with_equal_keys_share_rows() {
        let tours = tours();
        let refs: Vec<&Tour> = tours.iter().collect();
        let rows = vec![(7, "a"), (8, "b"), (7, "c")];
        let many = Batch::__scattered(&refs)
            .group(rows, |row| Some(row.0), |t| t.author)
            .map_rows(|row| row.1);
        assert_eq!(many.get(0), ["a", "c"]);
        assert_eq!(many.get(1), ["b"]);
        assert_eq!(many.get(2), ["a", "c"]);
        assert_eq!(many.get(3), [""; 0]);
    }

    #[test]
    fn one_parent_can_fail_alone() {
        let tours = tours();
        let one = Batch::__row(&tours).map(|t| {
            if t.id == 2 {
                Err(FieldError::internal("boom"))
            } else {
                Ok(t.id)
            }
        });
        let (rows, cells) = one.__into_parts();
        assert_eq!(rows, [1, 3, 4]);
        assert!(matches!(cells[1], Cell::Failed(_)));
        assert_eq!(cells[2], Cell::Row(1));
    }
}
