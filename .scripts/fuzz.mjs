// `npm run fuzz`: searches for inputs that crash the server. See server/docs/testing.md.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run fuzz')) {
  await installPackages().catch(exitWithError);
  await import('./lib/fuzz-command.mjs');
}
