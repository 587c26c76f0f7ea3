// Both must accept the same schemas and documents, except where traitql is stricter (STRICTER). Run from the root of
// the project, after `npm ci`:
//
//     node server/traitql/schema/tests/graphql-js.mjs [number of mutations]
import { spawnSync } from 'node:child_process';
import { buildASTSchema, concatAST, parse, validate, validateSchema } from 'graphql';

const count = process.argv[2] ?? '1500';
const run = spawnSync('cargo', ['run', '--quiet', '--locked', '--example', 'verdicts', '--', count], {
  encoding: 'utf8',
  maxBuffer: 1 << 30,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (run.status !== 0) process.exit(1);

/** Reasons why graphql-js 16 accepts what traitql rejects, by traitql's code. */
const STRICTER = {
  S002: 'graphql-js ignores operations in a schema',
  S005: 'graphql-js has no limits of nesting and size',
  G005: 'graphql-js allows redefining introspection types',
  G011: 'graphql-js allows redefining built-in scalars',
  G012: 'graphql-js treats `extend schema` as a definition',
  G017: 'graphql-js allows two operation types to share a root',
  G028: 'graphql-js does not detect that a @oneOf input has no finite value',
  G029: 'graphql-js does not check for directive cycles',
  G033: 'graphql-js allows @oneOf on an extension',
  G035: 'a rule since the edition of September 2025',
  G037: 'a rule since the edition of September 2025',
  V001: 'graphql-js does not check default values in schemas',
  V002: 'graphql-js does not check default values in schemas',
  V003: 'graphql-js does not check default values in schemas',
  V004: 'graphql-js does not check default values in schemas',
  V005: 'graphql-js does not check default values in schemas',
};
const STRICTER_IN_DOCUMENTS = {
  S005: 'graphql-js has no limits of nesting and size',
  D019: 'graphql-js detects a missing root only during execution',
};

/**
 * Has numbers of a custom scalar that Rust and JavaScript round. graphql-js accepts them, but V001 in STRICTER_IN_DOCUMENTS
 * would hide other differences.
 */
const ROUNDED_NUMBER = 'V001_wrong_value-rounded-number-in-operation.graphql';

/** True if a code is about the specification, not about a convention of traitql. */
const counts = code => /^[SGVD]/.test(code);

/** True if two verdicts agree, apart from intentional differences. */
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
let valid = 0;
const differences = [];
for (const line of run.stdout.trim().split('\n')) {
  const pair = JSON.parse(line);
  let schema;
  const theirs = attempt(() => {
    schema = buildASTSchema(parse(pair.schema));
    return validateSchema(schema);
  });
  const found = pair.schemaCodes.filter(counts);
  const isConsequence = code =>
    // Without the extension, the query root is missing too.
    (code === 'G015' && found.includes('G012')) ||
    // Without the redefinition of an introspection type, an extension of it has another kind.
    (code === 'G013' && found.includes('G005'));
  const ours = found.filter(code => !isConsequence(code));
  compared += 1;
  if (!agree(ours, theirs, STRICTER)) {
    differences.push([pair.name, 'schema', ours, theirs, pair.schema]);
    continue;
  }
  // A file with only comments is a syntax error, not a validation error.
  if (ours.length > 0 || pair.documents.replace(/#.*|[\s,\uFEFF]/g, '') === '') continue;
  const theirsToo = attempt(() => validate(schema, concatAST([parse(pair.documents)])));
  // traitql requires names for all operations; the specification only forbids an anonymous one next to others.
  const oursToo = pair.codes.filter(code => counts(code) || (code === 'N001' && theirsToo.length > 0));
  valid += theirsToo.length === 0;
  if (pair.name === ROUNDED_NUMBER) continue;
  if (!agree(oursToo, theirsToo, STRICTER_IN_DOCUMENTS))
    differences.push([pair.name, 'documents', oursToo, theirsToo, pair.documents]);
}
for (const [name, what, ours, theirs, text] of differences) {
  console.error(
    `\n── ${name}: the ${what}\ntraitql: ${ours.join(' ') || 'valid'}\ngraphql-js: ${theirs.join('\n            ') || 'valid'}`,
  );
  if (process.env.VERBOSE) console.error(text);
}
console.log(`${compared} pairs, ${valid} with valid documents, ${differences.length} with different verdicts`);
process.exit(differences.length === 0 && valid > 20 ? 0 : 1);
