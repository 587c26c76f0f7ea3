// `npm run bench:lighthouse`: installs and builds what is missing, and asks Lighthouse what it thinks of the list of tours.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:lighthouse')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-lighthouse.mjs');
}
