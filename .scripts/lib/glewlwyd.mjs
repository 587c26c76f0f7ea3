// Finds glewlwyd, the identity provider of Debian that the browser tests sign in at.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { librariesIn, unpacked } from './debian.mjs';

const ABOUT = {
  /** What the package asks for to set itself up as a service with a database server. */
  unneeded: /^(?:dbconfig|default-mysql|mariadb|mysql|libconfig-inifiles)/,
  advice:
    'The browser tests sign in at glewlwyd, which Debian and Ubuntu have as a package. Run them there, or in a container of it.',
};

/**
 * Where glewlwyd is.
 * @returns {Promise<{ program: string, libraries: string, root: string }>} `libraries` is for LD_LIBRARY_PATH, and `root`
 *   stands for `/` in the paths of its files
 */
export async function requireGlewlwyd() {
  const root = existsSync('/usr/bin/glewlwyd') ? '/' : await unpacked('glewlwyd', ABOUT);
  return { root, program: join(root, 'usr/bin/glewlwyd'), libraries: librariesIn(root).join(':') };
}
