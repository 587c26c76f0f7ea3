//! Fuzz test of input coercion: it returns values that conform to the schema, or violations with valid paths, and
//! never panics. A second implementation of the specification (October 2021, sections 3.5 to 3.12 and 6.1.2) decides
//! which are valid.
//!
//! The seeds are fixed. `TRAITQL_FUZZ=1000000 cargo test -p traitql --lib fuzz` runs more iterations.

use std::sync::LazyLock;

use allocation_counter::measure;
use apollo_compiler::{Schema, validation::Valid};
use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::{coerce, prepare::Prepared};
use crate::Violation;

const ITERATIONS: u64 = 20_000;

fn iterations() -> u64 {
    std::env::var("TRAITQL_FUZZ").map_or(ITERATIONS, |count| {
        count.parse().expect("`TRAITQL_FUZZ` must be a number")
    })
}

const SCHEMA: &str = "
    type Query { a(
        int: Int float: Float text: String yes: Boolean id: ID! any: Any color: Color = RED
        list: [Int!] lists: [[Color]!] tree: Tree pick: Pick picks: [Pick!]! = []
    ): Int }
    scalar Any
    enum Color { RED GREEN }
    input Tree { name: String! count: Int! = 3 color: Color trees: [Tree!] any: Any }
    input Pick @oneOf { id: ID tree: Tree number: Int }
";

const OPERATION: &str = "query A(
    $int: Int $float: Float = 1.5 $text: String $yes: Boolean! $id: ID! $any: Any $color: Color! = GREEN
    $list: [Int!] $lists: [[Color]!] $tree: Tree $pick: Pick $picks: [Pick!]! = [{ id: 1 }]
) { a(
    int: $int float: $float text: $text yes: $yes id: $id any: $any color: $color
    list: $list lists: $lists tree: $tree pick: $pick picks: $picks
) }";

enum Type {
    Int,
    Float,
    Text,
    Boolean,
    Id,
    Any,
    Color,
    List(Box<Type>),
    Required(Box<Type>),
    Tree,
    Pick,
}

use Type::{Any, Boolean, Color, Float, Id, Int, List, Pick, Required, Text, Tree};

fn required(of: Type) -> Type {
    Required(Box::new(of))
}

fn list(of: Type) -> Type {
    List(Box::new(of))
}

/// True for those with a default.
static VARIABLES: LazyLock<Vec<(&'static str, Type, bool)>> = LazyLock::new(|| {
    vec![
        ("int", Int, false),
        ("float", Float, true),
        ("text", Text, false),
        ("yes", required(Boolean), false),
        ("id", required(Id), false),
        ("any", Any, false),
        ("color", required(Color), true),
        ("list", list(required(Int)), false),
        ("lists", list(required(list(Color))), false),
        ("tree", Tree, false),
        ("pick", Pick, false),
        ("picks", required(list(required(Pick))), true),
    ]
});

/// True for those with a default.
static TREE: LazyLock<Vec<(&'static str, Type, bool)>> = LazyLock::new(|| {
    vec![
        ("name", required(Text), false),
        ("count", required(Int), true),
        ("color", Color, false),
        ("trees", list(required(Tree)), false),
        ("any", Any, false),
    ]
});

/// Exactly one must be present.
const PICK: [(&str, Type); 3] = [("id", Id), ("tree", Tree), ("number", Int)];

fn fits(value: &Value, ty: &Type) -> bool {
    match (ty, value) {
        (Required(_), Value::Null) => false,
        (Required(of), value) => fits(value, of),
        (_, Value::Null) => true,
        (_, Value::String(text)) if text.contains('\0') => false,
        (Int, value) => {
            let whole = value.as_f64().filter(|number| number.fract() == 0.0);
            whole.is_some_and(|number| (-2_147_483_648.0..=2_147_483_647.0).contains(&number))
        }
        (Float, value) => value.is_number(),
        (Text, value) => value.is_string(),
        (Boolean, value) => value.is_boolean(),
        (Id, value) => value.is_string() || value.is_i64() || value.is_u64(),
        (Any, _) => true,
        (Color, value) => matches!(value.as_str(), Some("RED" | "GREEN")),
        (List(of), Value::Array(entries)) => entries.iter().all(|entry| fits(entry, of)),
        (List(of), single) => fits(single, of),
        (Tree, Value::Object(given)) => all_fit(given, &TREE),
        (Pick, Value::Object(given)) => {
            let one = given
                .iter()
                .next()
                .filter(|(_, value)| given.len() == 1 && !value.is_null());
            one.is_some_and(|(name, value)| PICK.iter().any(|(known, ty)| known == name && fits(value, ty)))
        }
        (Tree | Pick, _) => false,
    }
}

fn all_fit(given: &Map<String, Value>, fields: &[(&str, Type, bool)]) -> bool {
    given.keys().all(|name| fields.iter().any(|(known, ..)| known == name)) && each_fits(given, fields)
}

fn each_fits(given: &Map<String, Value>, fields: &[(&str, Type, bool)]) -> bool {
    fields.iter().all(|(name, ty, has_default)| match given.get(*name) {
        None => *has_default || !matches!(ty, Required(_)),
        Some(value) => fits(value, ty),
    })
}

fn value(rng: &mut Rng, ty: &Type, depth: usize) -> Value {
    if rng.usize(..40) == 0 {
        return anything(rng, 3);
    }
    match ty {
        Required(of) => value(rng, of, depth),
        _ if rng.usize(..10) == 0 => Value::Null,
        Int => [
            json!(0),
            json!(-1),
            json!(2_147_483_647),
            json!(-2_147_483_648_i64),
            json!(7.0),
            json!(1e3),
        ][rng.usize(..6)]
        .clone(),
        Float => [json!(0), json!(-1.5), json!(1e300), json!(u64::MAX)][rng.usize(..4)].clone(),
        Text => rng.choice(["", "a", "é\u{0}\"\\", "$int", "null"]).into(),
        Boolean => (rng.usize(..2) == 0).into(),
        Id => [json!("a"), json!(1), json!(-1), json!(u64::MAX)][rng.usize(..4)].clone(),
        Any => anything(rng, 3),
        Color => rng.choice(["RED", "GREEN"]).into(),
        List(of) if rng.usize(..6) == 0 => value(rng, of, depth),
        List(of) => (0..rng.usize(..4)).map(|_| value(rng, of, depth)).collect(),
        Tree => {
            let mut fields = Map::new();
            for (name, ty, has_default) in &*TREE {
                let needed = matches!(ty, Required(_)) && !has_default;
                let deep = *name == "trees" && depth == 0;
                if needed || (!deep && rng.usize(..2) == 0) {
                    fields.insert((*name).to_owned(), value(rng, ty, depth.saturating_sub(1)));
                }
            }
            fields.into()
        }
        Pick => {
            let (name, ty) = &PICK[rng.usize(..PICK.len())];
            json!({ *name: value(rng, ty, depth) })
        }
    }
}

fn anything(rng: &mut Rng, depth: usize) -> Value {
    match rng.usize(..(if depth == 0 { 8 } else { 10 })) {
        0 => Value::Null,
        1 => (rng.usize(..2) == 0).into(),
        2 => json!(2_147_483_648_i64),
        3 => json!(0.5),
        4 => json!(1e300),
        5 => rng.choice(["RED", "BLUE", "", "1"]).into(),
        6 => json!({}),
        7 => json!([]),
        8 => (0..rng.usize(..3)).map(|_| anything(rng, depth - 1)).collect(),
        _ => {
            let names = ["id", "tree", "name", "count", "trees", "else", "a.b", ""];
            let fields =
                (0..rng.usize(..3)).map(|_| (names[rng.usize(..names.len())].to_owned(), anything(rng, depth - 1)));
            Value::Object(fields.collect())
        }
    }
}

struct Subject {
    schema: Valid<Schema>,
    prepared: Prepared,
}

impl Subject {
    fn new() -> Self {
        let schema = Schema::parse_and_validate(SCHEMA, "schema").expect("a schema");
        let prepared = Prepared::new(&schema, OPERATION, None).expect("a document");
        Self { schema, prepared }
    }

    fn coerce(&self, raw: &Map<String, Value>) -> Result<Map<String, Value>, Vec<Violation>> {
        coerce::variables(&self.schema, &self.prepared, raw)
    }
}

/// True for an input value, or a missing field of one.
fn is_valid_path(path: &str, raw: &Value) -> bool {
    let known = VARIABLES.iter().any(|(name, ..)| path.split('.').next() == Some(name));
    let mut rest = path;
    let mut here = raw;
    // Names may contain dots.
    while !rest.is_empty() {
        let next = match here {
            Value::Object(fields) => {
                let fitting = fields.iter().filter(|(name, _)| {
                    rest.strip_prefix(name.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                });
                fitting
                    .max_by_key(|(name, _)| name.len())
                    .map(|(name, value)| (name.len(), value))
            }
            Value::Array(entries) => {
                let index = rest.split('.').next().unwrap_or_default();
                index
                    .parse::<usize>()
                    .ok()
                    .and_then(|at| entries.get(at))
                    .map(|entry| (index.len(), entry))
            }
            _ => None,
        };
        // A single value represents a list of one, and a missing field ends the path.
        let Some((length, value)) = next else {
            let (part, after) = rest.split_once('.').unwrap_or((rest, ""));
            match part {
                "0" => {
                    rest = after;
                    continue;
                }
                _ => return known && after.is_empty(),
            }
        };
        (rest, here) = (rest[length..].trim_start_matches('.'), value);
    }
    known
}

#[test]
fn variables_are_coerced_or_rejected_with_valid_paths() {
    let subject = Subject::new();
    let (mut valid, mut invalid) = (0, 0);
    for seed in 0..iterations() {
        let mut rng = Rng::with_seed(seed);
        let mut raw = Map::new();
        for (name, ty, has_default) in &*VARIABLES {
            let optional = *has_default || !matches!(ty, Required(_));
            if rng.usize(..20) > 0 && (!optional || rng.usize(..2) == 0) {
                raw.insert((*name).to_owned(), value(&mut rng, ty, 3));
            }
        }
        if rng.usize(..8) == 0 {
            raw.insert("undeclared".to_owned(), anything(&mut rng, 2));
        }
        let expected = each_fits(&raw, &VARIABLES);
        match subject.coerce(&raw) {
            Ok(coerced) => {
                assert!(expected, "seed {seed}: {raw:?} became {coerced:?}");
                assert!(all_fit(&coerced, &VARIABLES), "seed {seed}: {coerced:?}");
                assert_eq!(
                    subject.coerce(&coerced).as_ref(),
                    Ok(&coerced),
                    "seed {seed}: coercion is not idempotent"
                );
                valid += 1;
            }
            Err(violations) => {
                assert!(!expected, "seed {seed}: {raw:?}\n{violations:?}");
                assert!((1..=100).contains(&violations.len()), "seed {seed}: {violations:?}");
                let raw = Value::Object(raw);
                for Violation { path, problem, .. } in &violations {
                    assert!(
                        !problem.to_string().is_empty() && is_valid_path(path, &raw),
                        "seed {seed}: {path} in {raw:?}"
                    );
                }
                invalid += 1;
            }
        }
    }
    assert!(
        valid > iterations() / 20 && invalid > iterations() / 20,
        "{valid} valid and {invalid} invalid inputs: the generator is unbalanced"
    );
}

#[test]
fn memory_use_grows_linearly_with_the_variables() {
    let subject = Subject::new();
    let leaf = || json!({ "name": "a" });
    let shapes: [(&str, &dyn Fn(usize) -> Value); 5] = [
        ("a list", &|n| json!({ "list": vec![1; n] })),
        ("a list of invalid values", &|n| json!({ "list": vec!["a"; n] })),
        (
            "trees side by side",
            &|n| json!({ "tree": { "name": "a", "trees": vec![leaf(); n] } }),
        ),
        ("unknown fields", &|n| {
            let fields = (0..n).map(|at| (format!("f{at}"), Value::Null));
            json!({ "tree": Value::Object(fields.collect()) })
        }),
        ("unknown variables", &|n| {
            Value::Object((0..n).map(|at| (format!("v{at}"), Value::Null)).collect())
        }),
    ];
    for (name, shape) in shapes {
        let take = |n: usize| {
            let Value::Object(mut raw) = shape(n) else {
                panic!("variables are an object")
            };
            raw.insert("id".into(), "1".into());
            raw.insert("yes".into(), true.into());
            let used = measure(|| drop(subject.coerce(&raw)));
            (used.bytes_total as f64, used.count_total as f64)
        };
        // 16 times the input. Quadratic growth would need 256 times as much memory.
        let (small, large) = (take(1_000), take(16_000));
        assert!(large.0 <= small.0 * 40.0 + 4_096.0, "{name}: {small:?} {large:?} bytes");
        assert!(
            large.1 <= small.1 * 40.0 + 100.0,
            "{name}: {small:?} {large:?} allocations"
        );
    }
}
