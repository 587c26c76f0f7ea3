use super::{Origin, TypeRef, Value};

/// A fragment definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Fragment {
    pub name: String,
    /// Its type condition.
    pub on: String,
    pub selections: Vec<Selection>,
    pub origin: Origin,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Selection {
    Field(SelectedField),
    /// `...TourRow_tour`
    Spread {
        fragment: String,
        conditions: Vec<Condition>,
    },
    /// `... on Tour { … }`
    Inline {
        on: String,
        selections: Vec<Selection>,
        conditions: Vec<Condition>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct SelectedField {
    pub name: String,
    pub alias: Option<String>,
    pub ty: TypeRef,
    pub arguments: Vec<(String, Argument)>,
    pub conditions: Vec<Condition>,
    /// Empty for leaf types.
    pub selections: Vec<Selection>,
}

impl SelectedField {
    /// Returns the key of the field in a response.
    pub fn response_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

/// `@skip` or `@include`.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub directive: String,
    pub value: Argument,
}

/// A value that can contain variables.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    Variable(String),
    List(Vec<Argument>),
    Object(Vec<(String, Argument)>),
    /// Neither a list nor an object.
    Constant(Value),
}

impl Argument {
    pub fn has_variables(&self) -> bool {
        match self {
            Self::Variable(_) => true,
            Self::List(items) => items.iter().any(Self::has_variables),
            Self::Object(fields) => fields.iter().any(|(_, value)| value.has_variables()),
            Self::Constant(_) => false,
        }
    }
}
