// `npm run bench:generator`: installs what is missing and measures generation. server/traitql/BENCHMARKS.md says how to
// read what it prints; `npm run bench:generator -- --help` lists its options.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:generator')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-generator.mjs');
}
