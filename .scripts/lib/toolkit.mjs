import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { pythonEnvironment } from './python.mjs';

export const TOOLKIT = join(ROOT, 'client/e2e/providers/toolkit');

/** Installs django-oauth-toolkit, and returns the Python that finds it. */
export async function requireToolkit() {
  const requirements = join(TOOLKIT, 'requirements.txt');
  const purpose = 'The browser tests require django-oauth-toolkit';
  return join(await pythonEnvironment({ name: 'toolkit', requirements, purpose }), 'python');
}
