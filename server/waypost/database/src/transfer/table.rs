//! Tables and values of both databases.

use std::collections::HashSet;

use futures_util::stream::BoxStream;

use super::TransferError;
use crate::Error;

pub(super) type Rows<'s> = BoxStream<'s, Result<Vec<Cell>, Error>>;

#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
    /// The columns of the primary key, in whose order the rows are copied, so that a row comes after an earlier one of the
    /// same table that it refers to.
    pub(super) key: Vec<String>,
    /// The column whose values PostgreSQL generates from a sequence.
    pub(super) serial: Option<String>,
    /// The tables to which it refers.
    pub(super) parents: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Real,
    Text,
    Bytes,
}

#[derive(Debug)]
pub(super) enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Table {
    /// The names of the columns for SQL.
    pub(super) fn column_list(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| quoted(&column.name)).collect();
        names.join(", ")
    }

    pub(super) fn select(&self) -> String {
        let (columns, name) = (self.column_list(), quoted(&self.name));
        let key: Vec<String> = self.key.iter().map(|column| quoted(column)).collect();
        let order = if key.is_empty() { "" } else { " order by " };
        format!("select {columns} from {name}{order}{}", key.join(", "))
    }

    pub(super) fn count(&self) -> String {
        format!("select count(*) from {}", quoted(&self.name))
    }
}

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Sorts the tables so that each one comes after those to which it refers.
pub(super) fn in_order_of_references(mut tables: Vec<Table>) -> Result<Vec<Table>, TransferError> {
    let (mut sorted, mut placed) = (Vec::new(), HashSet::new());
    while !tables.is_empty() {
        let is_ready = |table: &Table| {
            let mut parents = table.parents.iter();
            parents.all(|parent| placed.contains(parent) || *parent == table.name)
        };
        let (ready, waiting): (Vec<_>, Vec<_>) = tables.into_iter().partition(is_ready);
        if ready.is_empty() {
            let names: Vec<&str> = waiting.iter().map(|table| table.name.as_str()).collect();
            return Err(TransferError(format!(
                "These tables refer to each other, so none of them can be copied first: {}",
                names.join(", ")
            )));
        }
        placed.extend(ready.iter().map(|table| table.name.clone()));
        sorted.extend(ready);
        tables = waiting;
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, parents: &[&str]) -> Table {
        Table {
            name: name.to_owned(),
            columns: Vec::new(),
            key: Vec::new(),
            serial: None,
            parents: parents.iter().map(|parent| (*parent).to_owned()).collect(),
        }
    }

    #[test]
    fn tables_follow_those_to_which_they_refer() {
        let tables = vec![table("c", &["b", "c"]), table("b", &["a"]), table("a", &[])];
        let sorted = in_order_of_references(tables).expect("an order");
        let names: Vec<&str> = sorted.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let circle = in_order_of_references(vec![table("a", &["b"]), table("b", &["a"])]);
        assert!(circle.is_err_and(|error| error.to_string().ends_with("first: a, b")));
    }
}
