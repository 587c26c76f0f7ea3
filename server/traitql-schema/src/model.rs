//! The checked model: what a schema and its operations mean, ready to be turned into files.
//!
//! A `Model` exists only when nothing is wrong, so those who read it never handle mistakes: every name refers to something that
//! exists, every directive has sensible arguments, every default value fits its type. Everything is in the order of the
//! source (files by path, definitions by position), so the same input always gives the same output.

use indexmap::IndexMap;

/// A schema together with the operations that clients may ask.
#[derive(Debug, Clone)]
pub struct Model {
    /// All definitions, printed canonically: one SDL text that any GraphQL tool reads.
    pub sdl: String,
    /// Types by name, without those of introspection and without the built-in scalars.
    pub types: IndexMap<String, Type>,
    /// Name of the query root type.
    pub query: String,
    /// Name of the mutation root type.
    pub mutation: Option<String>,
    /// Name of the subscription root type.
    pub subscription: Option<String>,
    /// The enum that `@auth(role:)` takes its values from, lowest role first; `None` when no field asks for a role.
    pub role_enum: Option<String>,
    /// The enum whose values carry `@error`.
    pub error_enum: Option<String>,
    /// Error codes with their meaning, in the order of their enum.
    pub errors: Vec<ErrorCode>,
    /// Every distinct subject that `@auth(of:, by:)` names, in order of first use.
    pub subjects: Vec<Subject>,
    /// Definitions of directives, without the built-in ones, in order.
    pub directives: Vec<Directive>,
    /// Operations by name, in alphabetical order.
    pub operations: Vec<Operation>,
    /// What clients in the field were built with, oldest release first.
    pub releases: Vec<Release>,
    /// Names in Rust that were given because those of the schema meet there, by coordinate. Only where that is permitted:
    /// see [`Options::renaming`](crate::Options::renaming).
    pub renamed: Vec<(String, String)>,
}

impl Model {
    /// What the names in Rust of a type are made of.
    pub fn rust_type<'m>(&'m self, name: &'m str) -> &'m str {
        self.types.get(name).map_or(name, Type::rust)
    }

    /// What the name in Rust of a value of an enum is made of.
    pub fn rust_value<'m>(&'m self, of: &str, name: &'m str) -> &'m str {
        let value = match self.types.get(of) {
            Some(Type::Enum(ty)) => ty.values.iter().find(|value| value.name == name),
            _ => None,
        };
        value.map_or(name, |value| &value.rust)
    }
}

/// The operations that a release of the clients was built with.
#[derive(Debug, Clone)]
pub struct Release {
    /// Its name: `2026-11`.
    pub name: String,
    /// Given up on purpose: nothing is kept for it any more.
    pub retired: bool,
    /// What its operations rely on: see [`contract`](crate::contract()).
    pub types: IndexMap<String, String>,
    /// Its operations with their texts of that time, by name.
    pub operations: Vec<Operation>,
}

/// The definition of a directive.
#[derive(Debug, Clone)]
pub struct Directive {
    /// Name without `@`.
    pub name: String,
    /// Arguments in order.
    pub args: Vec<InputValue>,
    /// Whether it can stand several times in one place.
    pub repeatable: bool,
    /// Where it can stand: `FIELD`, `OBJECT`, …
    pub locations: Vec<String>,
    /// Where it is defined.
    pub origin: Origin,
}

impl Directive {
    /// Whether documents can carry it, not only schemas.
    pub fn is_executable(&self) -> bool {
        const EXECUTABLE: [&str; 8] = [
            "QUERY",
            "MUTATION",
            "SUBSCRIPTION",
            "FIELD",
            "FRAGMENT_DEFINITION",
            "FRAGMENT_SPREAD",
            "INLINE_FRAGMENT",
            "VARIABLE_DEFINITION",
        ];
        self.locations
            .iter()
            .any(|location| EXECUTABLE.contains(&location.as_str()))
    }
}

/// Where a definition stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Path as it was given to the loader, with `/` between its parts.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
}

/// A named type.
#[derive(Debug, Clone)]
pub enum Type {
    /// A custom scalar.
    Scalar(Scalar),
    /// An enum.
    Enum(Enum),
    /// An input object.
    Input(InputObject),
    /// An object type, root types included.
    Object(Object),
    /// An interface.
    Interface(Interface),
    /// A union.
    Union(Union),
}

impl Type {
    /// Where it is defined.
    pub fn origin(&self) -> &Origin {
        match self {
            Type::Scalar(ty) => &ty.origin,
            Type::Enum(ty) => &ty.origin,
            Type::Input(ty) => &ty.origin,
            Type::Object(ty) => &ty.origin,
            Type::Interface(ty) => &ty.origin,
            Type::Union(ty) => &ty.origin,
        }
    }

    /// What its names in Rust are made of.
    pub fn rust(&self) -> &str {
        match self {
            Type::Scalar(ty) => &ty.rust,
            Type::Enum(ty) => &ty.rust,
            Type::Input(ty) => &ty.rust,
            Type::Object(ty) => &ty.rust,
            Type::Interface(ty) => &ty.rust,
            Type::Union(ty) => &ty.rust,
        }
    }

    /// Name in the schema.
    pub fn name(&self) -> &str {
        match self {
            Type::Scalar(ty) => &ty.name,
            Type::Enum(ty) => &ty.name,
            Type::Input(ty) => &ty.name,
            Type::Object(ty) => &ty.name,
            Type::Interface(ty) => &ty.name,
            Type::Union(ty) => &ty.name,
        }
    }
}

/// A custom scalar.
#[derive(Debug, Clone)]
pub struct Scalar {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@specifiedBy(url:)`.
    pub specified_by: Option<String>,
    /// Where it is defined.
    pub origin: Origin,
}

/// An enum and its values.
#[derive(Debug, Clone)]
pub struct Enum {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Values in order.
    pub values: Vec<EnumValue>,
    /// Where it is defined.
    pub origin: Origin,
}

/// One value of an enum.
#[derive(Debug, Clone)]
pub struct EnumValue {
    /// Name in the schema, usually `SCREAMING_CASE`.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Reason given by `@deprecated`.
    pub deprecated: Option<String>,
}

/// An input object type.
#[derive(Debug, Clone)]
pub struct InputObject {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@oneOf`: exactly one field is given.
    pub one_of: bool,
    /// Fields in order.
    pub fields: Vec<InputValue>,
    /// Where it is defined.
    pub origin: Origin,
}

/// An argument of a field, or a field of an input object.
#[derive(Debug, Clone)]
pub struct InputValue {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Type as written.
    pub ty: TypeRef,
    /// Default value.
    pub default: Option<Value>,
    /// Limits of the value, in the order they are declared.
    pub rules: Vec<Rule>,
    /// Reason given by `@deprecated`.
    pub deprecated: Option<String>,
    /// The definition as one line of SDL, for documentation.
    pub sdl: String,
    /// Where it is defined.
    pub origin: Origin,
}

/// A limit of an input value.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// `@length`: characters of a text (of each text of a list).
    Length {
        /// Fewest characters.
        min: u32,
        /// Most characters.
        max: u32,
    },
    /// `@count`: entries of a list.
    Count {
        /// Fewest entries.
        min: u32,
        /// Most entries.
        max: u32,
    },
    /// `@range`: bounds of a number, both included.
    Range {
        /// Lower bound.
        min: Option<f64>,
        /// Upper bound.
        max: Option<f64>,
    },
    /// `@depth`: levels of objects of a recursive input.
    Depth {
        /// Most levels; the value itself is the first one.
        max: u32,
    },
    /// `@format`: a named form of a text (of each text of a list); the name is a value of enum `Format`.
    Format {
        /// Name of the form.
        is: String,
    },
}

/// An object type.
#[derive(Debug, Clone)]
pub struct Object {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Names of the interfaces it implements.
    pub implements: Vec<String>,
    /// `@embedded`: values live inside their parent.
    pub embedded: bool,
    /// What the type stands for.
    pub kind: ObjectKind,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Where it is defined.
    pub origin: Origin,
}

/// What an object type stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectKind {
    /// The query, mutation or subscription root. A field may answer with one of the first two.
    Root(RootKind),
    /// A page of a list: its resolver returns `Page<node>`. Recognised by its name ending in `Connection` and a field
    /// `nodes: [T!]!` or `edges: [E!]!` with `E { cursor: String!, node: T! }`, beside `pageInfo: PageInfo!`. None of its
    /// parts implements an interface or belongs to a union.
    Connection {
        /// Name of the node's type.
        node: String,
        /// Name of the edge's type, if the connection has edges.
        edge: Option<String>,
    },
    /// The edge of a connection.
    Edge {
        /// Name of the node's type.
        node: String,
    },
    /// `PageInfo` of a connection.
    PageInfo,
    /// Everything else.
    Plain,
}

/// Which root an object type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// Side-effect free, fields in parallel.
    Query,
    /// Fields one after the other.
    Mutation,
    /// A stream of answers.
    Subscription,
}

/// An interface.
#[derive(Debug, Clone)]
pub struct Interface {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Names of the interfaces it implements.
    pub implements: Vec<String>,
    /// `@embedded`: values live inside their parent.
    pub embedded: bool,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Names of the object types that implement it, in alphabetical order.
    pub members: Vec<String>,
    /// Where it is defined.
    pub origin: Origin,
}

/// A union.
#[derive(Debug, Clone)]
pub struct Union {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@embedded`: values live inside their parent.
    pub embedded: bool,
    /// Names of its member types, as written.
    pub members: Vec<String>,
    /// Where it is defined.
    pub origin: Origin,
}

/// A field of an object or interface type.
#[derive(Debug, Clone)]
pub struct Field {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Arguments in order.
    pub args: Vec<InputValue>,
    /// Type as written.
    pub ty: TypeRef,
    /// Whether the value is there or must be fetched.
    pub kind: FieldKind,
    /// Who may call it; always there on root fields, never elsewhere.
    pub access: Option<Access>,
    /// Codes of `@throws`, in order.
    pub throws: Vec<String>,
    /// `@transition`.
    pub transition: Option<Transition>,
    /// Action of `@audited`.
    pub audited: Option<String>,
    /// `@cost`.
    pub cost: Cost,
    /// `@rate`.
    pub rate: Option<Rate>,
    /// Reason given by `@deprecated`.
    pub deprecated: Option<String>,
    /// The definition as one line of SDL with its directives, for documentation and messages.
    pub sdl: String,
    /// Where it is defined.
    pub origin: Origin,
}

/// Whether a field's value is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Part of the parent's struct: no arguments, and a leaf type, an `@embedded` type, or a part of a connection.
    Data,
    /// Fetched by a resolver: a root field, a field with arguments, with an object type, or with `@resolve`.
    Resolved,
}

/// Who may call a root field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// `@public`.
    Public,
    /// `@auth` without arguments.
    SignedIn,
    /// `@auth(role:, of:, by:)`.
    Role {
        /// Value of the role enum.
        role: String,
        /// Index into [`Model::subjects`].
        subject: usize,
        /// The path of the argument that identifies the subject: `["input", "id"]`.
        path: Vec<String>,
    },
}

/// Something that a person can have a role on, and what identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The `of` of `@auth`: an object type of the schema.
    pub of: String,
    /// How it is identified: `None` by an argument of type `ID!`, otherwise the last part of the path (`slug`).
    pub by: Option<String>,
}

/// An edge of a state machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The enum of states.
    pub of: String,
    /// States it may begin in.
    pub from: Vec<String>,
    /// State it ends in.
    pub to: String,
}

/// What calling a field costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// Cost of the field itself; 1 when nothing is said about a resolved field, 0 for data.
    pub value: u32,
    /// The integer argument that multiplies what is below.
    pub times: Option<String>,
}

/// How often a field may be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    /// Calls in one window.
    pub limit: u32,
    /// Length of the window in seconds: 1, 60 or 3600.
    pub window_seconds: u32,
    /// What tells callers apart.
    pub by: RateBy,
}

/// What tells callers apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RateBy {
    /// The signed-in account.
    Account,
    /// The caller's network address.
    Address,
    /// The value of the argument at this path.
    Argument(Vec<String>),
}

/// An error code and its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorCode {
    /// Value of the error enum: `VERSION_CONFLICT`.
    pub code: String,
    /// Status of the HTTP answer.
    pub http: u16,
    /// Sentence with slots: `{person} saved a newer version.`
    pub say: String,
    /// Names of the slots in order of first use.
    pub slots: Vec<String>,
    /// `NEVER`, `LATER`, `SAME_REQUEST` or `REFRESH`.
    pub retry: String,
    /// Where it is defined.
    pub origin: Origin,
}

/// A type as written at a field, an argument or a variable.
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
    /// The innermost name.
    pub fn name(&self) -> &str {
        match self {
            TypeRef::Named(name) => name,
            TypeRef::List(inner) | TypeRef::NonNull(inner) => inner.name(),
        }
    }

    /// The type without its outermost `!`.
    pub fn nullable(&self) -> &TypeRef {
        match self {
            TypeRef::NonNull(inner) => inner,
            other => other,
        }
    }

    /// Whether the outermost position refuses null.
    pub fn is_non_null(&self) -> bool {
        matches!(self, TypeRef::NonNull(_))
    }

    /// Whether it is a list, null or not.
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

/// A constant of the schema or of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true`
    Boolean(bool),
    /// `42`
    Int(i64),
    /// `0.7`
    Float(f64),
    /// `"text"`
    String(String),
    /// `AUTO`
    Enum(String),
    /// `[1, 2]`
    List(Vec<Value>),
    /// `{ on: BUTTON }`, fields as written.
    Object(Vec<(String, Value)>),
}

/// An operation that clients may ask.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Its name, which is also the name of its file.
    pub name: String,
    /// Query, mutation or subscription.
    pub kind: RootKind,
    /// The document exactly as Apollo Client 4 sends it: the operation, then the fragments it uses sorted by name, with
    /// `__typename` added to every selection set but the operation's own, printed as graphql-js prints.
    pub body: String,
    /// Coordinates of the root fields it calls: `Mutation.tourRelease`.
    pub root_fields: Vec<String>,
    /// Coordinates of all fields it calls.
    pub coordinates: Vec<String>,
    /// Coordinates of all arguments and input fields that take a variable: `Query.tours(first:)`, `TourSaveInput.title`.
    pub sent: Vec<String>,
    /// What one execution costs at most, with variables at their defaults or at the upper limit of their rules.
    pub cost: u64,
    /// Depth of the deepest selection; a root field has depth 1.
    pub depth: u32,
    /// How often resolvers are called by one execution.
    pub calls: Calls,
    /// Its variables, as declared.
    pub variables: Vec<Variable>,
    /// Where it is defined.
    pub origin: Origin,
}

/// How often resolvers are called by one execution of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calls {
    /// As often as this at most, however many rows there are.
    pub most: u32,
    /// Whether it is as often in every execution that does not fail.
    pub constant: bool,
}

/// A variable of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Name without `$`.
    pub name: String,
    /// Type as declared.
    pub ty: TypeRef,
}
