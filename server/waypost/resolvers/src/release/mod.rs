mod fields;
mod impact;
mod resolvers;
mod states;
