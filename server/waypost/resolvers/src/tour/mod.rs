//! Tours and revisions: fields and root fields.

mod duplicate;
mod fields;
mod mutations;
mod queries;
