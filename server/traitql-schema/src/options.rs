//! What the caller of [`load`](crate::load()) permits. A schema that was not written for traitql breaks conventions that
//! traitql has for its own readers' sake; each of them has a code, and can be given up by its name without losing the others.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{CONVENTIONS, Code};
use crate::model::FieldKind;
use crate::released::ReleaseText;
use crate::suggest::nearest;

/// How a schema and its operations are read. By default every convention is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    allow: BTreeSet<Code>,
    releases: Vec<ReleaseText>,
    fields: BTreeMap<String, FieldKind>,
    names: BTreeMap<String, String>,
    renames: bool,
}

impl Options {
    /// Permits everything that can be permitted, and gives other names in Rust where names of the schema meet there: for
    /// schemas that somebody else has written.
    pub fn lenient() -> Self {
        Self {
            allow: CONVENTIONS.iter().copied().collect(),
            renames: true,
            ..Self::default()
        }
    }

    /// The same, but for one convention.
    pub fn lenient_but(kept: Code) -> Self {
        let mut options = Self::lenient();
        options.allow.remove(&kept);
        options
    }

    /// Permits to break the conventions with these slugs (`access_missing`) or identities (`T012`).
    ///
    /// # Errors
    /// A sentence for each name that is no convention.
    pub fn allowing<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, Vec<String>> {
        let mut options = Self::default();
        let mut problems = Vec::new();
        for name in names {
            match CONVENTIONS.iter().find(|code| code.slug == name || code.id == name) {
                Some(code) => {
                    options.allow.insert(*code);
                }
                None => problems.push(unknown(name)),
            }
        }
        if problems.is_empty() {
            Ok(options)
        } else {
            Err(problems)
        }
    }

    /// The same, permitting to break further conventions.
    pub(crate) fn permitting(mut self, codes: impl IntoIterator<Item = Code>) -> Self {
        self.allow.extend(codes);
        self
    }

    /// The same, holding the documents of releases against the schema too.
    pub fn with_releases(self, releases: Vec<ReleaseText>) -> Self {
        Self { releases, ..self }
    }

    /// The same, with fields that are data or have a resolver whatever the schema says, by their coordinates. What cannot be
    /// (data with arguments, say) stays as it is.
    pub fn with_fields(self, fields: BTreeMap<String, FieldKind>) -> Self {
        Self { fields, ..self }
    }

    /// The same, with names in Rust for what is called otherwise there than in the schema, by coordinates: `Tour`, `Tour.title`,
    /// `Query.tour(id:)`, `TourState.LIVE`. Coordinates that do not exist have no effect.
    pub fn with_names(self, names: BTreeMap<String, String>) -> Self {
        Self { names, ..self }
    }

    /// The same, giving further names where names meet in Rust. The model says which.
    pub fn renaming(self) -> Self {
        Self { renames: true, ..self }
    }

    /// The names in Rust that were given, by coordinates.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names
            .iter()
            .map(|(coordinate, name)| (coordinate.as_str(), name.as_str()))
    }

    /// The name in Rust that was given to a coordinate.
    pub(crate) fn name(&self, coordinate: &str) -> Option<&str> {
        self.names.get(coordinate).map(String::as_str)
    }

    /// Whether names that meet are mended.
    pub(crate) fn renames(&self) -> bool {
        self.renames
    }

    /// The fields that are data or have a resolver whatever the schema says.
    pub fn fields(&self) -> impl Iterator<Item = (&str, FieldKind)> {
        self.fields
            .iter()
            .map(|(coordinate, kind)| (coordinate.as_str(), *kind))
    }

    /// Whether something else than the schema says where a field's value comes from.
    pub(crate) fn field(&self, coordinate: &str) -> Option<FieldKind> {
        self.fields.get(coordinate).copied()
    }

    /// The documents of releases.
    pub fn releases(&self) -> &[ReleaseText] {
        &self.releases
    }

    /// Whether it is permitted to break a convention.
    pub fn allows(&self, code: Code) -> bool {
        self.allow.contains(&code)
    }

    /// What is permitted, in the order of the codes.
    pub fn allowed(&self) -> impl Iterator<Item = Code> + '_ {
        self.allow.iter().copied()
    }
}

fn unknown(name: &str) -> String {
    let slugs = CONVENTIONS.iter().map(|code| code.slug);
    match nearest(name, slugs.clone()) {
        Some(near) => format!("`{name}` is no convention that can be given up; did you mean `{near}`?"),
        None => {
            let slugs: Vec<String> = slugs.map(|slug| format!("`{slug}`")).collect();
            format!(
                "`{name}` is no convention that can be given up; these can: {}",
                slugs.join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code;

    #[test]
    fn conventions_go_by_their_slug_or_their_identity() {
        let options = Options::allowing(["access_missing", "N004"]).expect("both are conventions");
        assert!(options.allows(code::ACCESS_MISSING) && options.allows(code::INPUT_SUFFIX));
        assert!(!options.allows(code::CONNECTION_SHAPE));
    }

    #[test]
    fn what_correctness_needs_cannot_be_given_up() {
        let problems = Options::allowing(["acces_missing", "duplicate_field"]).expect_err("neither is one");
        assert_eq!(
            problems,
            [
                "`acces_missing` is no convention that can be given up; did you mean `access_missing`?",
                "`duplicate_field` is no convention that can be given up; these can: `interface_not_deprecated`, \
                 `operation_name`, \
                 `several_operations`, `input_suffix`, `empty_document`, `operation_case`, \
                 `typescript_clash`, `definition_differs`, `access_missing`, `connection_shape`",
            ]
        );
    }
}
