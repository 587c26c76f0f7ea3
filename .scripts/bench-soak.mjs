// `npm run bench:soak`: mixed traffic for an hour. See server/waypost/bench/SOAK.md.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:soak')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-soak.mjs');
}
