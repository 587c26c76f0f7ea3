// `npm run bench:streams`: measures open connections and subscriptions. See server/waypost/bench/STREAMS.md.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:streams')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-streams.mjs');
}
