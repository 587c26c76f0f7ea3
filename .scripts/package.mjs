// `npm run package`: builds the artifacts of a release. The release workflow and the tests call the same code.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm run package')) import('./lib/package.mjs');
