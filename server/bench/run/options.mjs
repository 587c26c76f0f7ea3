// What can be chosen on the command line.

import { parseArgs } from 'node:util';
import { UserError } from '../../../.scripts/lib/processes.mjs';

/** Contestants of Rust, as `bench-serve` knows them. */
export const RUST = [
  'empty',
  'bytes',
  'handwritten',
  'handwritten-lent',
  'traitql-plans',
  'traitql-plans-hash',
  'traitql-plans-engine',
  'traitql-plans-lent',
  'traitql-plans-lent-engine',
  'traitql-adhoc',
  'traitql-adhoc-engine',
  'async-graphql',
  'juniper',
];
export const PEERS = ['graphql-yoga', 'apollo-server', 'mercurius'];
const ALL = [...RUST, ...PEERS];

/** Those whose growth tells something. */
export const GROWING = [
  'handwritten',
  'traitql-plans',
  'traitql-plans-lent',
  'traitql-adhoc',
  'async-graphql',
  'juniper',
  ...PEERS,
];

/** What the contestants are asked for, by the names of the tables. */
export const WORKLOADS = {
  list: { operation: 'Products', variables: { first: 50 }, what: '50 objects with 8 fields' },
  nested: {
    operation: 'Collections',
    variables: { first: 20 },
    what: '20 objects, each with a to-one that is looked up for all of them at once, and with five children',
  },
  tiny: { operation: 'Ping', variables: {}, what: 'one field' },
  mutation: {
    operation: 'ReviewSet',
    variables: {
      input: { productId: 'product_00007919', stars: 4, text: 'Stood well in the wind, and was quick to fold.' },
    },
    what: 'an input with rules, one row written, four fields',
  },
};

const HELP = `npm run bench -- [options]

  --only SECTION,…         some of: SECTIONS
  --contestants NAME,…     some of: ${ALL.join(', ')}
  --workloads NAME,…       some of: ${Object.keys(WORKLOADS).join(', ')}
  --rounds N               how often each contestant is measured; medians are printed (5)
  --seconds S              how long each time (2)
  --connections N          connections that ask at once (32)
  --quick                  one short round of everything, to see that it works; its figures say nothing
  --save                   writes the tables to server/bench/RESULTS.md

The order changes from round to round, so that what slows the machine down for a while slows everybody down.`;

/** The chosen options; null when there is nothing to do but to read them. */
export function options(given, sections) {
  const list = { type: 'string' };
  const { values } = parse(given, {
    only: list,
    contestants: list,
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
    contestants: withMeasure(some('--contestants', values.contestants, ALL)),
    workloads: some('--workloads', values.workloads, Object.keys(WORKLOADS)),
    rounds: number('--rounds', values.rounds ?? (quick ? 1 : 5)),
    seconds: number('--seconds', values.seconds ?? (quick ? 0.2 : 2)),
    warm: quick ? 0.1 : 0.4,
    connections: number('--connections', values.connections ?? 32),
    peers: PEERS,
    command: ['npm run bench', ...(given.length > 0 ? ['--', ...given] : [])].join(' '),
  };
}

/** Everything is told as a ratio to the hand-written handler. */
function withMeasure(contestants) {
  return contestants.includes('handwritten') ? contestants : ['handwritten', ...contestants];
}

function some(option, given, known) {
  if (given === undefined) return known;
  const names = given.split(',').filter(Boolean);
  for (const name of names) {
    if (!known.includes(name)) throw new UserError(`${option}: ${name} is none of ${known.join(', ')}`);
  }
  return known.filter(name => names.includes(name));
}

function number(option, given) {
  const value = Number(given);
  if (!(value > 0)) throw new UserError(`${option} runOrFail be a number above 0, and is ${given}`);
  return value;
}

function parse(args, options) {
  try {
    return parseArgs({ args, options });
  } catch (error) {
    throw new UserError(`${error.message}\n\nnpm run bench -- --help lists the options.`);
  }
}
