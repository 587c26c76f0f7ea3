// `npm run bench`: installs and builds what is missing, and measures the server beside others. README.md says how to read
// what it prints; `npm run bench -- --help` lists its options.
import { nodeIsNewEnough } from '../../.scripts/lib/node-version.mjs';

if (nodeIsNewEnough('npm run bench')) import('./run/bench.mjs');
