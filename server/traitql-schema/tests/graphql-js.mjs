// Holds traitql's verdicts against those of graphql-js: the same schemas and documents are right for both, or wrong for both.
// Where traitql is stricter on purpose, STRICTER says why. Run from the root of the project, after `npm ci`:
//
//     node server/traitql-schema/tests/graphql-js.mjs [how many changed texts]
import { spawnSync } from 'node:child_process';
import { buildASTSchema, concatAST, parse, validate, validateSchema } from 'graphql';

const count = process.argv[2] ?? '1500';
const run = spawnSync(
  'cargo',
  ['run', '--quiet', '--locked', '--package', 'traitql-schema', '--example', 'verdicts', '--', count],
  {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
if (run.status !== 0) process.exit(1);

/** What traitql refuses and graphql-js 16 accepts, by traitql's code. */
const STRICTER = {
  S002: 'graphql-js leaves out operations that stand among the definitions of a schema',
  G005: 'graphql-js lets a schema define the types of introspection',
  G011: 'graphql-js lets a schema define the built-in scalars',
  G012: 'graphql-js takes `extend schema` for a definition',
  G017: 'graphql-js lets two kinds of operation share a root',
  G028: 'graphql-js does not see that a @oneOf input has no value',
  G029: 'graphql-js does not look for circles of directives',
  G033: 'graphql-js lets @oneOf stand at an extension',
  G035: 'a rule of the edition of September 2025',
  G037: 'a rule of the edition of September 2025',
  V001: 'graphql-js does not look at default values in schemas',
  V002: 'graphql-js does not look at default values in schemas',
  V003: 'graphql-js does not look at default values in schemas',
  V004: 'graphql-js does not look at default values in schemas',
  V005: 'graphql-js does not look at default values in schemas',
};
/** The same for documents. */
const STRICTER_IN_DOCUMENTS = {
  D019: 'graphql-js finds only when it executes that a root is missing',
};

/** Whether a code is about the specification; the others are wishes of traitql. */
const counts = code => /^[SGVD]/.test(code);

/** Whether two verdicts are the same, but for what we refuse knowingly. */
const agree = (ours, theirs, stricter) =>
  (ours.length === 0) === (theirs.length === 0) || (theirs.length === 0 && ours.every(code => code in stricter));

function attempt(work) {
  try {
    return work().map(error => error.message);
  } catch (error) {
    return [error.message];
  }
}

let compared = 0;
let right = 0;
const differences = [];
for (const line of run.stdout.trim().split('\n')) {
  const pair = JSON.parse(line);
  let schema;
  const theirs = attempt(() => {
    schema = buildASTSchema(parse(pair.schema));
    return validateSchema(schema);
  });
  const found = pair.schemaCodes.filter(counts);
  // Without the extension there is no query root either.
  const ours = found.includes('G012') ? found.filter(code => code !== 'G015') : found;
  compared += 1;
  if (!agree(ours, theirs, STRICTER)) {
    differences.push([pair.name, 'schema', ours, theirs, pair.schema]);
    continue;
  }
  // A text of comments alone is no document; that is no rule of validation.
  if (ours.length > 0 || pair.documents.replace(/#.*|[\s,\uFEFF]/g, '') === '') continue;
  const theirsToo = attempt(() => validate(schema, concatAST([parse(pair.documents)])));
  // Our own wish that operations have names goes further than the rule that one without is alone.
  const oursToo = pair.codes.filter(code => counts(code) || (code === 'N001' && theirsToo.length > 0));
  right += theirsToo.length === 0;
  if (!agree(oursToo, theirsToo, STRICTER_IN_DOCUMENTS))
    differences.push([pair.name, 'documents', oursToo, theirsToo, pair.documents]);
}
for (const [name, what, ours, theirs, text] of differences) {
  console.error(
    `\n── ${name}: the ${what}\ntraitql: ${ours.join(' ') || 'nothing wrong'}\ngraphql-js: ${theirs.join('\n            ') || 'nothing wrong'}`,
  );
  if (process.env.VERBOSE) console.error(text);
}
console.log(`${compared} pairs, ${right} with right documents, ${differences.length} with different verdicts`);
process.exit(differences.length === 0 && right > 20 ? 0 : 1);
