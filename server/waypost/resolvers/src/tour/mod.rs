mod duplicate;
mod fields;
mod mutations;
mod queries;
