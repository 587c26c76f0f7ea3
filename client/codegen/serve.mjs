// Generates at startup and for each line on standard input, which saves the startup time of Node.
import { createInterface } from 'node:readline';
import { generateFiles } from './files.mjs';

async function generateOnce() {
  try {
    const before = Date.now();
    const { count, write } = await generateFiles();
    write();
    console.log(`${count} TypeScript files are up to date (${Date.now() - before} ms)`);
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
