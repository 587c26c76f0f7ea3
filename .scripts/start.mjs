// `npm start`: installs packages, builds outdated parts, starts the identity provider and Waypost, and prints the
// address.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm start')) import('./lib/start.mjs');
