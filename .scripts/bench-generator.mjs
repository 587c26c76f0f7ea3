// `npm run bench:generator`: measures code generation. See server/traitql/BENCHMARKS.md.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:generator')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-generator.mjs');
}
