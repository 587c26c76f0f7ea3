// Re-exports all operations' files. Bundlers resolve each name to its own file.
import { Kind } from 'graphql';

export function plugin(_schema, documents, { from }) {
  const names = documents
    .flatMap(({ document }) => document.definitions)
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map(({ name }) => name.value);
  const lines = names.map(name => `export * from '${from}/${name}';`);
  return { content: lines.join('\n') };
}
