// `npm run bench:insights`: measures insights and event ingestion on both databases. See
// server/waypost/resolvers/BENCHMARKS.md.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:insights')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-insights.mjs');
}
