import { parseArgs } from 'node:util';
import { UserError } from '../../../../.scripts/lib/processes.mjs';

export const RUST = [
  'empty',
  'bytes',
  'handwritten',
  'handwritten-shared',
  'traitql-plans',
  'traitql-plans-hash',
  'traitql-plans-engine',
  'traitql-plans-shared',
  'traitql-plans-shared-engine',
  'traitql-adhoc',
  'traitql-adhoc-engine',
  'async-graphql',
  'juniper',
];
export const COMPETITORS = ['graphql-yoga', 'apollo-server', 'mercurius'];
const ALL = [...RUST, ...COMPETITORS];

/** Subjects whose growth is measured. */
export const GROWING = [
  'handwritten',
  'traitql-plans',
  'traitql-plans-shared',
  'traitql-adhoc',
  'async-graphql',
  'juniper',
  ...COMPETITORS,
];

/** The requests, by the names of the tables. */
export const WORKLOADS = {
  list: { operation: 'Products', variables: { first: 50 }, what: '50 objects with 8 fields' },
  nested: {
    operation: 'Collections',
    variables: { first: 20 },
    what: '20 objects, each with a to-one relation (one lookup for all of them) and five children',
  },
  tiny: { operation: 'Ping', variables: {}, what: 'one field' },
  mutation: {
    operation: 'ReviewSet',
    variables: {
      input: { productId: 'product_00007919', stars: 4, text: 'Stood well in the wind, and was quick to fold.' },
    },
    what: 'an input with constraints, one row written, four fields',
  },
};

const HELP = `npm run bench -- [options]

  --only SECTION,…         some of: SECTIONS
  --subjects NAME,…        some of: ${ALL.join(', ')}
  --workloads NAME,…       some of: ${Object.keys(WORKLOADS).join(', ')}
  --rounds N               measurements per subject; medians are printed (5)
  --seconds S              duration of each measurement (2)
  --connections N          concurrent connections (32)
  --quick                  one short round of everything, to check that it works; the figures are meaningless
  --save                   writes the tables to server/traitql/bench/RESULTS.md

The order changes from round to round, so that a temporary slowdown of the machine affects all subjects.`;

export function options(given, sections) {
  const list = { type: 'string' };
  const { values } = parse(given, {
    only: list,
    subjects: list,
    workloads: list,
    rounds: list,
    seconds: list,
    connections: list,
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  if (values.help) {
    console.log(HELP.replace('SECTIONS', sections.join(', ')));
    return null;
  }
  const { quick } = values;
  return {
    quick,
    save: values.save,
    sections: some('--only', values.only, sections),
    subjects: withBaseline(some('--subjects', values.subjects, ALL)),
    workloads: some('--workloads', values.workloads, Object.keys(WORKLOADS)),
    rounds: number('--rounds', values.rounds ?? (quick ? 1 : 5)),
    seconds: number('--seconds', values.seconds ?? (quick ? 0.2 : 2)),
    warm: quick ? 0.1 : 0.4,
    connections: number('--connections', values.connections ?? 32),
    competitors: COMPETITORS,
    command: ['npm run bench', ...(given.length > 0 ? ['--', ...given] : [])].join(' '),
  };
}

function withBaseline(subjects) {
  return subjects.includes('handwritten') ? subjects : ['handwritten', ...subjects];
}

function some(option, given, known) {
  if (given === undefined) return known;
  const names = given.split(',').filter(Boolean);
  for (const name of names) {
    if (!known.includes(name)) throw new UserError(`${option}: unknown value ${name}, use some of ${known.join(', ')}`);
  }
  return known.filter(name => names.includes(name));
}

function number(option, given) {
  const value = Number(given);
  if (!(value > 0)) throw new UserError(`${option} must be a number above 0, not ${given}`);
  return value;
}

function parse(args, options) {
  try {
    return parseArgs({ args, options });
  } catch (error) {
    throw new UserError(`${error.message}\n\nnpm run bench -- --help lists the options.`);
  }
}
