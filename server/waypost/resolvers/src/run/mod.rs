mod fields;
pub(crate) mod resolvers;
