// The stock plugin @graphql-codegen/typescript-react-apollo with three repairs of its text.
// It writes for Apollo Client 3: a suspense hook whose operation has a required variable could be called without options,
// and it silences the errors of its own suspense overloads. With the facade client/src/shared/api/apollo.ts there is nothing to silence.
// And it cannot be told that the document stands in the same file, where typed-document-node has written it.
import { plugin as base } from '@graphql-codegen/typescript-react-apollo';
import { Kind } from 'graphql';

export { validate } from '@graphql-codegen/typescript-react-apollo';

const isRequired = variable => variable.type.kind === Kind.NON_NULL_TYPE && !variable.defaultValue;

export async function plugin(schema, documents, config, info) {
  const demanding = new Set(
    documents
      .flatMap(({ document }) => document.definitions)
      .filter(node => node.kind === Kind.OPERATION_DEFINITION && node.variableDefinitions?.some(isRequired))
      .map(node => node.name.value),
  );
  const here = { ...config, documentMode: 'external', importDocumentNodeExternallyFrom: '.' };
  const out = await base(schema, documents, here, info);
  const content = out.content
    .replace(/(function use(\w+?)SuspenseQuery\(baseOptions)\?:/g, (whole, head, name) =>
      demanding.has(name) ? `${head}:` : whole,
    )
    .replaceAll('// @ts-ignore\n', '')
    .replaceAll('Operations.', '')
    // The plugin's indentation follows its own source; a reader of the diff wants two blanks.
    .replace(/^ {8,12}(const|return) /gm, '  $1 ')
    .replace(/^ {6,10}\}$/gm, '}')
    .replaceAll(') ) {', ')) {');
  const imports = out.prepend.filter(line => !line.includes('* as Operations'));
  return { prepend: ["import type * as Types from '../operations';", ...imports], content };
}
