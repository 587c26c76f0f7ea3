// `npm run bench:sign-in`: installs packages, builds Waypost and measures sign-in in the browser and on the server.
// server/waypost/auth/BENCHMARKS.md explains the results.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:sign-in')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-sign-in.mjs');
}
