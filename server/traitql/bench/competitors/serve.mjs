// Serves a competitor on a free port and prints its address, like `bench-serve`. BENCH_DATA is the path of the file
// with the data.
import { createServer } from 'node:http';
import { context, resolvers, roots, typeDefs } from './resolvers.mjs';
import { curators, placesBy } from './store.mjs';

const COMPETITORS = { 'graphql-yoga': yoga, 'apollo-server': apollo, mercurius };

const [name] = process.argv.slice(2);
const start = COMPETITORS[name];
if (start === undefined)
  throw new Error(`Unknown competitor ${name}. Use one of ${Object.keys(COMPETITORS).join(', ')}.`);
console.log(await start());

async function yoga() {
  const { createSchema, createYoga } = await import('graphql-yoga');
  const server = createServer(
    createYoga({ schema: createSchema({ typeDefs, resolvers }), context, logging: false, graphiql: false }),
  );
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}/graphql`;
}

async function apollo() {
  const { ApolloServer } = await import('@apollo/server');
  const { startStandaloneServer } = await import('@apollo/server/standalone');
  const server = new ApolloServer({ typeDefs, resolvers, introspection: false });
  const { url } = await startStandaloneServer(server, {
    context: async () => context(),
    listen: { host: '127.0.0.1', port: 0 },
  });
  return new URL('/graphql', url).href;
}

/** With its JIT compiler and its own loaders. */
async function mercurius() {
  const { default: fastify } = await import('fastify');
  const { default: plugin } = await import('mercurius');
  const app = fastify({ logger: false });
  const opts = { cache: false };
  await app.register(plugin, {
    schema: typeDefs,
    resolvers: roots,
    jit: 1,
    loaders: {
      Collection: {
        curator: { opts, loader: queries => join(queries, ({ curator_number }) => curator_number, curators) },
      },
      Place: { within: { opts, loader: queries => join(queries, ({ within_number }) => within_number, placesBy) } },
    },
  });
  return `${await app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
}

async function join(queries, key, find) {
  const keys = queries.map(({ obj }) => key(obj));
  const distinct = [...new Set(keys)];
  const rows = await find(distinct);
  const found = new Map(distinct.map((key, at) => [key, rows[at]]));
  return keys.map(key => found.get(key));
}
