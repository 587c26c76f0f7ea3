//! Options of [`load`](crate::load()). Conventions that other schemas break can be turned off individually.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::code::{CONVENTIONS, Code, OPENING};
use crate::diagnostics::suggest::nearest;
use crate::model::FieldKind;
use crate::release_source::ReleaseSource;

/// Options for loading. By default, all conventions are enforced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    allow: BTreeSet<Code>,
    releases: Vec<ReleaseSource>,
    fields: BTreeMap<String, FieldKind>,
    names: BTreeMap<String, String>,
    renames: bool,
    ignores_access: bool,
    opens: bool,
}

impl Options {
    /// Allows everything, and renames on clashes; for schemas that are compared but not served.
    pub fn lenient() -> Self {
        Self {
            allow: CONVENTIONS.iter().copied().collect(),
            renames: true,
            ignores_access: true,
            ..Self::default()
        }
    }

    /// Returns [`lenient`](Self::lenient) options that enforce one convention.
    pub fn lenient_except(kept: Code) -> Self {
        let mut options = Self::lenient();
        options.allow.remove(&kept);
        options
    }

    /// Allows violations of the conventions with these slugs (`access_missing`) or ids (`T012`).
    ///
    /// # Errors
    /// An error message for each name that is not a convention.
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

    pub(crate) fn permitting(mut self, codes: impl IntoIterator<Item = Code>) -> Self {
        self.allow.extend(codes);
        self
    }

    /// Adds releases, whose documents are checked against the schema.
    pub fn with_releases(self, releases: Vec<ReleaseSource>) -> Self {
        Self { releases, ..self }
    }

    /// Overrides field kinds by coordinate. An impossible override, such as data with arguments, is ignored.
    pub fn with_fields(self, fields: BTreeMap<String, FieldKind>) -> Self {
        Self { fields, ..self }
    }

    /// Sets Rust names by coordinate: `Tour`, `Tour.title`, `Query.tour(id:)`, `TourState.LIVE`. Unknown coordinates
    /// are ignored.
    pub fn with_names(self, names: BTreeMap<String, String>) -> Self {
        Self { names, ..self }
    }

    /// Assigns other Rust names if names clash. The model lists them.
    pub fn with_automatic_renaming(self) -> Self {
        Self { renames: true, ..self }
    }

    /// Lets [`load_lenient`](crate::load_lenient()) also allow root fields without an access directive, if no field has
    /// one, and directives of other tools that look like access checks.
    pub fn with_open_access(self) -> Self {
        Self { opens: true, ..self }
    }

    /// True if [`load_lenient`](crate::load_lenient()) may allow violations of the convention.
    pub(crate) fn may_permit(&self, code: Code) -> bool {
        CONVENTIONS.contains(&code) && (self.opens || !OPENING.contains(&code))
    }

    /// True if fields may lack an access directive although others have one.
    pub(crate) fn ignores_access(&self) -> bool {
        self.ignores_access
    }

    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names
            .iter()
            .map(|(coordinate, name)| (coordinate.as_str(), name.as_str()))
    }

    pub(crate) fn name(&self, coordinate: &str) -> Option<&str> {
        self.names.get(coordinate).map(String::as_str)
    }

    pub(crate) fn renames(&self) -> bool {
        self.renames
    }

    pub fn fields(&self) -> impl Iterator<Item = (&str, FieldKind)> {
        self.fields
            .iter()
            .map(|(coordinate, kind)| (coordinate.as_str(), *kind))
    }

    pub(crate) fn field(&self, coordinate: &str) -> Option<FieldKind> {
        self.fields.get(coordinate).copied()
    }

    pub fn releases(&self) -> &[ReleaseSource] {
        &self.releases
    }

    pub fn allows(&self, code: Code) -> bool {
        self.allow.contains(&code)
    }

    pub fn allowed(&self) -> impl Iterator<Item = Code> + '_ {
        self.allow.iter().copied()
    }
}

fn unknown(name: &str) -> String {
    let slugs = CONVENTIONS.iter().map(|code| code.slug);
    match nearest(name, slugs.clone()) {
        Some(near) => format!("`{name}` cannot be allowed: it is not a convention; did you mean `{near}`?"),
        None => {
            let slugs: Vec<String> = slugs.map(|slug| format!("`{slug}`")).collect();
            format!(
                "`{name}` cannot be allowed: it is not a convention; the conventions are {}",
                slugs.join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;

    #[test]
    fn conventions_are_found_by_slug_or_id() {
        let options = Options::allowing(["access_missing", "N004"]).expect("both are conventions");
        assert!(options.allows(code::ACCESS_MISSING) && options.allows(code::INPUT_SUFFIX));
        assert!(!options.allows(code::CONNECTION_SHAPE));
    }

    #[test]
    fn rules_that_are_not_conventions_cannot_be_allowed() {
        let problems = Options::allowing(["acces_missing", "duplicate_field"]).expect_err("neither is a convention");
        assert_eq!(
            problems,
            [
                "`acces_missing` cannot be allowed: it is not a convention; did you mean `access_missing`?",
                "`duplicate_field` cannot be allowed: it is not a convention; the conventions are `interface_not_deprecated`, \
                 `operation_name`, \
                 `several_operations`, `input_suffix`, `empty_document`, `operation_case`, \
                 `typescript_clash`, `definition_differs`, `access_missing`, `access_foreign`, `connection_shape`",
            ]
        );
    }
}
