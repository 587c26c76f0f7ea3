// `npm run bench:sign-in`: installs and builds what is missing, and measures what signing in costs people and the server.
// server/waypost-auth/BENCHMARKS.md says how to read what it prints.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:sign-in')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-sign-in.mjs');
}
