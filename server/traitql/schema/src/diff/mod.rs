//! Changes of definitions, with their effect on clients ([`Kind`], [`Severity`]) and the remaining work on the server.
//! Descriptions and the order of definitions are ignored.

mod affected;
mod calls;
mod directives;
mod enums;
mod fields;
pub(crate) mod format;
mod inputs;
mod kind;
mod operations;
mod positions;
pub(crate) mod release_compat;
pub(crate) mod releases;

use std::fmt;

use crate::model::{Model, Object, ObjectKind, Origin, Type, TypeRef};

pub use affected::{AffectedOperation, affected_operations};
pub(crate) use calls::{Guard, access, roles};
pub(crate) use enums::reordered;
pub(crate) use fields::is_compatible_output;
pub use format::rate as format_rate;
pub(crate) use inputs::{constraints, is_compatible_input};
pub use kind::{Kind, Severity};

use format::{article, keyword};
use positions::Positions;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub sign: ChangeSign,
    /// Coordinate: `Mutation.tourArchive`, `Tour`, `@cached`, `operation Tours`.
    pub coordinate: String,
    /// The same for readers: `Mutation.tourArchive(id: ID!): Tour!`
    pub subject: String,
    /// Its effects, at least one.
    pub facts: Vec<Fact>,
    /// Position in the new model, or in the old one if it was removed.
    pub origin: Option<Origin>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub kind: Kind,
    /// Text after the subject; can be empty.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeSign {
    Added,
    Removed,
    Changed,
}

impl ChangeSign {
    pub fn as_char(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed => '~',
        }
    }
}

impl Change {
    pub fn severity(&self) -> Severity {
        self.facts
            .iter()
            .map(|fact| fact.kind.severity())
            .max()
            .unwrap_or(Severity::Safe)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.sign.as_char(), self.subject)?;
        let mut facts = self.facts.iter().filter(|fact| !fact.text.is_empty());
        facts.try_for_each(|fact| write!(f, "  {}", fact.text))
    }
}

impl Fact {
    fn without_text(kind: Kind) -> Self {
        kind.with_text("")
    }
}

impl Kind {
    fn with_text(self, text: impl Into<String>) -> Fact {
        Fact {
            kind: self,
            text: text.into(),
        }
    }
}

/// Returns all changes in the order of the new model, followed by removed items.
pub fn changes(old: &Model, new: &Model) -> Vec<Change> {
    let mut comparison = Comparison {
        old,
        new,
        positions: (Positions::of(old), Positions::of(new)),
        out: Vec::new(),
    };
    comparison.roots();
    comparison.types();
    comparison.directives();
    comparison.operations();
    comparison.releases();
    comparison.out
}

struct Comparison<'m> {
    old: &'m Model,
    new: &'m Model,
    /// The positions in the old and in the new model.
    positions: (Positions<'m>, Positions<'m>),
    out: Vec<Change>,
}

impl Comparison<'_> {
    /// Ignores a change without facts.
    fn push(&mut self, sign: ChangeSign, coordinate: &str, subject: &str, facts: Vec<Fact>, origin: &Origin) {
        self.add(sign, coordinate, subject, facts, Some(origin.clone()));
    }

    fn push_without_origin(&mut self, sign: ChangeSign, subject: &str, facts: Vec<Fact>) {
        self.add(sign, subject, subject, facts, None);
    }

    fn add(&mut self, sign: ChangeSign, coordinate: &str, subject: &str, facts: Vec<Fact>, origin: Option<Origin>) {
        if !facts.is_empty() {
            self.out.push(Change {
                sign,
                coordinate: coordinate.to_owned(),
                subject: subject.to_owned(),
                facts,
                origin,
            });
        }
    }

    fn roots(&mut self) {
        let (old, new) = (self.old, self.new);
        let roots = [
            ("query", Some(&old.query), Some(&new.query)),
            ("mutation", old.mutation.as_ref(), new.mutation.as_ref()),
            ("subscription", old.subscription.as_ref(), new.subscription.as_ref()),
        ];
        for (root, before, after) in roots {
            // The change of the root type is reported instead.
            if let (Some(before), Some(after)) = (before, after)
                && before != after
            {
                let facts = vec![Kind::RootChanged.with_text(format!("type {after}, was {before}"))];
                self.push_without_origin(ChangeSign::Changed, &format!("{root} root"), facts);
            } else if let (Some(before), None) = (before, after)
                && new.types.contains_key(before)
            {
                let facts = vec![Kind::RootChanged.with_text(format!("no root type, was {before}"))];
                self.push_without_origin(ChangeSign::Removed, &format!("{root} root"), facts);
            }
        }
    }

    fn types(&mut self) {
        let (old, new) = (self.old, self.new);
        for (name, ty) in &new.types {
            match (old.types.get(name), ty) {
                (Some(Type::Object(before)), Type::Object(after)) => self.objects(before, after),
                (Some(Type::Interface(before)), Type::Interface(after)) => {
                    let facts = interfaces(&before.implements, &after.implements);
                    self.push(ChangeSign::Changed, name, name, facts, &after.origin);
                    self.fields(name, &before.fields, &after.fields);
                }
                (Some(Type::Input(before)), Type::Input(after)) => self.inputs(before, after),
                (Some(Type::Enum(before)), Type::Enum(after)) => self.enums(before, after),
                (Some(Type::Union(before)), Type::Union(after)) => {
                    let facts = lists(&before.members, &after.members, Kind::MemberAdded, Kind::MemberRemoved);
                    self.push(ChangeSign::Changed, name, name, facts, &after.origin);
                }
                (Some(Type::Scalar(before)), Type::Scalar(after)) => {
                    let mut facts = Vec::new();
                    if before.specified_by != after.specified_by {
                        let text = match &after.specified_by {
                            Some(url) => format!("specified by {url}"),
                            None => "no longer has a specification".to_owned(),
                        };
                        facts.push(Kind::ScalarSpecificationChanged.with_text(text));
                    }
                    self.push(ChangeSign::Changed, name, name, facts, &after.origin);
                }
                (Some(before), after) => {
                    let text = format!("now {}, was {}", article(keyword(after)), article(keyword(before)));
                    let facts = vec![Kind::TypeKindChanged.with_text(text)];
                    self.push(ChangeSign::Changed, name, name, facts, after.origin());
                }
                (None, ty) => self.added_type(name, ty),
            }
        }
        for (name, ty) in old.types.iter().filter(|(name, _)| !new.types.contains_key(*name)) {
            let subject = format!("{} {name}", keyword(ty));
            self.push(
                ChangeSign::Removed,
                name,
                &subject,
                vec![Fact::without_text(Kind::TypeRemoved)],
                ty.origin(),
            );
        }
    }

    fn added_type(&mut self, name: &str, ty: &Type) {
        let is_root = matches!(
            ty,
            Type::Object(Object {
                kind: ObjectKind::Root(_),
                ..
            })
        );
        if !is_root {
            let mut facts = vec![match ty {
                Type::Enum(ty) => {
                    let values: Vec<&str> = ty.values.iter().map(|value| value.name.as_str()).collect();
                    Kind::TypeAdded.with_text(values.join(", "))
                }
                _ => Fact::without_text(Kind::TypeAdded),
            }];
            // A field that returns the interface can now return the new type.
            if let Type::Object(object) = ty {
                let known = object
                    .implements
                    .iter()
                    .filter(|name| self.old.types.contains_key(*name));
                facts.extend(known.map(|name| Kind::InterfaceAdded.with_text(format!("+{name}"))));
            }
            self.push(
                ChangeSign::Added,
                name,
                &format!("{} {name}", keyword(ty)),
                facts,
                ty.origin(),
            );
        }
        if let Type::Object(object) = ty {
            let resolved = |field: &&crate::model::Field| field.kind == crate::model::FieldKind::Resolved;
            for field in object.fields.iter().filter(resolved) {
                self.added_field(name, field);
            }
        }
    }

    fn objects(&mut self, before: &Object, after: &Object) {
        let mut facts = interfaces(&before.implements, &after.implements);
        match (before.embedded, after.embedded) {
            (false, true) => facts.push(Kind::EmbeddedChanged.with_text("now embedded in its parent")),
            (true, false) => facts.push(Kind::EmbeddedChanged.with_text("now fetched by resolvers")),
            _ => {}
        }
        self.push(ChangeSign::Changed, &after.name, &after.name, facts, &after.origin);
        self.fields(&after.name, &before.fields, &after.fields);
    }
}

fn interfaces(before: &[String], after: &[String]) -> Vec<Fact> {
    lists(before, after, Kind::InterfaceAdded, Kind::InterfaceRemoved)
}

fn lists(before: &[String], after: &[String], added_kind: Kind, removed_kind: Kind) -> Vec<Fact> {
    let added = after.iter().filter(|entry| !before.contains(entry));
    let removed = before.iter().filter(|entry| !after.contains(entry));
    added
        .map(|entry| added_kind.with_text(format!("+{entry}")))
        .chain(removed.map(|entry| removed_kind.with_text(format!("-{entry}"))))
        .collect()
}

fn deprecation(facts: &mut Vec<Fact>, before: bool, after: bool) {
    match (before, after) {
        (false, true) => facts.push(Kind::Deprecated.with_text("now deprecated")),
        (true, false) => facts.push(Kind::DeprecationRemoved.with_text("no longer deprecated")),
        _ => {}
    }
}

fn other_directives(facts: &mut Vec<Fact>, before: &str, after: &str) {
    if facts.is_empty() && before != after {
        facts.push(Kind::OtherDirectivesChanged.with_text("other directives changed"));
    }
}

fn type_text(before: &TypeRef, after: &TypeRef) -> String {
    if before.nullable() == after {
        "now nullable".to_owned()
    } else if after.nullable() == before {
        "no longer nullable".to_owned()
    } else {
        format!("now {after}, was {before}")
    }
}
