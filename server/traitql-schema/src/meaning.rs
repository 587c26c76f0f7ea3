//! What a change means: two models compared, in lines for people.
//!
//! Says what clients that exist notice ([`Kind`], [`Severity`]), and what is left to do for the server: a field that gets a
//! resolver names the trait. Texts (descriptions) and the order of definitions mean nothing and are passed over.

mod calls;
mod directives;
mod enums;
mod fields;
mod inputs;
mod kind;
mod operations;
mod positions;
mod touch;
pub(crate) mod words;

use std::fmt;

use crate::model::{Model, Object, ObjectKind, Origin, Type, TypeRef};

pub(crate) use calls::{Gate, access, roles};
pub(crate) use enums::reordered;
pub(crate) use fields::promises_all_of;
pub(crate) use inputs::{limits, takes_all_of};
pub use kind::{Kind, Severity};
pub use touch::{Touched, touched};
pub use words::rate as rate_text;

use positions::Positions;
use words::{article, keyword};

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub sign: Sign,
    /// To what: `Mutation.tourArchive`, `Tour`, `@cached`, `operation Tours`.
    pub coordinate: String,
    /// The same for people: `Mutation.tourArchive(id: ID!): Tour!`
    pub subject: String,
    /// What it means, at least one fact.
    pub facts: Vec<Fact>,
    /// Where it stands in the new model, or stood in the old one; nothing for what stands in no file.
    pub origin: Option<Origin>,
}

/// One thing that a difference means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// The kind of change.
    pub kind: Kind,
    /// What is to be said beside the subject; empty when the kind says it all.
    pub text: String,
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

impl Sign {
    /// `+`, `-` or `~`.
    pub fn as_char(self) -> char {
        match self {
            Sign::Added => '+',
            Sign::Removed => '-',
            Sign::Changed => '~',
        }
    }
}

impl Change {
    /// The gravest of its facts.
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
        let mut said = self.facts.iter().filter(|fact| !fact.text.is_empty());
        said.try_for_each(|fact| write!(f, "  {}", fact.text))
    }
}

impl Fact {
    /// A fact whose kind says it all.
    fn bare(kind: Kind) -> Self {
        kind.says("")
    }
}

impl Kind {
    fn says(self, text: impl Into<String>) -> Fact {
        Fact {
            kind: self,
            text: text.into(),
        }
    }
}

/// Everything that is different, in the order of the new model; what is gone follows.
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

/// A comparison under way.
struct Comparison<'m> {
    old: &'m Model,
    new: &'m Model,
    /// Of the old and of the new model.
    positions: (Positions<'m>, Positions<'m>),
    out: Vec<Change>,
}

impl Comparison<'_> {
    /// Adds a change, unless there is nothing to say about it.
    fn push(&mut self, sign: Sign, coordinate: &str, subject: &str, facts: Vec<Fact>, origin: &Origin) {
        self.add(sign, coordinate, subject, facts, Some(origin.clone()));
    }

    fn push_nowhere(&mut self, sign: Sign, subject: &str, facts: Vec<Fact>) {
        self.add(sign, subject, subject, facts, None);
    }

    fn add(&mut self, sign: Sign, coordinate: &str, subject: &str, facts: Vec<Fact>, origin: Option<Origin>) {
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
            // A root that is new, or gone with its type, is told by its type.
            if let (Some(before), Some(after)) = (before, after)
                && before != after
            {
                let facts = vec![Kind::RootChanged.says(format!("is the type {after}, before {before}"))];
                self.push_nowhere(Sign::Changed, &format!("{root} root"), facts);
            } else if let (Some(before), None) = (before, after)
                && new.types.contains_key(before)
            {
                let facts = vec![Kind::RootChanged.says(format!("was the type {before}, is none"))];
                self.push_nowhere(Sign::Removed, &format!("{root} root"), facts);
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
                    self.push(Sign::Changed, name, name, facts, &after.origin);
                    self.fields(name, &before.fields, &after.fields);
                }
                (Some(Type::Input(before)), Type::Input(after)) => self.inputs(before, after),
                (Some(Type::Enum(before)), Type::Enum(after)) => self.enums(before, after),
                (Some(Type::Union(before)), Type::Union(after)) => {
                    let facts = lists(&before.members, &after.members, Kind::MemberAdded, Kind::MemberRemoved);
                    self.push(Sign::Changed, name, name, facts, &after.origin);
                }
                (Some(Type::Scalar(before)), Type::Scalar(after)) => {
                    let mut facts = Vec::new();
                    if before.specified_by != after.specified_by {
                        let url = after.specified_by.as_deref().unwrap_or("nothing");
                        facts.push(Kind::ScalarSpecificationChanged.says(format!("is specified by {url}")));
                    }
                    self.push(Sign::Changed, name, name, facts, &after.origin);
                }
                (Some(before), after) => {
                    let text = format!("was {}, is {}", article(keyword(before)), article(keyword(after)));
                    let facts = vec![Kind::TypeKindChanged.says(text)];
                    self.push(Sign::Changed, name, name, facts, after.origin());
                }
                (None, ty) => self.added_type(name, ty),
            }
        }
        for (name, ty) in old.types.iter().filter(|(name, _)| !new.types.contains_key(*name)) {
            let subject = format!("{} {name}", keyword(ty));
            self.push(
                Sign::Removed,
                name,
                &subject,
                vec![Fact::bare(Kind::TypeRemoved)],
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
                    Kind::TypeAdded.says(values.join(", "))
                }
                _ => Fact::bare(Kind::TypeAdded),
            }];
            // What answers with the interface today can answer with the new type.
            if let Type::Object(object) = ty {
                let known = object
                    .implements
                    .iter()
                    .filter(|name| self.old.types.contains_key(*name));
                facts.extend(known.map(|name| Kind::InterfaceAdded.says(format!("+{name}"))));
            }
            self.push(
                Sign::Added,
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
            (false, true) => facts.push(Kind::EmbeddedChanged.says("lives inside its parent now")),
            (true, false) => facts.push(Kind::EmbeddedChanged.says("is fetched by resolvers now")),
            _ => {}
        }
        self.push(Sign::Changed, &after.name, &after.name, facts, &after.origin);
        self.fields(&after.name, &before.fields, &after.fields);
    }
}

fn interfaces(before: &[String], after: &[String]) -> Vec<Fact> {
    lists(before, after, Kind::InterfaceAdded, Kind::InterfaceRemoved)
}

/// What joined and what left a list.
fn lists(before: &[String], after: &[String], joined: Kind, left: Kind) -> Vec<Fact> {
    let added = after.iter().filter(|entry| !before.contains(entry));
    let removed = before.iter().filter(|entry| !after.contains(entry));
    added
        .map(|entry| joined.says(format!("+{entry}")))
        .chain(removed.map(|entry| left.says(format!("-{entry}"))))
        .collect()
}

fn deprecation(facts: &mut Vec<Fact>, before: bool, after: bool) {
    match (before, after) {
        (false, true) => facts.push(Kind::Deprecated.says("now deprecated")),
        (true, false) => facts.push(Kind::DeprecationRemoved.says("no longer deprecated")),
        _ => {}
    }
}

/// A definition that nothing was said about, and that is still written differently, carries other directives.
fn other_directives(facts: &mut Vec<Fact>, before: &str, after: &str) {
    if facts.is_empty() && before != after {
        facts.push(Kind::OtherDirectivesChanged.says("carries other directives"));
    }
}

fn type_text(before: &TypeRef, after: &TypeRef) -> String {
    match () {
        () if before.nullable() == after => "now nullable".to_owned(),
        () if after.nullable() == before => "never null any more".to_owned(),
        () => format!("is {after}, before {before}"),
    }
}
