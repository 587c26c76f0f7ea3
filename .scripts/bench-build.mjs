// `npm run bench:build`: installs packages and measures build and test times. .scripts/BENCHMARKS.md explains the
// results.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:build')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-build.mjs');
}
