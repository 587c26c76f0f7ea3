// Generates at startup and for each line on standard input, which saves the startup time of Node.
import { createInterface } from 'node:readline';
import { generate, loadContext } from '@graphql-codegen/cli';

async function generateOnce() {
  try {
    const context = await loadContext('codegen.yml');
    context.updateConfig({ silent: true, errorsOnly: true });
    const before = Date.now();
    const files = await generate(context, true);
    console.log(`${files.length} TypeScript files are up to date (${Date.now() - before} ms)`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

// One generation for all.
let isRequested = true;
let isRunning = false;
async function run() {
  if (isRunning) return;
  isRunning = true;
  while (isRequested) {
    isRequested = false;
    await generateOnce();
  }
  isRunning = false;
}

createInterface({ input: process.stdin }).on('line', () => {
  isRequested = true;
  void run();
});
void run();
