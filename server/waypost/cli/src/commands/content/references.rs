//! Conditions refer to segments and tours by id. Files name them instead, a segment by its name and a tour by its slug, so
//! that they work in every workspace. Ids in files of earlier versions keep working.

use std::collections::BTreeSet;

use serde_json::Value;

use super::file::Content;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Segment,
    Tour,
}

impl Kind {
    const fn noun(self) -> &'static str {
        match self {
            Self::Segment => "segment",
            Self::Tour => "tour",
        }
    }
}

/// The segments and tours of a workspace: kind, id and name.
#[derive(Debug, Default, Clone)]
pub(super) struct Directory(Vec<(Kind, String, String)>);

impl Directory {
    pub(super) fn add(&mut self, kind: Kind, id: &str, name: &str) {
        self.0.push((kind, id.to_owned(), name.to_owned()));
    }

    /// Keeps unknown ids, and those whose name is ambiguous.
    pub(super) fn with_names(&self, mut content: Content) -> Content {
        content.for_each_reference(&mut |kind, _, value| {
            if let Some((.., name)) = self.0.iter().find(|(of, id, _)| *of == kind && id == value)
                && self.named(kind, name).len() == 1
            {
                value.clone_from(name);
            }
        });
        content
    }

    /// Returns a problem for each reference that is neither an id nor a name, with the path of its value.
    pub(super) fn with_ids(&self, mut content: Content) -> Result<Content, Vec<(String, String)>> {
        let mut problems = Vec::new();
        content.for_each_reference(&mut |kind, path, value| {
            if self.0.iter().any(|(of, id, _)| *of == kind && id == value) {
                return;
            }
            match &self.named(kind, value)[..] {
                [id] => *value = (*id).to_owned(),
                // Of an archived tour or a deleted segment, or of another workspace, which the server reports.
                [] if is_id(value) => {}
                [] => problems.push((path.to_owned(), self.unknown(kind, value))),
                several => problems.push((
                    path.to_owned(),
                    format!(
                        "the workspace has {} {}s named `{value}`; rename all but one.",
                        several.len(),
                        kind.noun()
                    ),
                )),
            }
        });
        if problems.is_empty() {
            Ok(content)
        } else {
            Err(problems)
        }
    }

    fn named(&self, kind: Kind, name: &str) -> Vec<&str> {
        let entries = self.0.iter().filter(|(of, _, known)| *of == kind && known == name);
        entries.map(|(_, id, _)| id.as_str()).collect()
    }

    fn unknown(&self, kind: Kind, name: &str) -> String {
        let noun = kind.noun();
        let known: BTreeSet<&str> = self
            .0
            .iter()
            .filter(|(of, ..)| *of == kind)
            .map(|(.., name)| name.as_str())
            .collect();
        if known.is_empty() {
            return format!("the workspace has no {noun} `{name}`, and no other {noun}.");
        }
        let known: Vec<&str> = known.into_iter().collect();
        format!(
            "the workspace has no {noun} `{name}`; its {noun}s are {}.",
            known.join(", ")
        )
    }
}

/// True for a UUID.
fn is_id(text: &str) -> bool {
    text.len() == 36
        && text.split('-').map(str::len).eq([8, 4, 4, 4, 12])
        && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

impl Content {
    /// Returns the values of one kind.
    pub(super) fn references(&self, kind: Kind) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.clone().for_each_reference(&mut |of, _, value| {
            if of == kind {
                found.insert(value.clone());
            }
        });
        found
    }

    fn for_each_reference(&mut self, visit: &mut dyn FnMut(Kind, &str, &mut String)) {
        if let Some(when) = self.start.get_mut("when") {
            visit_condition(when, "start.when", visit);
        }
        for (index, step) in self.steps.iter_mut().enumerate() {
            let branches = step.get_mut("branches").and_then(Value::as_array_mut);
            for (at, branch) in branches.into_iter().flatten().enumerate() {
                if let Some(when) = branch.get_mut("when") {
                    visit_condition(when, &format!("steps.{index}.branches.{at}.when"), visit);
                }
            }
        }
    }
}

/// `path` is that of the condition.
fn visit_condition(condition: &mut Value, path: &str, visit: &mut dyn FnMut(Kind, &str, &mut String)) {
    let Some(fields) = condition.as_object_mut() else {
        return;
    };
    for (name, value) in fields.iter_mut() {
        let path = format!("{path}.{name}");
        match (name.as_str(), value) {
            ("all" | "any" | "none", Value::Array(conditions)) => {
                for (index, condition) in conditions.iter_mut().enumerate() {
                    visit_condition(condition, &format!("{path}.{index}"), visit);
                }
            }
            ("segment", Value::String(segment)) => visit(Kind::Segment, &path, segment),
            ("tour", Value::Object(test)) => {
                if let Some(Value::String(tour)) = test.get_mut("tourId") {
                    visit(Kind::Tour, &format!("{path}.tourId"), tour);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn content(segment: &str, tour: &str) -> Content {
        let test = json!({ "tour": { "tourId": tour, "progress": "STARTED" } });
        Content {
            title: "Hello".to_owned(),
            theme: None,
            locales: vec!["en".to_owned()],
            start: json!({ "when": { "all": [{ "segment": segment }, { "none": [test] }] } }),
            steps: vec![
                json!({ "key": "a", "title": "A", "branches": [{ "when": { "segment": segment } }, { "to": "b" }] }),
            ],
        }
    }

    fn directory() -> Directory {
        let mut directory = Directory::default();
        directory.add(Kind::Segment, "s-1", "Gold customers");
        directory.add(Kind::Segment, "s-2", "Twins");
        directory.add(Kind::Segment, "s-3", "Twins");
        directory.add(Kind::Tour, "t-1", "first-order");
        directory
    }

    #[test]
    fn ids_become_names_and_names_become_ids() {
        let (ids, names) = (content("s-1", "t-1"), content("Gold customers", "first-order"));
        assert_eq!(directory().with_names(ids.clone()), names);
        assert_eq!(directory().with_ids(names.clone()), Ok(ids.clone()));
        assert_eq!(
            directory().with_ids(ids.clone()),
            Ok(ids),
            "an id of a file of an earlier version"
        );
        let archived = content("s-1", "019a3f5e-7c1d-7000-8000-000000000001");
        assert_eq!(
            directory().with_ids(archived.clone()),
            Ok(archived),
            "the id of an archived tour"
        );
        assert_eq!(names.references(Kind::Tour), BTreeSet::from(["first-order".to_owned()]));
    }

    #[test]
    fn content_without_conditions_stays_as_it_is() {
        let mut plain = content("", "");
        plain.start = json!({ "page": "/a" });
        plain.steps.clear();
        assert_eq!(directory().with_names(plain.clone()), plain);
        assert_eq!(directory().with_ids(plain.clone()), Ok(plain));
    }

    #[test]
    fn ambiguous_names_stay_ids_and_unknown_names_are_reported_with_their_path() {
        let ambiguous = content("s-2", "t-1");
        assert_eq!(
            directory().with_names(ambiguous).references(Kind::Segment),
            BTreeSet::from(["s-2".to_owned()])
        );
        let problems = directory()
            .with_ids(content("Twins", "second-order"))
            .expect_err("problems");
        let lines: Vec<String> = problems
            .iter()
            .map(|(path, problem)| format!("{path}: {problem}"))
            .collect();
        assert_eq!(
            lines,
            [
                "start.when.all.0.segment: the workspace has 2 segments named `Twins`; rename all but one.",
                "start.when.all.1.none.0.tour.tourId: the workspace has no tour `second-order`; its tours are first-order.",
                "steps.0.branches.0.when.segment: the workspace has 2 segments named `Twins`; rename all but one.",
            ]
        );
    }
}
