// `npm run bench:generator`: installs packages and measures code generation. server/traitql/BENCHMARKS.md explains the
// results; `npm run bench:generator -- --help` lists the options.
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError } from './lib/processes.mjs';

if (nodeIsNewEnough('npm run bench:generator')) {
  await installPackages().catch(exitWithError);
  await import('./lib/bench-generator.mjs');
}
