//! How large plans get: with what is selected, and not with the ways that lead to it.

use std::sync::Arc;

use traitql::Document;

use crate::{bench::Bench, facts::Facts, wiring::is_data};

/// Types that implement the interface.
const MEMBERS: usize = 4;

/// A schema of types that lead to each other through an interface; their fields are parts of all of them, or of
/// none.
fn schema(data: bool) -> String {
    let sdl = |members: &[String]| {
        let fields = "value: Int next: Item fork: Item";
        let types = members
            .iter()
            .map(|name| format!("type {name} implements Item {{ {fields} }}\n"));
        format!(
            "type Query {{ first: Item }}\ninterface Item {{ {fields} }}\n{}",
            types.collect::<String>()
        )
    };
    // Whether a field is data is decided by its coordinate: types are taken as it fits.
    let many: Vec<String> = (0..2_000).map(|number| format!("T{number}")).collect();
    let facts = Facts::new(sdl(&many));
    let fits = |name: &&String| {
        ["value", "next", "fork"]
            .iter()
            .all(|field| is_data(&facts, name, field) == data)
    };
    let members: Vec<String> = many.iter().filter(fits).take(MEMBERS).cloned().collect();
    assert_eq!(members.len(), MEMBERS);
    sdl(&members)
}

/// Fields of the plan of a document.
fn planned(bench: &mut Bench, text: &str) -> usize {
    let document: Arc<Document> = bench.admit(text).unwrap();
    bench.plan(&[document]);
    bench.planned_fields()
}

fn nested(depth: usize) -> String {
    let below = |selections: String, _| format!("value next {{ {selections} }}");
    format!("{{ first {{ {} }} }}", (0..depth).fold("value".to_owned(), below))
}

#[test]
fn a_plan_grows_with_the_depth_of_what_is_selected_and_not_with_the_number_of_ways_there() {
    for data in [false, true] {
        let mut bench = Bench::new(schema(data));
        let sizes: Vec<usize> = (4..9).map(|depth| planned(&mut bench, &nested(depth))).collect();
        let growth: Vec<usize> = sizes.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // A level more selects two fields more, of each type that can be there.
        assert_eq!(growth, [2 * MEMBERS; 4], "data: {data}, {sizes:?}");
    }
}
