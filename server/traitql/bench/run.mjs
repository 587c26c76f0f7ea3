// `npm run bench`: installs and builds missing parts, and measures the server and its competitors. README.md explains
// the results; `npm run bench -- --help` lists the options.
import { nodeIsNewEnough } from '../../../.scripts/lib/node-version.mjs';

if (nodeIsNewEnough('npm run bench')) import('./run/bench.mjs');
