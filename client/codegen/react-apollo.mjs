// Wraps the plugin @graphql-codegen/typescript-react-apollo and fixes its output, which targets Apollo Client 3:
// - suspense hooks for operations with required variables can be called without options, which we make a type error;
// - `@ts-ignore` hides errors of its suspense overloads, which do not occur with the facade client/src/shared/api/apollo.ts;
// - it imports each document, although typed-document-node has generated it in the same file.
import { plugin as base } from '@graphql-codegen/typescript-react-apollo';
import { Kind } from 'graphql';

export { validate } from '@graphql-codegen/typescript-react-apollo';

const isRequired = variable => variable.type.kind === Kind.NON_NULL_TYPE && !variable.defaultValue;

export async function plugin(schema, documents, config, info) {
  const withRequiredVariables = new Set(
    documents
      .flatMap(({ document }) => document.definitions)
      .filter(node => node.kind === Kind.OPERATION_DEFINITION && node.variableDefinitions?.some(isRequired))
      .map(node => node.name.value),
  );
  const baseConfig = { ...config, documentMode: 'external', importDocumentNodeExternallyFrom: '.' };
  const out = await base(schema, documents, baseConfig, info);
  const content = out.content
    .replace(/(function use(\w+?)SuspenseQuery\(baseOptions)\?:/g, (whole, head, name) =>
      withRequiredVariables.has(name) ? `${head}:` : whole,
    )
    .replaceAll('// @ts-ignore\n', '')
    .replaceAll('Operations.', '')
    // The plugin indents by its own source code; we use two spaces.
    .replace(/^ {8,12}(const|return) /gm, '  $1 ')
    .replace(/^ {6,10}\}$/gm, '}')
    .replaceAll(') ) {', ')) {');
  const imports = out.prepend.filter(line => !line.includes('* as Operations'));
  return { prepend: ["import type * as Types from '../operations';", ...imports], content };
}
