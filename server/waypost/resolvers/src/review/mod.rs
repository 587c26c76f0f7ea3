mod comments;
mod fields;
mod resolvers;
