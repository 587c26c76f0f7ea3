// `npm run bench:api`: measures Waypost's API with the requests of several screens. See
// server/waypost/bench/README.md.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:api')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-api.mjs');
}
