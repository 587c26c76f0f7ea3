//! `@transition`, `@audited`, `@cost`, `@rate`, `@resolve` and `@embedded`.

use apollo_compiler::ast::{Directive, DirectiveList, FieldDefinition};
use apollo_compiler::schema::{EnumType, ExtendedType, ObjectType};
use apollo_compiler::{Name, Node};

use super::{Lower, argument, constraints, paths};
use crate::diagnostics::code;
use crate::diagnostics::suggest::did_you_mean_one_of;
use crate::model::{Constraint, Cost, FieldKind, ObjectKind, Rate, RateBy, RootKind, Transition};

impl Lower<'_> {
    pub(super) fn transition(
        &mut self,
        parent: &Name,
        root: Option<RootKind>,
        field: &Node<FieldDefinition>,
    ) -> Option<Transition> {
        let directive = field.directives.get("transition")?;
        self.require_mutation(parent, root, field, directive);
        let of = argument(self.schema, directive, "of")?;
        let enum_name = of.as_str()?;
        let Some(states) = self.schema.get_enum(enum_name) else {
            let enums = self
                .schema
                .types
                .iter()
                .filter(|(_, ty)| ty.is_enum() && !ty.is_built_in());
            let enums: Vec<&str> = enums.map(|(name, _)| name.as_str()).collect();
            let help = did_you_mean_one_of(enum_name, &enums, "the enums are");
            let message = format!("`of` refers to `{enum_name}`, which is not an enum");
            self.out
                .report(code::TRANSITION_ENUM, of.location(), message)
                .help(help);
            return None;
        };
        let states = states.clone();
        let from = argument(self.schema, directive, "from")?;
        let items = from.as_list().unwrap_or_default();
        if items.is_empty() {
            let message = "`from` is empty, so the transition can never happen";
            self.out
                .report(code::TRANSITION_STATE, from.location(), message)
                .help(format!("list values of `{enum_name}`"));
        }
        let from = items.iter().filter_map(|item| self.state(&states, item)).collect();
        let to = argument(self.schema, directive, "to")?;
        let to = self.state(&states, to)?;
        Some(Transition {
            of: enum_name.to_owned(),
            from,
            to,
        })
    }

    fn state(&mut self, states: &EnumType, value: &Node<apollo_compiler::ast::Value>) -> Option<String> {
        let name = value.as_str()?;
        if !states.values.contains_key(name) {
            let values: Vec<&str> = states.values.keys().map(|state| state.as_str()).collect();
            let help = did_you_mean_one_of(name, &values, "available values:");
            let message = format!("`{name}` is not a value of enum `{}`", states.name);
            self.out
                .report(code::TRANSITION_STATE, value.location(), message)
                .help(help);
            return None;
        }
        Some(name.to_owned())
    }

    pub(super) fn audited(
        &mut self,
        parent: &Name,
        root: Option<RootKind>,
        field: &Node<FieldDefinition>,
    ) -> Option<String> {
        let directive = field.directives.get("audited")?;
        self.require_mutation(parent, root, field, directive);
        let action = argument(self.schema, directive, "action")?;
        let text = action.as_str()?;
        if !is_action(text) {
            let message = match text.trim() {
                "" => "the action of `@audited` is empty".to_owned(),
                _ => format!("invalid action `{text}` of `@audited`"),
            };
            self.out
                .report(code::AUDIT_ACTION, action.location(), message)
                .help("use a noun and a verb in lowercase, separated by a dot, such as `\"tour.release\"`");
        }
        Some(text.to_owned())
    }

    fn require_mutation(
        &mut self,
        parent: &Name,
        root: Option<RootKind>,
        field: &FieldDefinition,
        directive: &Node<Directive>,
    ) {
        if root != Some(RootKind::Mutation) {
            let message = format!(
                "`@{}` is only allowed on mutations, not on `{parent}.{}`",
                directive.name, field.name
            );
            self.out
                .report(code::ONLY_MUTATIONS, directive.location(), message)
                .help("remove it; only fields of the mutation root change data");
        }
    }

    pub(super) fn cost(&mut self, parent: &Name, kind: FieldKind, field: &Node<FieldDefinition>) -> Cost {
        let Some(directive) = field.directives.get("cost") else {
            return Cost {
                value: u32::from(kind == FieldKind::Resolved),
                times: None,
            };
        };
        if kind == FieldKind::Data {
            let message = format!(
                "`@cost` has no effect on `{parent}.{}`, which has no resolver",
                field.name
            );
            self.out
                .report(code::DATA_FIELD_DIRECTIVE, directive.location(), message)
                .help("remove it, or add `@resolve` to give the field a resolver");
        }
        let value = argument(self.schema, directive, "value");
        let number = value.and_then(|value| value.to_i32()).unwrap_or(1);
        if number < 0 {
            let message = format!("the cost is negative: {number}");
            self.out
                .report(code::COST_NEGATIVE, value.and_then(|v| v.location()), message)
                .help("use 0 or more");
        }
        let times = argument(self.schema, directive, "times").and_then(|times| {
            let name = times.as_str()?;
            let Some(arg) = field.arguments.iter().find(|arg| arg.name == name) else {
                let names: Vec<&str> = field.arguments.iter().map(|arg| arg.name.as_str()).collect();
                let help = did_you_mean_one_of(name, &names, "available arguments:");
                let message = format!(
                    "`times` refers to `{name}`, which is not an argument of `{parent}.{}`",
                    field.name
                );
                self.out.report(code::COST_TIMES, times.location(), message).help(help);
                return None;
            };
            if arg.ty.is_list() || arg.ty.inner_named_type() != "Int" {
                let message = format!(
                    "`times` refers to `{name}`, which has type `{}` instead of `Int`",
                    arg.ty
                );
                self.out
                    .report(code::COST_TIMES, times.location(), message)
                    .note(arg.name.location(), "declared here")
                    .help("name the argument that limits the number of entries");
                return None;
            }
            let rules = constraints::lower_unchecked(self.schema, arg);
            let bounded = rules
                .iter()
                .any(|rule| matches!(rule, Constraint::Range { max: Some(_), .. }));
            if !bounded || !(arg.ty.is_non_null() || arg.default_value.is_some()) {
                let message = format!("the cost of `{parent}.{}` has no upper bound", field.name);
                self.out
                    .report(code::COST_UNBOUNDED, arg.name.location(), message)
                    .note(times.location(), "the cost is multiplied by this argument")
                    .help(format!(
                        "limit the argument: `{name}: Int! = 20 @range(min: 1, max: 100)`"
                    ));
            }
            Some(name.to_owned())
        });
        Cost {
            value: u32::try_from(number).unwrap_or(0),
            times,
        }
    }

    pub(super) fn rate(
        &mut self,
        parent: &Name,
        root: Option<RootKind>,
        field: &Node<FieldDefinition>,
    ) -> Option<Rate> {
        let directive = field.directives.get("rate")?;
        if root.is_none() {
            let message = format!(
                "`@rate` is only allowed on root fields, not on `{parent}.{}`",
                field.name
            );
            self.out
                .report(code::RATE_MISPLACED, directive.location(), message)
                .help("limit the root fields that lead here");
        }
        let limit_value = argument(self.schema, directive, "limit")?;
        let limit = limit_value.to_i32()?;
        if limit < 1 {
            self.out
                .report(
                    code::RATE_LIMIT,
                    limit_value.location(),
                    format!("a limit of {limit} rejects every call"),
                )
                .help("use 1 or more");
        }
        let window_seconds = match argument(self.schema, directive, "per")?.as_enum()?.as_str() {
            "SECOND" => 1,
            "MINUTE" => 60,
            _ => 3600,
        };
        let by_value = argument(self.schema, directive, "by")?;
        let path = argument(self.schema, directive, "argument");
        let by = match (by_value.as_enum()?.as_str(), path) {
            ("ARGUMENT", None) => {
                self.out
                    .report(
                        code::RATE_ARGUMENT,
                        directive.location(),
                        "`by: ARGUMENT` requires `argument`",
                    )
                    .help("add `argument: \"input.id\"`, the path of the argument that identifies callers");
                return None;
            }
            ("ARGUMENT", Some(path)) => match paths::resolve(self.schema, field, path.as_str()?) {
                Ok(path) => RateBy::Argument(path.parts),
                Err(invalid) => {
                    let message = format!("invalid path in `argument`: {}", invalid.message);
                    self.out
                        .report(code::RATE_ARGUMENT, path.location(), message)
                        .help(invalid.help);
                    return None;
                }
            },
            (other, Some(path)) => {
                self.out
                    .report(
                        code::RATE_ARGUMENT,
                        path.location(),
                        format!("`argument` has no effect with `by: {other}`"),
                    )
                    .help("remove it, or use `by: ARGUMENT`");
                return None;
            }
            ("ADDRESS", None) => RateBy::Address,
            _ => RateBy::Account,
        };
        let open = self.options.allows(code::ACCESS_MISSING) && !field.directives.has("auth");
        if by == RateBy::Account && (open || field.directives.has("public")) {
            let message = format!(
                "`{parent}.{}` is public, so its callers cannot be counted by account",
                field.name
            );
            self.out
                .report(code::RATE_ACCOUNT, directive.location(), message)
                .help("use `by: ADDRESS`, or `by: ARGUMENT` with `argument`");
        }
        Some(Rate {
            limit: u32::try_from(limit).unwrap_or(0),
            window_seconds,
            by,
        })
    }

    pub(super) fn check_resolve(
        &mut self,
        parent: &Name,
        root: Option<RootKind>,
        kind: FieldKind,
        field: &Node<FieldDefinition>,
    ) {
        let Some(directive) = field.directives.get("resolve") else {
            return;
        };
        let reason = if root.is_some() {
            "root fields always have one"
        } else if !field.arguments.is_empty() {
            "fields with arguments always have one"
        } else if !self.is_stored_in_parent(field) {
            "its type is an object type that is not `@embedded`"
        } else if kind == FieldKind::Data {
            "the resolver of the connection returns the whole page"
        } else {
            return;
        };
        let verdict = if kind == FieldKind::Data {
            "cannot have a resolver"
        } else {
            "already has a resolver"
        };
        let message = format!("`@resolve` on `{parent}.{}`, which {verdict}: {reason}", field.name);
        self.out
            .report(code::RESOLVE_MISPLACED, directive.location(), message)
            .help("remove it");
    }

    pub(super) fn check_embedded_object(&mut self, object: &ObjectType, kind: &ObjectKind) {
        let Some(directive) = object.directives.get("embedded") else {
            return;
        };
        if matches!(
            kind,
            ObjectKind::Root(_) | ObjectKind::Connection { .. } | ObjectKind::Edge { .. }
        ) {
            let what = if matches!(kind, ObjectKind::Root(_)) {
                "a root type"
            } else {
                "a part of a connection"
            };
            self.out
                .report(
                    code::EMBEDDED_MISPLACED,
                    directive.location(),
                    format!("`@embedded` is not allowed on `{}`, which is {what}", object.name),
                )
                .help("remove it");
        }
    }

    pub(super) fn check_embedded_members(&mut self, name: &Name, embedded: bool, directives: &DirectiveList) {
        let members: Vec<Name> = match &self.schema.types[name] {
            ExtendedType::Union(union) => union.members.iter().map(|member| (**member).clone()).collect(),
            _ => {
                let implementers = self.schema.implementers_map();
                implementers
                    .get(name)
                    .map(|found| found.objects.iter().cloned().collect())
                    .unwrap_or_default()
            }
        };
        for member in members {
            let Some(object) = self.schema.get_object(&member) else {
                continue;
            };
            if embedded && !object.directives.has("embedded") {
                let at = directives.get("embedded").and_then(|directive| directive.location());
                let message = format!("`{name}` is `@embedded`, but its member `{member}` is not");
                self.out
                    .report(code::EMBEDDED_MEMBER, at, message)
                    .note(object.name.location(), "values of this type need a resolver")
                    .help(format!("add `@embedded` to `{member}`, or remove it from `{name}`"));
            }
        }
    }
}

/// True if the text is a valid action of the audit log: `tour.release`, `site.key.rotate`.
fn is_action(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word
                .chars()
                .all(|ch| ch.is_ascii_lowercase() || ch.is_ascii_digit() || matches!(ch, '_' | '-'))
    };
    text.contains('.') && text.split('.').all(is_word)
}
