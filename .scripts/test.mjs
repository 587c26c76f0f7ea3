// `npm test`: sets up what is missing and runs every test: Rust, TypeScript, browser. Ends with `N passed, N failed`.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm test')) import('./lib/test.mjs');
