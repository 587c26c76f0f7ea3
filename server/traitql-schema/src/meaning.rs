//! What a change means: two models compared, in lines for people.
//!
//! Says what callers can see, and what is left to do for the server: a field that gets a resolver names the trait. Texts
//! (descriptions) and the order of definitions mean nothing and are passed over.

mod words;

use std::fmt;

use crate::model::{
    Access, Enum, Field, FieldKind, InputObject, InputValue, Model, Object, ObjectKind, Operation, Rule, Type, TypeRef,
};

use words::{access, article, default, keyword, rate, resolver, rule, signature, text, transition};

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub sign: Sign,
    /// To what: `Mutation.tourArchive(id: ID!): Tour!`
    pub subject: String,
    /// What it means, one fact each.
    pub facts: Vec<String>,
}

/// What happened to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is different.
    Changed,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.sign {
            Sign::Added => '+',
            Sign::Removed => '-',
            Sign::Changed => '~',
        };
        write!(f, "{sign} {}", self.subject)?;
        self.facts.iter().try_for_each(|fact| write!(f, "  {fact}"))
    }
}

/// Everything that is different, in the order of the new model; what is gone follows.
pub fn changes(old: &Model, new: &Model) -> Vec<Change> {
    let mut out = Vec::new();
    for (name, ty) in &new.types {
        match (old.types.get(name), ty) {
            (Some(Type::Object(before)), Type::Object(after)) => objects((old, before), (new, after), &mut out),
            (Some(Type::Interface(before)), Type::Interface(after)) => {
                fields(old, new, name, (&before.fields, &after.fields), &mut out);
            }
            (Some(Type::Input(before)), Type::Input(after)) => inputs(before, after, &mut out),
            (Some(Type::Enum(before)), Type::Enum(after)) => enums((old, before), (new, after), &mut out),
            (Some(Type::Union(before)), Type::Union(after)) => {
                let facts = lists(&before.members, &after.members);
                push(&mut out, Sign::Changed, name, facts);
            }
            (Some(Type::Scalar(_)), Type::Scalar(_)) => {}
            (Some(before), after) => {
                let fact = format!("was {}, is {}", article(keyword(before)), article(keyword(after)));
                out.push(change(Sign::Changed, name, vec![fact]));
            }
            (None, ty) => added_type(new, name, ty, &mut out),
        }
    }
    for (name, ty) in old.types.iter().filter(|(name, _)| !new.types.contains_key(*name)) {
        out.push(change(Sign::Removed, &format!("{} {name}", keyword(ty)), Vec::new()));
    }
    operations(&old.operations, &new.operations, &mut out);
    out
}

fn change(sign: Sign, subject: &str, facts: Vec<String>) -> Change {
    Change {
        sign,
        subject: subject.to_owned(),
        facts,
    }
}

fn push(out: &mut Vec<Change>, sign: Sign, subject: &str, facts: Vec<String>) {
    if !facts.is_empty() {
        out.push(change(sign, subject, facts));
    }
}

fn added_type(model: &Model, name: &str, ty: &Type, out: &mut Vec<Change>) {
    let is_root = matches!(
        ty,
        Type::Object(Object {
            kind: ObjectKind::Root(_),
            ..
        })
    );
    if !is_root {
        let facts = match ty {
            Type::Enum(ty) => vec![
                ty.values
                    .iter()
                    .map(|value| value.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
            ],
            _ => Vec::new(),
        };
        out.push(change(Sign::Added, &format!("{} {name}", keyword(ty)), facts));
    }
    if let Type::Object(object) = ty {
        let resolved = object.fields.iter().filter(|field| field.kind == FieldKind::Resolved);
        out.extend(resolved.map(|field| added_field(model, name, field)));
    }
}

fn objects((old, before): (&Model, &Object), (new, after): (&Model, &Object), out: &mut Vec<Change>) {
    let mut facts = lists(&before.implements, &after.implements);
    if before.embedded != after.embedded {
        let embedded = if after.embedded {
            "lives inside its parent now"
        } else {
            "is fetched by resolvers now"
        };
        facts.push(embedded.to_owned());
    }
    push(out, Sign::Changed, &after.name, facts);
    fields(old, new, &after.name, (&before.fields, &after.fields), out);
}

fn fields(old: &Model, new: &Model, ty: &str, (before, after): (&[Field], &[Field]), out: &mut Vec<Change>) {
    for field in after {
        match before.iter().find(|candidate| candidate.name == field.name) {
            None => out.push(added_field(new, ty, field)),
            Some(earlier) => {
                let facts = field_facts(earlier, field, &resolver(ty, field));
                push(out, Sign::Changed, &format!("{ty}.{}", field.name), facts);
            }
        }
    }
    for field in before
        .iter()
        .filter(|field| !after.iter().any(|candidate| candidate.name == field.name))
    {
        let facts = match is_resolved(old, ty, field) {
            true => vec![format!("its resolver can go: impl {}", resolver(ty, field))],
            false => Vec::new(),
        };
        out.push(change(Sign::Removed, &format!("{ty}.{}", field.name), facts));
    }
}

fn added_field(model: &Model, ty: &str, field: &Field) -> Change {
    let mut facts: Vec<String> = field.access.iter().map(access).collect();
    match (is_resolved(model, ty, field), &model.types[ty]) {
        (true, _) => facts.push(format!("needs a resolver: impl {}", resolver(ty, field))),
        (false, Type::Object(_)) => facts.push(format!("is a field of the struct {ty}")),
        _ => {}
    }
    change(Sign::Added, &format!("{ty}.{}", signature(field)), facts)
}

/// Only fields of object types have resolvers; interfaces are answered by their members.
fn is_resolved(model: &Model, ty: &str, field: &Field) -> bool {
    field.kind == FieldKind::Resolved && matches!(model.types.get(ty), Some(Type::Object(_)))
}

fn field_facts(before: &Field, after: &Field, resolver: &str) -> Vec<String> {
    let mut facts = Vec::new();
    if before.ty != after.ty {
        facts.push(type_fact(&before.ty, &after.ty));
    }
    match (before.kind, after.kind) {
        (FieldKind::Data, FieldKind::Resolved) => facts.push(format!("needs a resolver: impl {resolver}")),
        (FieldKind::Resolved, FieldKind::Data) => {
            facts.push(format!("is a field of the struct now; impl {resolver} can go"))
        }
        _ => {}
    }
    for argument in &after.args {
        match before.args.iter().find(|candidate| candidate.name == argument.name) {
            None => facts.push(format!(
                "new argument {}: {}{}",
                argument.name,
                argument.ty,
                default(argument)
            )),
            Some(earlier) => {
                let inner = input_facts(earlier, argument);
                facts.extend(
                    inner
                        .into_iter()
                        .map(|fact| format!("argument {} {fact}", argument.name)),
                );
            }
        }
    }
    let gone = before
        .args
        .iter()
        .filter(|argument| !after.args.iter().any(|candidate| candidate.name == argument.name));
    facts.extend(gone.map(|argument| format!("without the argument {}", argument.name)));
    if let (Some(was), Some(is)) = (&before.access, &after.access)
        && access_text(was, before) != access_text(is, after)
    {
        facts.push(format!("{} may call it, before {}", access(is), access(was)));
    }
    let throws = lists(&before.throws, &after.throws);
    facts.extend(throws.into_iter().map(|fact| format!("throws {fact}")));
    optional(
        &mut facts,
        "transition",
        before.transition.as_ref().map(transition),
        after.transition.as_ref().map(transition),
    );
    optional(
        &mut facts,
        "audit action",
        before.audited.clone(),
        after.audited.clone(),
    );
    optional(
        &mut facts,
        "rate",
        before.rate.as_ref().map(rate),
        after.rate.as_ref().map(rate),
    );
    if before.cost != after.cost && before.kind == after.kind {
        let cost = |field: &Field| match &field.cost.times {
            Some(times) => format!("{} × {times}", field.cost.value),
            None => field.cost.value.to_string(),
        };
        facts.push(format!("cost {}, before {}", cost(after), cost(before)));
    }
    deprecation(&mut facts, before.deprecated.is_some(), after.deprecated.is_some());
    facts
}

/// Access with its path, so that a change of the path counts too; indices of subjects differ between models.
fn access_text(access: &Access, field: &Field) -> String {
    match access {
        Access::Role { role, path, .. } => {
            let of = field
                .sdl
                .split("of: \"")
                .nth(1)
                .and_then(|rest| rest.split('"').next())
                .unwrap_or_default();
            format!("{role} {of} {}", path.join("."))
        }
        other => format!("{other:?}"),
    }
}

fn inputs(before: &InputObject, after: &InputObject, out: &mut Vec<Change>) {
    if before.one_of != after.one_of {
        let fact = if after.one_of {
            "takes exactly one of its fields now"
        } else {
            "takes any of its fields now"
        };
        out.push(change(Sign::Changed, &after.name, vec![fact.to_owned()]));
    }
    for field in &after.fields {
        let subject = format!("{}.{}", after.name, field.name);
        match before.fields.iter().find(|candidate| candidate.name == field.name) {
            None => {
                let required = field.ty.is_non_null() && field.default.is_none();
                let facts = if required {
                    vec!["every caller must send it".to_owned()]
                } else {
                    Vec::new()
                };
                out.push(change(
                    Sign::Added,
                    &format!("{subject}: {}{}", field.ty, default(field)),
                    facts,
                ));
            }
            Some(earlier) => push(out, Sign::Changed, &subject, input_facts(earlier, field)),
        }
    }
    let gone = before
        .fields
        .iter()
        .filter(|field| !after.fields.iter().any(|candidate| candidate.name == field.name));
    out.extend(gone.map(|field| change(Sign::Removed, &format!("{}.{}", after.name, field.name), Vec::new())));
}

fn input_facts(before: &InputValue, after: &InputValue) -> Vec<String> {
    let mut facts = Vec::new();
    if before.ty != after.ty {
        facts.push(type_fact(&before.ty, &after.ty));
    }
    if before.default != after.default {
        facts.push(match &after.default {
            Some(value) => format!("default {}", text(value)),
            None => "without a default".to_owned(),
        });
    }
    let kind = std::mem::discriminant::<Rule>;
    for limit in after.rules.iter().filter(|limit| !before.rules.contains(limit)) {
        let earlier = before.rules.iter().find(|earlier| kind(earlier) == kind(limit));
        let earlier = earlier.map_or_else(String::new, |earlier| format!(", before {}", rule(earlier)));
        facts.push(format!("must have {}{earlier}", rule(limit)));
    }
    for limit in before
        .rules
        .iter()
        .filter(|limit| !after.rules.iter().any(|later| kind(later) == kind(limit)))
    {
        facts.push(format!("need not have {} any more", rule(limit)));
    }
    deprecation(&mut facts, before.deprecated.is_some(), after.deprecated.is_some());
    facts
}

fn enums((old, before): (&Model, &Enum), (new, after): (&Model, &Enum), out: &mut Vec<Change>) {
    let is_errors = new.error_enum.as_ref() == Some(&after.name);
    for value in &after.values {
        let subject = format!("{}.{}", after.name, value.name);
        let error = |model: &Model| {
            let error = model.errors.iter().find(|error| is_errors && error.code == value.name);
            error.map(|error| format!("{} “{}” {}", error.http, error.say, error.retry))
        };
        match before.values.iter().find(|candidate| candidate.name == value.name) {
            None => out.push(change(Sign::Added, &subject, error(new).into_iter().collect())),
            Some(earlier) => {
                let mut facts = Vec::new();
                if error(old) != error(new) {
                    facts.extend(error(new));
                }
                deprecation(&mut facts, earlier.deprecated.is_some(), value.deprecated.is_some());
                push(out, Sign::Changed, &subject, facts);
            }
        }
    }
    let gone = before
        .values
        .iter()
        .filter(|value| !after.values.iter().any(|candidate| candidate.name == value.name));
    out.extend(gone.map(|value| change(Sign::Removed, &format!("{}.{}", after.name, value.name), Vec::new())));
    let order = |ty: &Enum, other: &Enum| {
        let names = ty.values.iter().map(|value| value.name.clone());
        names
            .filter(|name| other.values.iter().any(|value| value.name == *name))
            .collect::<Vec<_>>()
    };
    if new.role_enum.as_ref() == Some(&after.name) && order(before, after) != order(after, before) {
        let fact = format!("lowest first: {}", order(after, before).join(" < "));
        out.push(change(Sign::Changed, &after.name, vec![fact]));
    }
}

fn operations(before: &[Operation], after: &[Operation], out: &mut Vec<Change>) {
    for operation in after {
        let subject = format!("operation {}", operation.name);
        match before.iter().find(|candidate| candidate.name == operation.name) {
            None => out.push(change(
                Sign::Added,
                &format!("{subject} (cost {})", operation.cost),
                Vec::new(),
            )),
            Some(earlier) => {
                let mut facts = Vec::new();
                if earlier.body != operation.body {
                    facts.push("asks differently".to_owned());
                }
                if earlier.cost != operation.cost {
                    facts.push(format!("cost {}, before {}", operation.cost, earlier.cost));
                }
                push(out, Sign::Changed, &subject, facts);
            }
        }
    }
    let gone = before
        .iter()
        .filter(|operation| !after.iter().any(|candidate| candidate.name == operation.name));
    out.extend(gone.map(|operation| change(Sign::Removed, &format!("operation {}", operation.name), Vec::new())));
}

/// What joined and what left a list.
fn lists(before: &[String], after: &[String]) -> Vec<String> {
    let added = after
        .iter()
        .filter(|entry| !before.contains(entry))
        .map(|entry| format!("+{entry}"));
    let removed = before
        .iter()
        .filter(|entry| !after.contains(entry))
        .map(|entry| format!("-{entry}"));
    added.chain(removed).collect()
}

fn optional(facts: &mut Vec<String>, what: &str, before: Option<String>, after: Option<String>) {
    match (before, after) {
        (before, after) if before == after => {}
        (_, Some(after)) => facts.push(format!("{what} {after}")),
        (_, None) => facts.push(format!("no {what} any more")),
    }
}

fn deprecation(facts: &mut Vec<String>, before: bool, after: bool) {
    match (before, after) {
        (false, true) => facts.push("now deprecated".to_owned()),
        (true, false) => facts.push("no longer deprecated".to_owned()),
        _ => {}
    }
}

fn type_fact(before: &TypeRef, after: &TypeRef) -> String {
    match () {
        () if before.nullable() == after => "now nullable".to_owned(),
        () if after.nullable() == before => "never null any more".to_owned(),
        () => format!("is {after}, before {before}"),
    }
}
