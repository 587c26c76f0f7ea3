//! All kinds of changes, with their severity for existing clients.
//!
//! The kinds are those of graphql-js (`findBreakingChanges`, `findDangerousChanges`) and those that follow from
//! traitql's directives. Two judgements differ: changes of enum values depend on whether the enum is sent, received or
//! both; and directives that documents cannot use are internal to the schema.

use std::fmt;

/// Effect of a change on clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Clients are not affected, or only benefit.
    Safe,
    /// All requests still work, but clients may meet an enum value that no `switch` handles, a changed default, or
    /// callers that gain access.
    Dangerous,
    /// A request that works today would be rejected, or its response would have a shape that the client was not built
    /// for.
    Breaking,
}

impl Severity {
    /// Returns the name in lower case: `breaking`.
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
    ($($(#[doc = $doc:literal])+ $name:ident = $severity:ident $slug:literal;)*) => {
        /// A kind of change.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[doc = $doc])+ $name,)*
        }

        impl Kind {
            /// All kinds, in the order of the documentation.
            pub const ALL: &'static [Kind] = &[$(Kind::$name),*];

            /// Returns the stable name, in snake case.
            pub fn slug(self) -> &'static str {
                match self { $(Kind::$name => $slug,)* }
            }

            /// Returns the effect on clients.
            pub fn severity(self) -> Severity {
                match self { $(Kind::$name => Severity::$severity,)* }
            }

            /// Returns a description in one sentence.
            pub fn explanation(self) -> &'static str {
                match self { $(Kind::$name => concat!($($doc),+).trim_ascii(),)* }
            }
        }
    };
}

kinds! {
    /// A type was added.
    TypeAdded = Safe "type_added";
    /// A type was removed; documents and variables that refer to it are rejected.
    TypeRemoved = Breaking "type_removed";
    /// A name now refers to another kind of type.
    TypeKindChanged = Breaking "type_kind_changed";
    /// A root operation has another type, or was removed.
    RootChanged = Breaking "root_changed";
    /// A scalar has another specification.
    ScalarSpecificationChanged = Dangerous "scalar_specification_changed";
    /// `@embedded` was added or removed; only resolvers are affected.
    EmbeddedChanged = Safe "embedded_changed";

    /// A field was added.
    FieldAdded = Safe "field_added";
    /// A field was removed; documents that select it are rejected.
    FieldRemoved = Breaking "field_removed";
    /// A field has an incompatible type.
    FieldTypeChanged = Breaking "field_type_changed";
    /// A field became nullable; clients do not expect null.
    FieldBecameNullable = Breaking "field_became_nullable";
    /// A field has a stricter type: a nullable part became non-null.
    FieldTypeNarrowed = Safe "field_type_narrowed";
    /// A field that was data now needs a resolver.
    ResolverNeeded = Safe "resolver_needed";
    /// A field that had a resolver is now data.
    ResolverGone = Safe "resolver_gone";
    /// A field, argument, input field or value was deprecated.
    Deprecated = Safe "deprecated";
    /// A field, argument, input field or value is no longer deprecated.
    DeprecationRemoved = Safe "deprecation_removed";
    /// Directives that traitql does not know were added to or removed from a definition.
    OtherDirectivesChanged = Safe "other_directives_changed";

    /// A type implements another interface; fields of that interface can return it.
    InterfaceAdded = Dangerous "interface_added";
    /// A type no longer implements an interface; fragments on it no longer match.
    InterfaceRemoved = Breaking "interface_removed";
    /// A union has another member, which clients may not handle.
    MemberAdded = Dangerous "member_added";
    /// A union lost a member; fragments on it are rejected.
    MemberRemoved = Breaking "member_removed";

    /// An optional argument was added; its default applies to existing requests.
    ArgumentAdded = Dangerous "argument_added";
    /// A required argument was added.
    RequiredArgumentAdded = Breaking "required_argument_added";
    /// An argument was removed; documents that pass it are rejected.
    ArgumentRemoved = Breaking "argument_removed";
    /// An argument no longer accepts all previous values.
    ArgumentTypeChanged = Breaking "argument_type_changed";
    /// An argument accepts all previous values, and more.
    ArgumentTypeWidened = Safe "argument_type_widened";
    /// The default of an argument changed.
    ArgumentDefaultChanged = Dangerous "argument_default_changed";
    /// A non-null argument lost its default and must now be passed.
    ArgumentBecameRequired = Breaking "argument_became_required";

    /// An optional input field was added.
    InputFieldAdded = Dangerous "input_field_added";
    /// A required input field was added.
    RequiredInputFieldAdded = Breaking "required_input_field_added";
    /// An input field was removed; requests that send it are rejected.
    InputFieldRemoved = Breaking "input_field_removed";
    /// An input field no longer accepts all previous values.
    InputFieldTypeChanged = Breaking "input_field_type_changed";
    /// An input field accepts all previous values, and more.
    InputFieldTypeWidened = Safe "input_field_type_widened";
    /// The default of an input field changed.
    InputFieldDefaultChanged = Dangerous "input_field_default_changed";
    /// A non-null input field lost its default and must now be sent.
    InputFieldBecameRequired = Breaking "input_field_became_required";
    /// An input now accepts exactly one of its fields; requests with several are rejected.
    OneOfAdded = Breaking "one_of_added";
    /// An input accepts any of its fields.
    OneOfRemoved = Safe "one_of_removed";

    /// A value has an additional constraint.
    ConstraintAdded = Breaking "rule_added";
    /// A constraint rejects values that it accepted before.
    ConstraintTightened = Breaking "rule_tightened";
    /// A constraint accepts all previous values, and more.
    ConstraintLoosened = Safe "rule_loosened";
    /// A constraint was removed.
    ConstraintRemoved = Safe "rule_removed";

    /// An enum that clients receive has another value, which a `switch` may not handle.
    EnumValueAddedToOutput = Dangerous "enum_value_added_to_output";
    /// An enum that clients only send has another value.
    EnumValueAdded = Safe "enum_value_added";
    /// An enum that clients send lost a value; requests with it are rejected.
    EnumValueRemoved = Breaking "enum_value_removed";
    /// An enum that clients only receive lost a value.
    EnumValueRemovedFromOutput = Safe "enum_value_removed_from_output";
    /// The roles were reordered, which changes access everywhere.
    RoleOrderChanged = Breaking "role_order_changed";
    /// An error has another HTTP status.
    ErrorStatusChanged = Dangerous "error_status_changed";
    /// An error has another message.
    ErrorTextChanged = Safe "error_text_changed";
    /// An error has another retry advice.
    ErrorRetryChanged = Dangerous "error_retry_changed";

    /// A field requires more than before; some callers lose access.
    AccessRaised = Breaking "access_raised";
    /// A field requires less than before; more callers have access.
    AccessLowered = Dangerous "access_lowered";
    /// The role is required on another subject.
    AccessSubjectChanged = Breaking "access_subject_changed";
    /// A field requires a more recent authentication; users may have to sign in again first.
    MaxAgeLowered = Breaking "max_age_lowered";
    /// A field accepts an older authentication.
    MaxAgeRaised = Safe "max_age_raised";
    /// A field requires an authentication of a level, or of another one; users may have to sign in again first.
    AcrRequired = Breaking "acr_required";
    /// A field accepts an authentication of any level.
    AcrRemoved = Safe "acr_removed";
    /// A field can fail with an error that clients do not know.
    ThrowsAdded = Dangerous "throws_added";
    /// A field can no longer fail with an error.
    ThrowsRemoved = Safe "throws_removed";
    /// A mutation is rejected in states in which it was allowed.
    TransitionNarrowed = Breaking "transition_narrowed";
    /// A mutation is allowed in more states.
    TransitionWidened = Safe "transition_widened";
    /// A mutation ends in another state.
    TransitionTargetChanged = Dangerous "transition_target_changed";
    /// The audit action of a mutation changed.
    AuditChanged = Safe "audit_changed";
    /// The rate limit of a field was lowered, or its callers are counted differently.
    RateLowered = Dangerous "rate_lowered";
    /// The rate limit of a field was raised.
    RateRaised = Safe "rate_raised";
    /// A field has a higher cost; documents that are not in the manifest may be rejected.
    CostRaised = Dangerous "cost_raised";
    /// A field has a lower cost.
    CostLowered = Safe "cost_lowered";

    /// A directive was added.
    DirectiveAdded = Safe "directive_added";
    /// A directive was removed; documents that use it are rejected.
    DirectiveRemoved = Breaking "directive_removed";
    /// An optional argument was added to a directive.
    DirectiveArgumentAdded = Safe "directive_argument_added";
    /// A required argument was added to a directive.
    RequiredDirectiveArgumentAdded = Breaking "required_directive_argument_added";
    /// An argument of a directive was removed.
    DirectiveArgumentRemoved = Breaking "directive_argument_removed";
    /// An argument of a directive has another type or default that existing uses may not satisfy.
    DirectiveArgumentChanged = Breaking "directive_argument_changed";
    /// A directive is no longer repeatable.
    DirectiveRepeatableRemoved = Breaking "directive_repeatable_removed";
    /// A directive is allowed at fewer locations.
    DirectiveLocationRemoved = Breaking "directive_location_removed";
    /// A directive became repeatable, or is allowed at more locations.
    DirectiveWidened = Safe "directive_widened";
    /// A directive that only schemas use changed.
    SchemaDirectiveChanged = Safe "schema_directive_changed";

    /// An operation was added.
    OperationAdded = Safe "operation_added";
    /// An operation changed; a server with trusted documents rejects the previous text, because no release
    /// contains it.
    OperationChanged = Dangerous "operation_changed";
    /// An operation changed, and its previous text is served for a release.
    OperationChangedReleased = Safe "operation_changed_released";
    /// An operation was removed; a server with trusted documents rejects its text, because no release contains it.
    OperationRemoved = Dangerous "operation_removed";
    /// An operation was removed, and its text is served for a release.
    OperationRemovedReleased = Safe "operation_removed_released";
    /// The cost of one execution of an operation changed.
    OperationCostChanged = Safe "operation_cost_changed";
    /// A release was added; its documents are served from now on.
    ReleaseAdded = Safe "release_added";
    /// A release was removed; documents that only its clients send are rejected.
    ReleaseRemoved = Breaking "release_removed";
    /// A release was unfrozen; documents that only its clients send are rejected.
    ReleaseUnfrozen = Dangerous "release_unfrozen";
    /// The documents of a release changed.
    ReleaseChanged = Breaking "release_changed";
}
