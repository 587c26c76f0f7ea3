// `npm run bench:streams`: installs packages, builds Waypost and measures open connections and subscriptions.
// server/waypost/bench/STREAMS.md explains the results.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:streams')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-streams.mjs');
}
