// `npm run generate`: generates Rust and TypeScript from schema/ and operations/. If there is any error, it writes
// nothing.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm run generate')) import('./lib/generate.mjs');
