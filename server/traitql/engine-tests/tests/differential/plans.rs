//! A plan grows with the selections, and not with the number of paths to them.

use std::sync::Arc;

use traitql::Document;

use crate::{bench::Bench, dynamic_schema::is_stored, facts::Facts};

const MEMBERS: usize = 4;

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
    // The coordinate decides whether a field is stored, so suitable types are selected.
    let many: Vec<String> = (0..2_000).map(|number| format!("T{number}")).collect();
    let facts = Facts::new(sdl(&many));
    let fits = |name: &&String| {
        ["value", "next", "fork"]
            .iter()
            .all(|field| is_stored(&facts, name, field) == data)
    };
    let members: Vec<String> = many.iter().filter(fits).take(MEMBERS).cloned().collect();
    assert_eq!(members.len(), MEMBERS);
    sdl(&members)
}

fn planned_fields(bench: &mut Bench, text: &str) -> usize {
    let document: Arc<Document> = bench.check(text).unwrap();
    bench.plan(&[document]);
    bench.planned_fields()
}

fn nested(depth: usize) -> String {
    let below = |selections: String, _| format!("value next {{ {selections} }}");
    format!("{{ first {{ {} }} }}", (0..depth).fold("value".to_owned(), below))
}

#[test]
fn a_plan_grows_with_the_depth_of_selections_and_not_with_the_number_of_paths() {
    for data in [false, true] {
        let mut bench = Bench::new(schema(data));
        let sizes: Vec<usize> = (4..9).map(|depth| planned_fields(&mut bench, &nested(depth))).collect();
        let growth: Vec<usize> = sizes.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // Each additional level selects two more fields for each possible type.
        assert_eq!(growth, [2 * MEMBERS; 4], "data: {data}, {sizes:?}");
    }
}
