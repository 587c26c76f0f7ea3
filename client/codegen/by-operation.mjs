// One file per operation, so that screens load only those that they use.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Kind } from 'graphql';

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
    removeStaleFiles(folder, outputs);
    return outputs;
  },
};

/** Deletes the files of operations that were renamed or deleted; with `--check`, fails instead. */
function removeStaleFiles(folder, outputs) {
  const current = new Set(outputs.map(({ filename }) => filename));
  const existing = existsSync(folder) ? readdirSync(folder) : [];
  const stale = existing.map(name => join(folder, name)).filter(path => !current.has(path));
  if (stale.length > 0 && process.argv.includes('--check')) {
    throw new Error(`Files without an operation: ${stale.join(', ')}. Run \`npm run generate:ts\` to delete them.`);
  }
  for (const path of stale) rmSync(path);
}
