// `npm run check`: formatters, staleness of generated code, types, lints and documentation.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm run check')) import('./lib/check.mjs');
