import { installPackages } from './build.mjs';
import { readOptions } from './options.mjs';
import { exitWithError, run, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const options = readOptions(
  'npm run generate',
  `npm run generate [-- --typescript]

Generates Rust and TypeScript from schema/, operations/ and codegen.yml. If there is an error, nothing is written.

  --typescript  Generates TypeScript only
  --help        Prints this help`,
  ['--typescript'],
);

try {
  await requireCompilers('npm run generate');
  // npm start does not install graphql-codegen.
  await installPackages();
  const { count, write } = await generateTypeScript();
  if (!options.includes('--typescript')) {
    const { code } = await run('cargo', ['traitql', 'generate']);
    if (code !== 0) throw new UserError('Nothing was written.');
  }
  const changed = write();
  console.log(`${count} TypeScript files, ${changed === 0 ? 'all up to date' : `${changed} changed`}`);
} catch (error) {
  exitWithError(error);
}

async function generateTypeScript() {
  const { generateFiles } = await import('../../client/codegen/files.mjs');
  try {
    return await generateFiles();
  } catch (error) {
    // The diagnostics of traitql name place and fix of the same errors.
    const { output } = await run('cargo', ['traitql', 'check'], { output: 'collect' });
    const reason = /^error\[/m.test(output) ? output.trimEnd() : error instanceof Error ? error.message : `${error}`;
    throw new UserError(`${reason}\n\nNothing was written.`);
  }
}
