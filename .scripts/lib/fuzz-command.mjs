// Implements `npm run fuzz`.

import { parseArgs } from 'node:util';
import { buildFuzzer, fuzz, TARGETS } from './fuzz.mjs';
import { exitWithError, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const HELP = `npm run fuzz -- [options]

  --seconds N      time for each target [default: 60]
  --target NAME    one of ${TARGETS.join(', ')} [default: all]
  --corpus FOLDER  keeps the inputs that reached new code, and continues with them`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    target: { type: 'string' },
    corpus: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  console.log(HELP);
} else {
  try {
    const targets = options.target === undefined ? TARGETS : TARGETS.filter(name => name === options.target);
    if (targets.length === 0)
      throw new UserError(`--target is ${options.target}, but must be one of ${TARGETS.join(', ')}.`);
    await requireCompilers('npm run fuzz');
    const program = await buildFuzzer();
    for (const target of targets) await fuzz(program, target, Number(options.seconds), { corpus: options.corpus });
  } catch (error) {
    exitWithError(error);
  }
}
