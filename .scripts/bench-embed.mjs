// `npm run bench:embed`: installs packages and compares the script for customers' pages with other libraries for tours.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:embed')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-embed.mjs');
}
