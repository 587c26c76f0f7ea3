// `npm run bench:lighthouse`: installs packages, builds Waypost and audits the list of tours with Lighthouse.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:lighthouse')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-lighthouse.mjs');
}
