//! Each function returns the problem of a value that violates its limits.

use crate::{Bound, Problem};

/// `@length`: checks the number of characters (Unicode code points).
pub fn length(text: &str, min: usize, max: usize) -> Option<Problem> {
    bound(text.chars().count(), min, max).map(Problem::Length)
}

/// `@count`: checks the number of list entries.
pub fn count(entries: usize, min: usize, max: usize) -> Option<Problem> {
    bound(entries, min, max).map(Problem::Count)
}

fn bound(size: usize, min: usize, max: usize) -> Option<Bound> {
    if size < min {
        Some(Bound::Min(min))
    } else {
        (size > max).then_some(Bound::Max(max))
    }
}

/// `@depth(max:)`: checks the number of nested object levels; the value itself is the first level.
pub fn depth(levels: usize, max: usize) -> Option<Problem> {
    (levels > max).then_some(Problem::Levels(max))
}

/// `@depth(leaves:)`: checks the number of objects that contain no other object.
pub fn leaves(leaves: usize, max: usize) -> Option<Problem> {
    (leaves > max).then_some(Problem::Leaves(max))
}

/// `@range`: checks that a number is within inclusive bounds.
pub fn range(value: f64, min: Option<f64>, max: Option<f64>) -> Option<Problem> {
    let low = min.is_some_and(|min| value < min);
    let high = max.is_some_and(|max| value > max);
    (low || high).then_some(Problem::Range { min, max })
}

/// Formats a number as ECMAScript does (ECMA-262, Number::toString), so that both implementations print the
/// same message.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".to_owned()
    } else if (1e-6..1e21).contains(&size) {
        value.to_string()
    } else {
        let text = format!("{value:e}");
        match text.split_once('e') {
            Some((digits, power)) if !power.starts_with('-') => format!("{digits}e+{power}"),
            _ => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(problem: Option<Problem>) -> Option<String> {
        problem.map(|problem| problem.to_string())
    }

    #[test]
    fn characters_are_code_points() {
        assert_eq!(length("🧭🧭", 0, 2), None);
        assert_eq!(
            message(length("e\u{301}", 0, 1)).as_deref(),
            Some("must have at most 1 character")
        );
        assert_eq!(message(length("", 1, 2)).as_deref(), Some("must not be empty"));
        assert_eq!(
            message(length("a", 2, 3)).as_deref(),
            Some("must have at least 2 characters")
        );
    }

    #[test]
    fn range_bounds_are_inclusive() {
        assert_eq!(range(0.0, Some(0.0), Some(1.0)), None);
        assert_eq!(range(-0.0, Some(0.0), None), None);
        assert_eq!(
            message(range(1.5, Some(0.0), Some(1.0))).as_deref(),
            Some("must be between 0 and 1")
        );
        assert_eq!(
            message(range(-1.0, Some(-0.5), None)).as_deref(),
            Some("must be at least -0.5")
        );
        assert_eq!(
            message(range(2.0, None, Some(1.0))).as_deref(),
            Some("must be at most 1")
        );
    }

    #[test]
    fn a_limit_of_one_uses_the_singular() {
        assert_eq!(message(count(0, 1, 9)).as_deref(), Some("must have at least 1 entry"));
        assert_eq!(message(count(3, 0, 2)).as_deref(), Some("must have at most 2 entries"));
        assert_eq!(
            message(depth(2, 1)).as_deref(),
            Some("must not be nested deeper than 1 level")
        );
        assert_eq!(depth(3, 3), None);
        assert_eq!(
            message(leaves(2, 1)).as_deref(),
            Some("must not contain more than 1 leaf object")
        );
        assert_eq!(leaves(3, 3), None);
    }

    #[test]
    fn numbers_are_formatted_as_in_javascript() {
        let written = [1e20, 1e21, 1.5e300, 1e-6, 1e-7, -2.5e-9, -0.0, 0.7, 3600.0].map(number);
        assert_eq!(
            written,
            [
                "100000000000000000000",
                "1e+21",
                "1.5e+300",
                "0.000001",
                "1e-7",
                "-2.5e-9",
                "0",
                "0.7",
                "3600"
            ]
        );
    }
}
