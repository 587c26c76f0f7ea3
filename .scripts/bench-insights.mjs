// `npm run bench:insights`: installs what is missing, and measures what insights and the intake of events cost on both
// databases. server/waypost-app/BENCHMARKS.md says how to read what it prints.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:insights')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-insights.mjs');
}
