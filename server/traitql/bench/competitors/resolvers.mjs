import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import DataLoader from 'dataloader';
import { GraphQLError } from 'graphql';
import { collections, curators, places, placesBy, products, setReview } from './store.mjs';

const folder = join(import.meta.dirname, '../schema');

export const typeDefs = readdirSync(folder)
  .toSorted()
  .map(file => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

export const roots = {
  Query: {
    ping: () => 'pong',
    products: (_, { first }) => products(checkRange('first', first, 0, 10_000)),
    collections: (_, { first }) => collections(checkRange('first', first, 0, 10_000)),
    places: (_, { first }) => places(checkRange('first', first, 0, 1_000)),
  },
  Mutation: {
    reviewSet(_, { input }) {
      checkRange('input.stars', input.stars, 1, 5);
      checkRange('the length of input.text', [...input.text].length, 1, 500);
      return setReview(input);
    },
  },
};

export const resolvers = {
  ...roots,
  Collection: { curator: (collection, _, { loaders }) => loaders.curators.load(collection.curator_number) },
  Place: { checkRange: (place, _, { loaders }) => loaders.places.load(place.within_number) },
};

export const context = () => ({ loaders: { curators: new DataLoader(curators), places: new DataLoader(placesBy) } });

function checkRange(name, value, min, max) {
  if (value >= min && value <= max) return value;
  throw new GraphQLError(`${name} must be ${min} to ${max}`);
}
