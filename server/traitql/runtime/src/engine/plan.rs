//! The execution plan of an operation.
//!
//! A [`LevelPlan`] represents all objects at one response path (without list indices), with an [`ObjectPlan`] per
//! concrete type and selection. [`PathPlan`]s group resolver calls by response key.
//!
//! `@skip` and `@include` are evaluated before planning, so an operation has one plan for each combination of their
//! variables.

use std::sync::Arc;

use apollo_compiler::{Node, ast::Type, executable::Field};
use serde_json::Value;

use super::{json::KeyPrefix, selection::Selection};

#[derive(Default)]
pub(crate) struct LevelPlan {
    pub(crate) groups: Vec<ObjectPlan>,
    pub(crate) paths: Vec<PathPlan>,
}

pub(crate) struct ObjectPlan {
    pub(crate) type_name: &'static str,
    /// Value of `__typename`.
    pub(crate) quoted_name: Box<[u8]>,
    pub(crate) fields: Vec<FieldPlan>,
}

pub(crate) struct FieldPlan {
    pub(crate) key: Box<str>,
    /// Starts with a comma unless it is the first field.
    pub(crate) key_prefix: KeyPrefix,
    pub(crate) coordinate: Box<str>,
    pub(crate) ty: Type,
    pub(crate) nullability: Nullability,
    pub(crate) source: Source,
    /// The plans below a stored field, by concrete type.
    pub(crate) inline: Vec<ObjectPlan>,
}

pub(crate) enum Source {
    /// `__typename`.
    Name,
    /// Stored; neither a list nor an object.
    Leaf(usize),
    /// Stored; nothing below it requires a resolver.
    Inline(usize),
    /// A column of the level.
    Column { path: usize, entry: usize },
}

pub(crate) struct Nullability {
    pub(crate) non_null: bool,
    item: Option<Box<Nullability>>,
}

impl Nullability {
    pub(crate) fn new(ty: &Type) -> Self {
        let item = match ty {
            Type::List(item) | Type::NonNullList(item) => Some(Box::new(Self::new(item))),
            Type::Named(_) | Type::NonNullNamed(_) => None,
        };
        Self {
            non_null: ty.is_non_null(),
            item,
        }
    }

    /// If the schema declares no list here, the entries have the nullability of the position itself.
    pub(crate) fn item(&self) -> &Self {
        self.item.as_deref().unwrap_or(self)
    }
}

pub(crate) struct PathPlan {
    /// One field of each group that selects the key.
    pub(crate) entries: Vec<Entry>,
    pub(crate) below: LevelPlan,
}

pub(crate) struct Entry {
    pub(crate) group: usize,
    pub(crate) field: usize,
    pub(crate) source: ColumnSource,
    /// Object type to group of the level below.
    pub(crate) targets: Vec<(&'static str, usize)>,
}

pub(crate) enum ColumnSource {
    /// Stored; something below it requires a resolver.
    Rows(usize),
    Resolver(ResolverCall),
}

pub(crate) struct ResolverCall {
    /// The first selection; all others have the same arguments.
    pub(crate) node: Node<Field>,
    /// The arguments, if they contain no variables.
    pub(crate) constant: Option<Value>,
    pub(crate) selection: Arc<Selection>,
}

impl LevelPlan {
    pub(crate) fn size(&self) -> usize {
        let groups: usize = self.groups.iter().map(ObjectPlan::size).sum();
        groups + self.paths.iter().map(|path| path.below.size()).sum::<usize>()
    }
}

impl ObjectPlan {
    fn size(&self) -> usize {
        let below = |field: &FieldPlan| 1 + field.inline.iter().map(Self::size).sum::<usize>();
        self.fields.iter().map(below).sum()
    }
}
