//! From schema and operation texts to a checked [`Model`](model::Model), or to diagnostics that say what is wrong and how
//! to mend it. Pure: texts in, values out. No file is read, nothing is printed, no GraphQL runtime is known.

pub mod model;
