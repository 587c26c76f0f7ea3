// Runs a program of `devDependencies`, which `npm start` does not install: `node .scripts/run-tool.mjs tsc --noEmit`
// installs the missing packages first.
import { join } from 'node:path';
import { installPackages } from './lib/build.mjs';
import { nodeIsNewEnough } from './lib/node-version.mjs';
import { exitWithError, ROOT, run } from './lib/processes.mjs';

const [name, ...args] = process.argv.slice(2);
if (nodeIsNewEnough(name)) {
  try {
    await installPackages();
    const { code } = await run(join(ROOT, 'node_modules/.bin', name), args);
    process.exitCode = code ?? 1;
  } catch (error) {
    exitWithError(error);
  }
}
