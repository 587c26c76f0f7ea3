//! Workspaces and their members: fields and root fields.

mod members;
mod resolvers;
