// Names in one file what the files of all operations export. A bundler follows each name to its own file, so whoever imports
// from here still loads one operation and not all.
import { Kind } from 'graphql';

export function plugin(_schema, documents, { from }) {
  const names = documents
    .flatMap(({ document }) => document.definitions)
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map(({ name }) => name.value);
  const lines = names.map(name => `export * from '${from}/${name}';`);
  return { content: lines.join('\n') };
}
