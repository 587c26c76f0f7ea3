// graphql-codegen that stays: generates when it starts and again for each line on its standard input, which spares
// `cargo traitql watch` the seconds that Node takes to start. Files are written only when their bytes change.
import { createInterface } from 'node:readline';
import { generate, loadContext } from '@graphql-codegen/cli';

async function once() {
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

// One generation answers all lines that came while it ran.
let asked = true;
let busy = false;
async function answer() {
  if (busy) return;
  busy = true;
  while (asked) {
    asked = false;
    await once();
  }
  busy = false;
}

createInterface({ input: process.stdin }).on('line', () => {
  asked = true;
  void answer();
});
void answer();
