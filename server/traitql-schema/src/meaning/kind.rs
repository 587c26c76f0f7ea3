//! Every kind of change, with its weight for clients that exist already.
//!
//! **Breaking**: a request that is answered today would be refused, or its answer would have a shape that the client was not
//! built for. **Dangerous**: every request is still answered, but something can happen that nobody was prepared for: a
//! value that no `switch` knows, a default that changed, somebody who may call what they could not. **Safe**: neither.
//!
//! The kinds are those of graphql-js (`findBreakingChanges`, `findDangerousChanges`), and those that follow from traitql's
//! own directives. Two judgements differ, because this comparison knows more: values of an enum are judged by whether the
//! enum is sent, received or both; and directives that no document can carry are the schema's own matter.

use std::fmt;

/// What a change means for clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// No client notices it, or only to its advantage.
    Safe,
    /// Clients are answered, but may meet something new.
    Dangerous,
    /// Clients that exist may be refused, or cannot read the answer.
    Breaking,
}

impl Severity {
    /// In lower case: `breaking`.
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
            /// All kinds, in the order of their documentation.
            pub const ALL: &'static [Kind] = &[$(Kind::$name),*];

            /// Stable name, in lower case.
            pub fn slug(self) -> &'static str {
                match self { $(Kind::$name => $slug,)* }
            }

            /// What it means for clients.
            pub fn severity(self) -> Severity {
                match self { $(Kind::$name => Severity::$severity,)* }
            }

            /// What happens, in one sentence.
            pub fn explanation(self) -> &'static str {
                match self { $(Kind::$name => concat!($($doc),+).trim_ascii(),)* }
            }
        }
    };
}

kinds! {
    /// A type is new.
    TypeAdded = Safe "type_added";
    /// A type is gone; documents and variables that name it are refused.
    TypeRemoved = Breaking "type_removed";
    /// A name stands for another kind of type.
    TypeKindChanged = Breaking "type_kind_changed";
    /// A root operation is another type, or gone.
    RootChanged = Breaking "root_changed";
    /// A scalar follows another specification.
    ScalarSpecificationChanged = Dangerous "scalar_specification_changed";
    /// `@embedded` came or went; only resolvers notice.
    EmbeddedChanged = Safe "embedded_changed";

    /// A field is new.
    FieldAdded = Safe "field_added";
    /// A field is gone; documents that ask for it are refused.
    FieldRemoved = Breaking "field_removed";
    /// A field has another type.
    FieldTypeChanged = Breaking "field_type_changed";
    /// A field can be null that never was; clients read it without asking.
    FieldBecameNullable = Breaking "field_became_nullable";
    /// A field says more than before: what could be null never is.
    FieldTypeNarrowed = Safe "field_type_narrowed";
    /// A field without a resolver has one.
    ResolverNeeded = Safe "resolver_needed";
    /// A field with a resolver is data.
    ResolverGone = Safe "resolver_gone";
    /// A field, argument, input field or value is deprecated.
    Deprecated = Safe "deprecated";
    /// A field, argument, input field or value is no longer deprecated.
    DeprecationRemoved = Safe "deprecation_removed";
    /// Directives that traitql does not know came or went at a definition.
    OtherDirectivesChanged = Safe "other_directives_changed";

    /// A type implements another interface; fields of the interface can answer with it.
    InterfaceAdded = Dangerous "interface_added";
    /// A type does not implement an interface any more; fragments on it find nothing.
    InterfaceRemoved = Breaking "interface_removed";
    /// A union has another member; clients may not know what to show.
    MemberAdded = Dangerous "member_added";
    /// A union lost a member; fragments on it are refused.
    MemberRemoved = Breaking "member_removed";

    /// An argument is new and may be left out; the default decides for those who do.
    ArgumentAdded = Dangerous "argument_added";
    /// An argument is new and must be given.
    RequiredArgumentAdded = Breaking "required_argument_added";
    /// An argument is gone; documents that give it are refused.
    ArgumentRemoved = Breaking "argument_removed";
    /// An argument has a type that not all former values fit.
    ArgumentTypeChanged = Breaking "argument_type_changed";
    /// An argument takes what it took, and more.
    ArgumentTypeWidened = Safe "argument_type_widened";
    /// An argument that may be left out means something else when it is.
    ArgumentDefaultChanged = Dangerous "argument_default_changed";
    /// An argument lost the default without which it must be given.
    ArgumentBecameRequired = Breaking "argument_became_required";

    /// An input field is new and may be left out.
    InputFieldAdded = Dangerous "input_field_added";
    /// An input field is new and must be given.
    RequiredInputFieldAdded = Breaking "required_input_field_added";
    /// An input field is gone; requests that send it are refused.
    InputFieldRemoved = Breaking "input_field_removed";
    /// An input field has a type that not all former values fit.
    InputFieldTypeChanged = Breaking "input_field_type_changed";
    /// An input field takes what it took, and more.
    InputFieldTypeWidened = Safe "input_field_type_widened";
    /// An input field that may be left out means something else when it is.
    InputFieldDefaultChanged = Dangerous "input_field_default_changed";
    /// An input field lost the default without which it must be given.
    InputFieldBecameRequired = Breaking "input_field_became_required";
    /// An input takes exactly one of its fields; requests with several are refused.
    OneOfAdded = Breaking "one_of_added";
    /// An input takes any of its fields.
    OneOfRemoved = Safe "one_of_removed";

    /// A value has a limit that it did not have.
    RuleAdded = Breaking "rule_added";
    /// A limit refuses values that it let pass.
    RuleTightened = Breaking "rule_tightened";
    /// A limit lets all values pass that it let pass before, and more.
    RuleLoosened = Safe "rule_loosened";
    /// A value has a limit less.
    RuleRemoved = Safe "rule_removed";

    /// An enum that clients receive has another value; a `switch` may not know it.
    EnumValueAddedToOutput = Dangerous "enum_value_added_to_output";
    /// An enum that clients only send has another value.
    EnumValueAdded = Safe "enum_value_added";
    /// An enum that clients send lost a value; requests with it are refused.
    EnumValueRemoved = Breaking "enum_value_removed";
    /// An enum that clients only receive lost a value.
    EnumValueRemovedFromOutput = Safe "enum_value_removed_from_output";
    /// The roles have another order, so who may call what changed everywhere.
    RoleOrderChanged = Breaking "role_order_changed";
    /// An error has another HTTP status.
    ErrorStatusChanged = Dangerous "error_status_changed";
    /// An error is said in other words.
    ErrorTextChanged = Safe "error_text_changed";
    /// An error is to be answered in another way by clients.
    ErrorRetryChanged = Dangerous "error_retry_changed";

    /// Who could call a field may not any more.
    AccessRaised = Breaking "access_raised";
    /// A field may be called by people who could not.
    AccessLowered = Dangerous "access_lowered";
    /// A role is asked for on another subject.
    AccessSubjectChanged = Breaking "access_subject_changed";
    /// A field can fail in a way that clients do not know.
    ThrowsAdded = Dangerous "throws_added";
    /// A field fails in fewer ways.
    ThrowsRemoved = Safe "throws_removed";
    /// A mutation refuses states in which it was allowed.
    TransitionNarrowed = Breaking "transition_narrowed";
    /// A mutation is allowed in more states.
    TransitionWidened = Safe "transition_widened";
    /// A mutation ends in another state.
    TransitionTargetChanged = Dangerous "transition_target_changed";
    /// What a mutation leaves in the audit log changed.
    AuditChanged = Safe "audit_changed";
    /// A field may be called less often, or callers are told apart in another way.
    RateLowered = Dangerous "rate_lowered";
    /// A field may be called more often.
    RateRaised = Safe "rate_raised";
    /// A field costs more; documents that are not in the manifest may be refused.
    CostRaised = Dangerous "cost_raised";
    /// A field costs less.
    CostLowered = Safe "cost_lowered";

    /// A directive is new.
    DirectiveAdded = Safe "directive_added";
    /// A directive is gone; documents that carry it are refused.
    DirectiveRemoved = Breaking "directive_removed";
    /// A directive has another argument, which may be left out.
    DirectiveArgumentAdded = Safe "directive_argument_added";
    /// A directive has another argument, which must be given.
    RequiredDirectiveArgumentAdded = Breaking "required_directive_argument_added";
    /// A directive lost an argument.
    DirectiveArgumentRemoved = Breaking "directive_argument_removed";
    /// An argument of a directive has a type or default that not all former uses fit.
    DirectiveArgumentChanged = Breaking "directive_argument_changed";
    /// A directive cannot be repeated any more.
    DirectiveRepeatableRemoved = Breaking "directive_repeatable_removed";
    /// A directive can stand in fewer places.
    DirectiveLocationRemoved = Breaking "directive_location_removed";
    /// A directive can stand in more places, or more often.
    DirectiveWidened = Safe "directive_widened";
    /// A directive changed that only schemas carry.
    SchemaDirectiveChanged = Safe "schema_directive_changed";

    /// An operation is new.
    OperationAdded = Safe "operation_added";
    /// An operation asks differently; a server with trusted documents refuses the former text, which no release holds.
    OperationChanged = Dangerous "operation_changed";
    /// An operation asks differently, and its former text is answered for a release.
    OperationChangedReleased = Safe "operation_changed_released";
    /// An operation is gone; a server with trusted documents refuses its text, which no release holds.
    OperationRemoved = Dangerous "operation_removed";
    /// An operation is gone, and its text is answered for a release.
    OperationRemovedReleased = Safe "operation_removed_released";
    /// One execution of an operation has another cost.
    OperationCostChanged = Safe "operation_cost_changed";
    /// The documents of a release are answered from now on.
    ReleaseAdded = Safe "release_added";
    /// The documents of a release are not kept any more; its clients are refused what nobody else asks.
    ReleaseRemoved = Breaking "release_removed";
    /// A release was given up on purpose; its clients are refused what nobody else asks.
    ReleaseRetired = Dangerous "release_retired";
    /// A release holds other documents than it did.
    ReleaseChanged = Breaking "release_changed";
}
