// `npm run bench:generator`: installs what is missing and measures generation. server/traitql/BENCHMARKS.md says how to
// read what it prints. Names of schemas as arguments leave the others out. Takes several minutes.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { giveUp } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:generator')) {
  await installPackages().catch(giveUp);
  await import('./lib/bench-generator.mjs');
}
