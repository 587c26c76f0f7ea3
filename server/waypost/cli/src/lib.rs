//! The command line. Does not contain the resolvers, so that their changes do not recompile this crate.

mod arguments;
mod commands;
mod program;

pub use commands::content::format_tour_file;
pub use program::run;
