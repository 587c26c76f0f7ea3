pub(crate) mod members;
mod resolvers;
