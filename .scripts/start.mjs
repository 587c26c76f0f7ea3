// `npm start`: sets up what is missing, builds what is old, starts the identity provider and Waypost, prints the
// address.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm start')) import('./lib/start.mjs');
