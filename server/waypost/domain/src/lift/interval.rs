//! Confidence intervals of proportions, at 95 %: Newcombe's method 10 (Statistics in Medicine 17 (1998), 873–890), the
//! square-and-add of two Wilson score intervals (Journal of the American Statistical Association 22 (1927), 209–212).
//! It keeps its coverage for small groups and for rates near zero, which are typical of goals, and stays between −1
//! and 1.

/// The normal quantile at 0.975.
const Z: f64 = 1.959_963_984_540_054;

/// Returns the Wilson interval of the proportion `reached / people`. `people` must be positive.
fn of_proportion((reached, people): (i32, i32)) -> (f64, f64) {
    let (reached, people) = (f64::from(reached), f64::from(people));
    let rate = reached / people;
    let square = Z * Z / people;
    let middle = rate + square / 2.0;
    let half = Z * (rate * (1.0 - rate) / people + square / (4.0 * people)).sqrt();
    ((middle - half) / (1.0 + square), (middle + half) / (1.0 + square))
}

pub(super) fn of_difference(one: (i32, i32), other: (i32, i32)) -> (f64, f64) {
    let rate = |(reached, people): (i32, i32)| f64::from(reached) / f64::from(people);
    let (difference, a, b) = (rate(one) - rate(other), of_proportion(one), of_proportion(other));
    let below = (rate(one) - a.0).hypot(b.1 - rate(other));
    let above = (a.1 - rate(one)).hypot(rate(other) - b.0);
    (difference - below, difference + above)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples are from table II of Newcombe's article, method 10.
    #[test]
    fn intervals_match_the_published_examples() {
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((6, 7), (2, 7), 0.0582, 0.8062),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((0, 10), (0, 20), -0.1611, 0.2775),
            ((0, 10), (0, 10), -0.2775, 0.2775),
            ((10, 10), (0, 20), 0.6791, 1.0),
            ((10, 10), (0, 10), 0.6075, 1.0),
        ] {
            let found = of_difference(one, other);
            assert!(
                (found.0 - low).abs() < 0.00005 && (found.1 - high).abs() < 0.00005,
                "{one:?} − {other:?}: {found:?}"
            );
        }
    }

    #[test]
    fn swapping_the_groups_mirrors_the_interval() {
        for (one, other) in [((3, 40), (9, 31)), ((0, 30), (30, 30)), ((500, 10_000), (45, 1000))] {
            let (interval, mirrored) = (of_difference(one, other), of_difference(other, one));
            assert!((interval.0 + mirrored.1).abs() < 1e-12 && (interval.1 + mirrored.0).abs() < 1e-12);
            assert!(interval.0 >= -1.0 - 1e-12 && interval.1 <= 1.0 + 1e-12);
        }
    }
}
