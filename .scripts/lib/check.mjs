import { installPackages } from './build.mjs';
import { clientChecks, serverChecks } from './checks.mjs';
import { exitWithError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';
import { finish } from './suites.mjs';

try {
  await requireCompilers('npm run check');
  await installPackages();
} catch (error) {
  exitWithError(error);
}
await Promise.all([serverChecks(), clientChecks()]);
finish();
