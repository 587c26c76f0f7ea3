// `npm run dev`: watch mode for both sides: the client reloads by itself, the server is rebuilt and restarted.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm run dev')) import('./lib/dev.mjs');
