mod members;
mod resolvers;
