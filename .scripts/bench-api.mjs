// `npm run bench:api`: installs packages, builds Waypost and measures its API with the requests of several screens.
// server/waypost/bench/README.md explains the results.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:api')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-api.mjs');
}
