// `npm run bench:faults`: breaks what Waypost depends on, and measures the consequences. See server/packaging/BENCHMARKS.md.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:faults')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-faults.mjs');
}
