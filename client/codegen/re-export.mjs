// Generates one file that re-exports the exports of all operations' files.
// A bundler resolves each name to its own file, so an import from here still loads only one operation.
import { Kind } from 'graphql';

export function plugin(_schema, documents, { from }) {
  const names = documents
    .flatMap(({ document }) => document.definitions)
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map(({ name }) => name.value);
  const lines = names.map(name => `export * from '${from}/${name}';`);
  return { content: lines.join('\n') };
}
