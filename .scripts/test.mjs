// `npm test`: installs requirements and runs all tests: Rust, TypeScript, browser. The last line is
// `N passed, N failed`.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm test')) import('./lib/test.mjs');
