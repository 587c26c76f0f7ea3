//! All kinds of changes, with their severity for existing clients.
//!
//! The kinds are those of graphql-js (`findBreakingChanges`, `findDangerousChanges`) and those of traitql's
//! directives. Two judgements differ: changes of enum values depend on whether the enum is sent, received or both; and
//! directives that documents cannot use are internal to the schema.

use std::fmt;

/// Effect of a change on clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Clients are not affected, or only benefit.
    Safe,
    /// All requests still work, but clients may receive an enum value that no `switch` handles, a changed default, or
    /// callers that gain access.
    Dangerous,
    /// A request that works today would be rejected, or its response would have another shape.
    Breaking,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Safe => "safe",
            Severity::Dangerous => "dangerous",
            Severity::Breaking => "breaking",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! kinds {
    ($($name:ident = $severity:ident $slug:literal $explanation:literal;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($name,)*
        }

        impl Kind {
            pub const ALL: &'static [Kind] = &[$(Kind::$name),*];

            pub fn slug(self) -> &'static str {
                match self { $(Kind::$name => $slug,)* }
            }

            pub fn severity(self) -> Severity {
                match self { $(Kind::$name => Severity::$severity,)* }
            }

            pub fn explanation(self) -> &'static str {
                match self { $(Kind::$name => $explanation,)* }
            }
        }
    };
}

kinds! {
    TypeAdded = Safe "type_added" "A type was added.";
    TypeRemoved = Breaking "type_removed" "A type was removed; documents and variables that refer to it are rejected.";
    TypeKindChanged = Breaking "type_kind_changed" "A name now refers to another kind of type.";
    RootChanged = Breaking "root_changed" "A root operation has another type, or was removed.";
    ScalarSpecificationChanged = Dangerous "scalar_specification_changed" "A scalar has another specification.";
    EmbeddedChanged = Safe "embedded_changed" "`@embedded` was added or removed; only resolvers are affected.";

    FieldAdded = Safe "field_added" "A field was added.";
    FieldRemoved = Breaking "field_removed" "A field was removed; documents that select it are rejected.";
    FieldTypeChanged = Breaking "field_type_changed" "A field has an incompatible type.";
    FieldBecameNullable = Breaking "field_became_nullable" "A field became nullable; clients do not expect null.";
    FieldTypeNarrowed = Safe "field_type_narrowed" "A field has a stricter type: a nullable part became non-null.";
    ResolverNeeded = Safe "resolver_needed" "A field that was data now needs a resolver.";
    ResolverGone = Safe "resolver_gone" "A field that had a resolver is now data.";
    Deprecated = Safe "deprecated" "A field, argument, input field or value was deprecated.";
    DeprecationRemoved = Safe "deprecation_removed" "A field, argument, input field or value is no longer deprecated.";
    OtherDirectivesChanged = Safe "other_directives_changed" "Directives that traitql does not know were added to or removed from a definition.";

    InterfaceAdded = Dangerous "interface_added" "A type implements another interface; fields of that interface can return it.";
    InterfaceRemoved = Breaking "interface_removed" "A type no longer implements an interface; fragments on it no longer match.";
    MemberAdded = Dangerous "member_added" "A union has another member, which clients may not handle.";
    MemberRemoved = Breaking "member_removed" "A union lost a member; fragments on it are rejected.";

    ArgumentAdded = Dangerous "argument_added" "An optional argument was added; its default applies to existing requests.";
    RequiredArgumentAdded = Breaking "required_argument_added" "A required argument was added.";
    ArgumentRemoved = Breaking "argument_removed" "An argument was removed; documents that pass it are rejected.";
    ArgumentTypeChanged = Breaking "argument_type_changed" "An argument no longer accepts all previous values.";
    ArgumentTypeWidened = Safe "argument_type_widened" "An argument accepts all previous values, and more.";
    ArgumentDefaultChanged = Dangerous "argument_default_changed" "The default of an argument changed.";
    ArgumentBecameRequired = Breaking "argument_became_required" "A non-null argument lost its default and must now be passed.";

    InputFieldAdded = Dangerous "input_field_added" "An optional input field was added.";
    RequiredInputFieldAdded = Breaking "required_input_field_added" "A required input field was added.";
    InputFieldRemoved = Breaking "input_field_removed" "An input field was removed; requests that send it are rejected.";
    InputFieldTypeChanged = Breaking "input_field_type_changed" "An input field no longer accepts all previous values.";
    InputFieldTypeWidened = Safe "input_field_type_widened" "An input field accepts all previous values, and more.";
    InputFieldDefaultChanged = Dangerous "input_field_default_changed" "The default of an input field changed.";
    InputFieldBecameRequired = Breaking "input_field_became_required" "A non-null input field lost its default and must now be sent.";
    OneOfAdded = Breaking "one_of_added" "An input now accepts exactly one of its fields; requests with several are rejected.";
    OneOfRemoved = Safe "one_of_removed" "An input accepts any of its fields.";

    ConstraintAdded = Breaking "rule_added" "A value has an additional constraint.";
    ConstraintTightened = Breaking "rule_tightened" "A constraint rejects values that it accepted before.";
    ConstraintLoosened = Safe "rule_loosened" "A constraint accepts all previous values, and more.";
    ConstraintRemoved = Safe "rule_removed" "A constraint was removed.";

    EnumValueAddedToOutput = Dangerous "enum_value_added_to_output" "An enum that clients receive has another value, which a `switch` may not handle.";
    EnumValueAdded = Safe "enum_value_added" "An enum that clients only send has another value.";
    EnumValueRemoved = Breaking "enum_value_removed" "An enum that clients send lost a value; requests with it are rejected.";
    EnumValueRemovedFromOutput = Safe "enum_value_removed_from_output" "An enum that clients only receive lost a value.";
    RoleOrderChanged = Breaking "role_order_changed" "The roles were reordered, which changes access everywhere.";
    ErrorStatusChanged = Dangerous "error_status_changed" "An error has another HTTP status.";
    ErrorTextChanged = Safe "error_text_changed" "An error has another message.";
    ErrorRetryChanged = Dangerous "error_retry_changed" "An error has another retry advice.";

    AccessRaised = Breaking "access_raised" "A field requires more than before; some callers lose access.";
    AccessLowered = Dangerous "access_lowered" "A field requires less than before; more callers have access.";
    AccessSubjectChanged = Breaking "access_subject_changed" "The role is required on another subject.";
    MaxAgeLowered = Breaking "max_age_lowered" "A field requires a more recent authentication; users may have to sign in again first.";
    MaxAgeRaised = Safe "max_age_raised" "A field accepts an older authentication.";
    AcrRequired = Breaking "acr_required" "A field requires an authentication of a level, or of another one; users may have to sign in again first.";
    AcrRemoved = Safe "acr_removed" "A field accepts an authentication of any level.";
    ThrowsAdded = Dangerous "throws_added" "A field can fail with an error that clients do not know.";
    ThrowsRemoved = Safe "throws_removed" "A field can no longer fail with an error.";
    TransitionNarrowed = Breaking "transition_narrowed" "A mutation is rejected in states in which it was allowed.";
    TransitionWidened = Safe "transition_widened" "A mutation is allowed in more states.";
    TransitionTargetChanged = Dangerous "transition_target_changed" "A mutation ends in another state.";
    AuditChanged = Safe "audit_changed" "The audit action of a mutation changed.";
    RateLowered = Dangerous "rate_lowered" "The rate limit of a field was lowered, or its callers are counted differently.";
    RateRaised = Safe "rate_raised" "The rate limit of a field was raised.";
    CostRaised = Dangerous "cost_raised" "A field has a higher cost; documents that are not in the manifest may be rejected.";
    CostLowered = Safe "cost_lowered" "A field has a lower cost.";

    DirectiveAdded = Safe "directive_added" "A directive was added.";
    DirectiveRemoved = Breaking "directive_removed" "A directive was removed; documents that use it are rejected.";
    DirectiveArgumentAdded = Safe "directive_argument_added" "An optional argument was added to a directive.";
    RequiredDirectiveArgumentAdded = Breaking "required_directive_argument_added" "A required argument was added to a directive.";
    DirectiveArgumentRemoved = Breaking "directive_argument_removed" "An argument of a directive was removed.";
    DirectiveArgumentChanged = Breaking "directive_argument_changed" "An argument of a directive has another type or default that existing uses may not satisfy.";
    DirectiveRepeatableRemoved = Breaking "directive_repeatable_removed" "A directive is no longer repeatable.";
    DirectiveLocationRemoved = Breaking "directive_location_removed" "A directive is allowed at fewer locations.";
    DirectiveWidened = Safe "directive_widened" "A directive became repeatable, or is allowed at more locations.";
    SchemaDirectiveChanged = Safe "schema_directive_changed" "A directive that only schemas use changed.";

    OperationAdded = Safe "operation_added" "An operation was added.";
    OperationChanged = Dangerous "operation_changed" "An operation changed; a server with trusted documents rejects the previous text, because no release contains it.";
    OperationChangedReleased = Safe "operation_changed_released" "An operation changed, and its previous text is served for a release.";
    OperationRemoved = Dangerous "operation_removed" "An operation was removed; a server with trusted documents rejects its text, because no release contains it.";
    OperationRemovedReleased = Safe "operation_removed_released" "An operation was removed, and its text is served for a release.";
    OperationCostChanged = Safe "operation_cost_changed" "The cost of one execution of an operation changed.";
    ReleaseAdded = Safe "release_added" "A release was added; its documents are served from now on.";
    ReleaseRemoved = Breaking "release_removed" "A release was removed; documents that only its clients send are rejected.";
    ReleaseUnfrozen = Dangerous "release_unfrozen" "A release was unfrozen; documents that only its clients send are rejected.";
    ReleaseChanged = Breaking "release_changed" "The documents of a release changed.";
}
