// `npm run bench:sign-in`: measures sign-in in the browser and on the server. See server/waypost/auth/BENCHMARKS.md.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:sign-in')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-sign-in.mjs');
}
