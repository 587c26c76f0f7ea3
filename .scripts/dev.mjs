// `npm run dev`: watch mode. The client reloads and the server is rebuilt and restarted when a source file changes.
import { nodeIsNewEnough } from './lib/node-version.mjs';

if (nodeIsNewEnough('npm run dev')) import('./lib/dev.mjs');
