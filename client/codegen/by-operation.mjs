// One file for each operation, with its document and its hooks: a screen then loads what it asks and not what other screens ask.
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
      // They are checked where their types are made, in the file of all operations.
      config: { ...config, externalFragments: fragments, skipDocumentsValidation: true },
    }));
    removeOthers(folder, outputs);
    return outputs;
  },
};

/** What an operation leaves behind that was renamed or deleted. */
function removeOthers(folder, outputs) {
  const known = new Set(outputs.map(({ filename }) => filename));
  const found = existsSync(folder) ? readdirSync(folder) : [];
  const others = found.map(name => join(folder, name)).filter(path => !known.has(path));
  if (others.length > 0 && process.argv.includes('--check')) {
    throw new Error(`${others.join(', ')}: no operation has this name any more. \`npm run generate:ts\` deletes it.`);
  }
  for (const path of others) rmSync(path);
}
