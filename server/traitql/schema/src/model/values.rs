#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeRef {
    /// `T`
    Named(String),
    /// `[T]`
    List(Box<TypeRef>),
    /// `T!`
    NonNull(Box<TypeRef>),
}

impl TypeRef {
    pub fn name(&self) -> &str {
        match self {
            TypeRef::Named(name) => name,
            TypeRef::List(inner) | TypeRef::NonNull(inner) => inner.name(),
        }
    }

    /// Returns the type without its outermost `!`.
    pub fn nullable(&self) -> &TypeRef {
        match self {
            TypeRef::NonNull(inner) => inner,
            other => other,
        }
    }

    pub fn is_non_null(&self) -> bool {
        matches!(self, TypeRef::NonNull(_))
    }

    pub fn is_list(&self) -> bool {
        matches!(self.nullable(), TypeRef::List(_))
    }
}

impl std::fmt::Display for TypeRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TypeRef::Named(name) => f.write_str(name),
            TypeRef::List(inner) => write!(f, "[{inner}]"),
            TypeRef::NonNull(inner) => write!(f, "{inner}!"),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Int(i64),
    /// The digits of an integer beyond `i64`.
    BigInt(String),
    Float(f64),
    String(String),
    Enum(String),
    List(Vec<Value>),
    /// `{ on: BUTTON }`, with the fields in source order.
    Object(Vec<(String, Value)>),
}
