// One file per operation, so that screens load only those that they use.
import { join } from 'node:path';
import { Kind } from 'graphql';
import { staleFiles } from './files.mjs';

export const preset = {
  buildGeneratesSection({ baseOutputDir: folder, documents, config, ...options }) {
    const definitions = documents.flatMap(({ document }) => document.definitions);
    const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    const fragments = definitions
      .filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
      .map(node => ({ node, name: node.name.value, onType: node.typeCondition.name.value, isExternal: true }));
    const outputs = operations.map(operation => ({
      ...options,
      filename: join(folder, `${operation.name.value}.ts`),
      documents: [{ document: { kind: Kind.DOCUMENT, definitions: [operation] } }],
      // Validated in operations.ts.
      config: { ...config, externalFragments: fragments, skipDocumentsValidation: true },
    }));
    rejectStaleFiles(folder, outputs);
    return outputs;
  },
};

/** `graphql-codegen --check` compares only the files that it generates. */
function rejectStaleFiles(folder, outputs) {
  if (!process.argv.includes('--check')) return;
  const names = outputs.map(({ filename }) => filename);
  const stale = staleFiles(folder, names);
  if (stale.length > 0)
    throw new Error(`Files without an operation: ${stale.join(', ')}. Run \`npm run generate\` to delete them.`);
}
