//! Reviews: fields and root fields.

mod comments;
mod fields;
mod resolvers;
