import { installPackages } from './build.mjs';
import { clientChecks, serverChecks } from './checks.mjs';
import { readOptions } from './options.mjs';
import { exitWithError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';
import { finish } from './suites.mjs';

readOptions(
  'npm run check',
  `npm run check

Checks formatting, generated code, types, lints and documentation.

  --help   Prints this help`,
);
try {
  await requireCompilers('npm run check');
  await installPackages();
} catch (error) {
  exitWithError(error);
}
await Promise.all([serverChecks(), clientChecks()]);
finish();
