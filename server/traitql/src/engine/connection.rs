//! Connections: what a [`Page`] is made into. The nodes are batched like any other objects.

use super::{
    Wiring,
    call::{Answer, Call},
    output::Output,
};
use crate::{Edge, Page, PageInfo};

/// Answers a field of a connection type. `edge` and `info` are the names of its edge type and of its `PageInfo`.
pub fn connection<'c, W: Wiring, T: Output + Clone>(
    pages: &'c [Page<T>],
    call: &'c Call<'c, W>,
    (edge, info): (&'static str, &'static str),
) -> Answer<'c> {
    match call.field() {
        "nodes" => call.data(pages, |page| &page.nodes),
        "edges" => call.data_as(
            pages,
            |page| page.cursors.iter().cloned().zip(page.nodes.iter().cloned()),
            |edges, rows| {
                let edges = edges.map(|(cursor, node)| rows.push(edge, Edge { cursor, node }));
                super::Shape::List(edges.collect())
            },
        ),
        "pageInfo" => call.data_as(pages, Page::info, |page, rows| rows.push(info, page)),
        "totalCount" => call.data(pages, |page| &page.total_count),
        _ => call.unknown(),
    }
}

/// Answers a field of an edge type.
pub fn edge<'c, W: Wiring, T: Output + Clone>(edges: &'c [Edge<T>], call: &'c Call<'c, W>) -> Answer<'c> {
    match call.field() {
        "cursor" => call.data(edges, |edge| &edge.cursor),
        "node" => call.data(edges, |edge| &edge.node),
        _ => call.unknown(),
    }
}

/// Answers a field of `PageInfo`.
pub fn page_info<'c, W: Wiring>(pages: &'c [PageInfo], call: &'c Call<'c, W>) -> Answer<'c> {
    match call.field() {
        "hasNextPage" => call.data(pages, |page| &page.has_next_page),
        "hasPreviousPage" => call.data(pages, |page| &page.has_previous_page),
        "startCursor" => call.data(pages, |page| &page.start_cursor),
        "endCursor" => call.data(pages, |page| &page.end_cursor),
        _ => call.unknown(),
    }
}
