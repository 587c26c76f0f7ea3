//! Stable codes: a letter for the area, three digits, and a slug. Each has a page in `explanations/`, whose examples are
//! its test.
//!
//! Areas: `S` files and syntax, `G` schema validation, `V` values, `D` document validation, `N` names and files, `L`
//! documents of releases, `R` names in Rust, `T` the rules of traitql.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    pub id: &'static str,
    pub slug: &'static str,
}

/// A test checks that the pages exist.
const PAGES: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/blob/HEAD/server/traitql/schema/explanations/"
);

impl Code {
    pub fn link(&self) -> String {
        format!("{PAGES}{}.md", self.id)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.id, self.slug)
    }
}

macro_rules! codes {
    ($($name:ident = $id:literal $slug:literal;)*) => {
        $(pub(crate) const $name: Code = Code { id: $id, slug: $slug };)*

        pub(crate) const ALL: &[Code] = &[$($name),*];

        /// The texts of the explanations, in the order of [`ALL`].
        pub(crate) const EXPLANATIONS: &[&str] = &[$(include_str!(concat!("../../explanations/", $id, ".md"))),*];
    };
}

codes! {
    SYNTAX = "S001" "syntax";
    SCHEMA_HOLDS_OPERATION = "S002" "schema_holds_operation";
    DOCUMENT_HOLDS_TYPE = "S003" "document_holds_type";
    NO_SCHEMA = "S004" "no_schema";
    TOO_DEEP = "S005" "too_deep";

    UNKNOWN_TYPE = "G001" "unknown_type";
    UNKNOWN_DIRECTIVE = "G002" "unknown_directive";
    UNKNOWN_DIRECTIVE_ARGUMENT = "G003" "unknown_directive_argument";
    MISSING_DIRECTIVE_ARGUMENT = "G004" "missing_directive_argument";
    DUPLICATE_TYPE = "G005" "duplicate_type";
    DUPLICATE_DIRECTIVE = "G006" "duplicate_directive";
    DUPLICATE_FIELD = "G007" "duplicate_field";
    DUPLICATE_ENUM_VALUE = "G008" "duplicate_enum_value";
    DUPLICATE_MEMBER = "G009" "duplicate_member";
    DUPLICATE_ARGUMENT = "G010" "duplicate_argument";
    BUILTIN_REDEFINED = "G011" "builtin_redefined";
    EXTENSION_OF_NOTHING = "G012" "extension_of_nothing";
    EXTENSION_KIND = "G013" "extension_kind";
    DUPLICATE_ROOT = "G014" "duplicate_root";
    NO_QUERY = "G015" "no_query";
    ROOT_NOT_OBJECT = "G016" "root_not_object";
    ROOT_SHARED = "G017" "root_shared";
    EMPTY_TYPE = "G018" "empty_type";
    RESERVED_NAME = "G019" "reserved_name";
    OUTPUT_TYPE_EXPECTED = "G020" "output_type_expected";
    INPUT_TYPE_EXPECTED = "G021" "input_type_expected";
    MEMBER_NOT_OBJECT = "G022" "member_not_object";
    INTERFACE_FIELD_MISSING = "G023" "interface_field_missing";
    INTERFACE_FIELD_TYPE = "G024" "interface_field_type";
    INTERFACE_ARGUMENT = "G025" "interface_argument";
    INTERFACE_TRANSITIVE = "G026" "interface_transitive";
    DUPLICATE_INTERFACE = "G027" "duplicate_interface";
    INPUT_CYCLE = "G028" "input_cycle";
    DIRECTIVE_CYCLE = "G029" "directive_cycle";
    INTERFACE_CYCLE = "G030" "interface_cycle";
    DIRECTIVE_LOCATION = "G031" "directive_location";
    DIRECTIVE_REPEATED = "G032" "directive_repeated";
    ONE_OF_FIELD = "G033" "one_of_field";
    DEPRECATED_REQUIRED = "G034" "deprecated_required";
    INTERFACE_NOT_DEPRECATED = "G035" "interface_not_deprecated";
    NOT_AN_INTERFACE = "G036" "not_an_interface";
    DEFAULT_CYCLE = "G037" "default_cycle";
    SCHEMA_OTHER = "G099" "schema";

    WRONG_VALUE = "V001" "wrong_value";
    UNKNOWN_ENUM_VALUE = "V002" "unknown_enum_value";
    UNKNOWN_INPUT_FIELD = "V003" "unknown_input_field";
    MISSING_INPUT_FIELD = "V004" "missing_input_field";
    ONE_OF_COUNT = "V005" "one_of_count";
    DUPLICATE_INPUT_FIELD = "V006" "duplicate_input_field";

    UNKNOWN_FIELD = "D001" "unknown_field";
    UNKNOWN_ARGUMENT = "D002" "unknown_argument";
    MISSING_ARGUMENT = "D003" "missing_argument";
    UNKNOWN_FRAGMENT = "D004" "unknown_fragment";
    UNUSED_FRAGMENT = "D005" "unused_fragment";
    FRAGMENT_CYCLE = "D006" "fragment_cycle";
    FRAGMENT_IMPOSSIBLE = "D007" "fragment_impossible";
    FRAGMENT_ON_LEAF = "D008" "fragment_on_leaf";
    UNKNOWN_VARIABLE = "D009" "unknown_variable";
    UNUSED_VARIABLE = "D010" "unused_variable";
    VARIABLE_NOT_INPUT = "D011" "variable_not_input";
    VARIABLE_MISMATCH = "D012" "variable_mismatch";
    DUPLICATE_VARIABLE = "D013" "duplicate_variable";
    SELECTION_MISSING = "D014" "selection_missing";
    SELECTION_ON_LEAF = "D015" "selection_on_leaf";
    FIELD_CONFLICT = "D016" "field_conflict";
    DUPLICATE_OPERATION = "D017" "duplicate_operation";
    DUPLICATE_FRAGMENT = "D018" "duplicate_fragment";
    NO_SUCH_ROOT = "D019" "no_such_root";
    SUBSCRIPTION_SHAPE = "D020" "subscription_shape";
    EMPTY_SELECTION = "D021" "empty_selection";
    DOCUMENT_OTHER = "D099" "document";

    ANONYMOUS_OPERATION = "N001" "anonymous_operation";
    OPERATION_NAME = "N002" "operation_name";
    SEVERAL_OPERATIONS = "N003" "several_operations";
    INPUT_SUFFIX = "N004" "input_suffix";
    EMPTY_DOCUMENT = "N005" "empty_document";
    OPERATION_CASE = "N006" "operation_case";
    TYPESCRIPT_CLASH = "N007" "typescript_clash";

    RELEASE_BROKEN = "L001" "release_broken";

    RUST_NAME_CLASH = "R001" "rust_name_clash";
    TYPE_NAME_TAKEN = "R002" "type_name_taken";
    COORDINATE_CLASH = "R003" "coordinate_clash";

    DEFINITION_DIFFERS = "T001" "definition_differs";
    AUTH_INCOMPLETE = "T010" "auth_incomplete";
    ACCESS_TWICE = "T011" "access_twice";
    ACCESS_MISSING = "T012" "access_missing";
    ACCESS_MISPLACED = "T013" "access_misplaced";
    SUBJECT_UNKNOWN = "T014" "subject_unknown";
    AUTH_PATH_UNKNOWN = "T015" "auth_path_unknown";
    AUTH_PATH_TYPE = "T016" "auth_path_type";
    AUTH_MAX_AGE = "T017" "auth_max_age";
    AUTH_ACR = "T018" "auth_acr";
    ACCESS_FOREIGN = "T019" "access_foreign";
    ERROR_MISSING = "T020" "error_missing";
    ERROR_MISPLACED = "T021" "error_misplaced";
    ERROR_STATUS = "T022" "error_status";
    ERROR_SLOTS = "T023" "error_slots";
    THROWS_TWICE = "T024" "throws_twice";
    TRANSITION_ENUM = "T030" "transition_enum";
    TRANSITION_STATE = "T031" "transition_state";
    ONLY_MUTATIONS = "T032" "only_mutations";
    AUDIT_ACTION = "T033" "audit_action";
    LIMIT_TYPE = "T040" "limit_type";
    LIMIT_ORDER = "T041" "limit_order";
    FORMAT_UNKNOWN = "T042" "format_unknown";
    DEFAULT_LIMIT = "T043" "default_limit";
    CONSTANT_LIMIT = "T044" "constant_limit";
    INTERFACE_LIMIT = "T045" "interface_limit";
    COST_TIMES = "T050" "cost_times";
    COST_UNBOUNDED = "T051" "cost_unbounded";
    COST_NEGATIVE = "T052" "cost_negative";
    RATE_ARGUMENT = "T053" "rate_argument";
    RATE_LIMIT = "T054" "rate_limit";
    RATE_MISPLACED = "T055" "rate_misplaced";
    RATE_ACCOUNT = "T056" "rate_account";
    DATA_FIELD_DIRECTIVE = "T060" "data_field_directive";
    RESOLVE_MISPLACED = "T061" "resolve_misplaced";
    EMBEDDED_MISPLACED = "T062" "embedded_misplaced";
    EMBEDDED_MEMBER = "T063" "embedded_member";
    EMBEDDED_CYCLE = "T064" "embedded_cycle";
    CONNECTION_SHAPE = "T070" "connection_shape";
    ROOT_AS_VALUE = "T072" "root_as_value";
}

/// Codes for style rules of traitql, and for rules that the specification added only for readability. Callers of
/// [`load`](crate::load()) can allow these problems.
pub const CONVENTIONS: &[Code] = &[
    INTERFACE_NOT_DEPRECATED,
    OPERATION_NAME,
    SEVERAL_OPERATIONS,
    INPUT_SUFFIX,
    EMPTY_DOCUMENT,
    OPERATION_CASE,
    TYPESCRIPT_CLASH,
    DEFINITION_DIFFERS,
    ACCESS_MISSING,
    ACCESS_FOREIGN,
    CONNECTION_SHAPE,
];

/// The conventions that keep a schema closed. They are allowed only explicitly.
pub(crate) const OPENING: &[Code] = &[ACCESS_MISSING, ACCESS_FOREIGN];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_and_slugs_are_unique() {
        let ids: HashSet<_> = ALL.iter().map(|code| code.id).collect();
        let slugs: HashSet<_> = ALL.iter().map(|code| code.slug).collect();
        assert_eq!((ids.len(), slugs.len()), (ALL.len(), ALL.len()));
    }
}
