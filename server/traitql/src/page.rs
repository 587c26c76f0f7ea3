//! What a resolver of a connection answers.

/// A page of a longer list. The generated code makes the connection of it: `edges` or `nodes`, `pageInfo`, `totalCount`.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The nodes, in order.
    pub nodes: Vec<T>,
    /// A cursor for each node, in the same order.
    pub cursors: Vec<String>,
    /// Whether the list goes on after the last node.
    pub has_next_page: bool,
    /// Whether there is something before the first node.
    pub has_previous_page: bool,
    /// How long the whole list is, if it was counted.
    pub total_count: Option<i32>,
}

/// An entry of a page with its cursor. A field outside of a connection answers with one itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge<T> {
    /// Where the entry stands in its list.
    pub cursor: String,
    /// The entry.
    pub node: T,
}

/// What `pageInfo` tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageInfo {
    /// Whether the list goes on after the page.
    pub has_next_page: bool,
    /// Whether there is something before the page.
    pub has_previous_page: bool,
    /// Cursor of the first entry.
    pub start_cursor: Option<String>,
    /// Cursor of the last entry.
    pub end_cursor: Option<String>,
}

impl<T> Page<T> {
    /// A page whose cursors are computed from its nodes.
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

    /// The page of a list without entries.
    pub fn empty() -> Self {
        Self {
            nodes: Vec::new(),
            cursors: Vec::new(),
            has_next_page: false,
            has_previous_page: false,
            total_count: Some(0),
        }
    }

    /// Says how long the whole list is.
    pub fn with_total(mut self, total: i32) -> Self {
        self.total_count = Some(total);
        self
    }

    /// Says whether there is something before the first node.
    pub fn with_previous(mut self, has_previous_page: bool) -> Self {
        self.has_previous_page = has_previous_page;
        self
    }

    /// What `pageInfo` tells about the page.
    pub fn info(&self) -> PageInfo {
        PageInfo {
            has_next_page: self.has_next_page,
            has_previous_page: self.has_previous_page,
            start_cursor: self.start_cursor().map(str::to_owned),
            end_cursor: self.end_cursor().map(str::to_owned),
        }
    }

    /// Cursor of the first node.
    pub fn start_cursor(&self) -> Option<&str> {
        self.cursors.first().map(String::as_str)
    }

    /// Cursor of the last node.
    pub fn end_cursor(&self) -> Option<&str> {
        self.cursors.last().map(String::as_str)
    }
}
