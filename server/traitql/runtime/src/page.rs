/// A page of a longer list. Generated code derives the connection: `edges` or `nodes`, `pageInfo`, `totalCount`.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The nodes, in order.
    pub nodes: Vec<T>,
    /// A cursor per node.
    pub cursors: Vec<String>,
    /// True if the list continues.
    pub has_next_page: bool,
    /// True if there are entries before the first node.
    pub has_previous_page: bool,
    /// Length of the whole list, if it was counted.
    pub total_count: Option<i32>,
}

/// An entry of a page with its cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge<T> {
    /// Position of the entry in its list.
    pub cursor: String,
    /// The entry.
    pub node: T,
}

/// The content of `pageInfo`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageInfo {
    /// True if the list continues.
    pub has_next_page: bool,
    /// True if there are entries before the page.
    pub has_previous_page: bool,
    /// Cursor of the first entry.
    pub start_cursor: Option<String>,
    /// Cursor of the last entry.
    pub end_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Creates a page with the cursors of its nodes.
    pub fn new(nodes: Vec<T>, has_next_page: bool, cursor: impl FnMut(&T) -> String) -> Self {
        let cursors = nodes.iter().map(cursor).collect();
        Self {
            nodes,
            cursors,
            has_next_page,
            has_previous_page: false,
            total_count: None,
        }
    }

    /// Creates the page of an empty list.
    pub fn empty() -> Self {
        Self {
            nodes: Vec::new(),
            cursors: Vec::new(),
            has_next_page: false,
            has_previous_page: false,
            total_count: Some(0),
        }
    }

    /// Sets the length of the whole list.
    pub fn with_total(mut self, total: i32) -> Self {
        self.total_count = Some(total);
        self
    }

    /// Sets whether there are entries before the first node.
    pub fn with_previous(mut self, has_previous_page: bool) -> Self {
        self.has_previous_page = has_previous_page;
        self
    }

    /// Returns the `pageInfo` of the page.
    pub fn info(&self) -> PageInfo {
        PageInfo {
            has_next_page: self.has_next_page,
            has_previous_page: self.has_previous_page,
            start_cursor: self.start_cursor().map(str::to_owned),
            end_cursor: self.end_cursor().map(str::to_owned),
        }
    }

    /// Returns the cursor of the first node.
    pub fn start_cursor(&self) -> Option<&str> {
        self.cursors.first().map(String::as_str)
    }

    /// Returns the cursor of the last node.
    pub fn end_cursor(&self) -> Option<&str> {
        self.cursors.last().map(String::as_str)
    }
}
