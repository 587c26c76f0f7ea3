//! What is known of an operation before it is asked: which fields of which types, what is part of a row and what has to be
//! resolved, and how the answer is spelled.
//!
//! A plan mirrors how an operation is executed. A [`LevelPlan`] stands for all objects at one response path (without indices),
//! with an [`ObjectPlan`] for each concrete type and selection that can be there. What a level has to ask of resolvers is listed by
//! response key in [`PathPlan`]s: everything of one key is asked together, and its objects are the level below.
//!
//! There is nothing conditional in a plan: `@skip` and `@include` are decided before, so an operation has a plan for each
//! combination of the variables in them that was asked for.

use std::sync::Arc;

use apollo_compiler::{Node, ast::Type, executable::Field};
use serde_json::Value;

use super::{json::Lead, selection::Selection};

/// All objects at one response path.
#[derive(Default)]
pub(crate) struct LevelPlan {
    pub(crate) groups: Vec<ObjectPlan>,
    pub(crate) paths: Vec<PathPlan>,
}

/// Objects of one concrete type that have the same selections.
pub(crate) struct ObjectPlan {
    pub(crate) type_name: &'static str,
    /// `"Tour"`, for `__typename`.
    pub(crate) quoted_name: Box<[u8]>,
    /// In the order of the answer.
    pub(crate) fields: Vec<FieldPlan>,
}

/// A field of an object.
pub(crate) struct FieldPlan {
    /// Key in the answer.
    pub(crate) key: Box<str>,
    /// `"title":`, behind a comma unless it comes first.
    pub(crate) lead: Lead,
    /// `Tour.title`
    pub(crate) coordinate: Box<str>,
    pub(crate) ty: Type,
    /// The type, as the writer asks about it.
    pub(crate) position: Position,
    pub(crate) source: Source,
    /// What is below a field that is part of its object, by concrete type.
    pub(crate) inline: Vec<ObjectPlan>,
}

/// Where the value of a field comes from.
pub(crate) enum Source {
    /// It is the name of the object's type.
    Name,
    /// It is a part of the object, with this number, that is neither a list nor an object.
    Leaf(usize),
    /// It is a part of the object, with this number, and nothing below it has to be resolved.
    Inline(usize),
    /// It is in a column: that of the entry of a path of the level.
    Column { path: usize, entry: usize },
}

/// Whether null may stand in a position, and the position of the entries of a list.
pub(crate) struct Position {
    pub(crate) non_null: bool,
    item: Option<Box<Position>>,
}

impl Position {
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

    /// The position of an entry. The entries of what is no list by the schema stand where it stands.
    pub(crate) fn item(&self) -> &Self {
        self.item.as_deref().unwrap_or(self)
    }
}

/// One response key of a level, with everything that is asked for it.
pub(crate) struct PathPlan {
    /// What is asked for it: a field of each group that has the key.
    pub(crate) entries: Vec<Entry>,
    pub(crate) below: LevelPlan,
}

/// One field of one group of a level.
pub(crate) struct Entry {
    pub(crate) group: usize,
    /// Position among the fields of the group.
    pub(crate) field: usize,
    pub(crate) ask: Ask,
    /// In which group of the level below objects of a type belong.
    pub(crate) targets: Vec<(&'static str, usize)>,
}

/// How the column of an entry is made.
pub(crate) enum Ask {
    /// It is a part of the rows, with this number; something below it has to be resolved.
    Rows(usize),
    /// A resolver is asked.
    Resolver(Asked),
}

/// What a resolver is asked.
pub(crate) struct Asked {
    /// The first selection of the field: all others have the same arguments.
    pub(crate) node: Node<Field>,
    /// The arguments as an object, where no variable is among them.
    pub(crate) constant: Option<Value>,
    /// What is selected below the field.
    pub(crate) selection: Arc<Selection>,
}

impl LevelPlan {
    /// How many fields are planned, here and below.
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
