pub(crate) fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, candidates) {
        Some(best) => format!("did you mean `{best}`?"),
        None => String::new(),
    }
}

pub(crate) fn did_you_mean_or<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    match nearest(name, candidates) {
        Some(best) => format!("did you mean `{best}`?"),
        None => otherwise.to_owned(),
    }
}

/// Lists all candidates after `otherwise` if none is near. Empty without candidates.
pub(crate) fn did_you_mean_one_of(name: &str, candidates: &[&str], otherwise: &str) -> String {
    match candidates {
        [] => String::new(),
        _ => did_you_mean_or(
            name,
            candidates.iter().copied(),
            &format!("{otherwise} {}", listed(candidates)),
        ),
    }
}

/// Lists names in backticks, at most 16.
pub(crate) fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(16).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => "none".to_owned(),
        1..=16 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), more - 16),
    }
}

/// Returns the candidate with the smallest edit distance, at most a third of the name.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1) * 2;
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit || candidate.eq_ignore_ascii_case(name))
        .min()
        .map(|(_, candidate)| candidate)
}

/// A change of case costs 1; an insertion, deletion, replacement or transposition costs 2.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i * 2;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j * 2;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replace = match (a[i - 1], b[j - 1]) {
                (x, y) if x == y => 0,
                (x, y) if x.eq_ignore_ascii_case(&y) => 1,
                _ => 2,
            };
            let mut best = (rows[i - 1][j] + 2)
                .min(rows[i][j - 1] + 2)
                .min(rows[i - 1][j - 1] + replace);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 2);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transpositions_omissions_and_wrong_case_are_near() {
        let names = ["Tour", "Theme", "TourConnection", "title"];
        assert_eq!(nearest("Tuor", names), Some("Tour"));
        assert_eq!(nearest("Them", names), Some("Theme"));
        assert_eq!(nearest("TITLE", names), Some("title"));
        assert_eq!(nearest("Participant", names), None);
    }
}
