import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { libraryFolders, unpackPackage } from './debian.mjs';

const PACKAGE = {
  /** Dependencies that only set up a service with a database server. */
  excluded: /^(?:dbconfig|default-mysql|mariadb|mysql|libconfig-inifiles)/,
  advice:
    'The browser tests require the identity provider glewlwyd, a package of Debian and Ubuntu. Run them there or in a container.',
};

/**
 * Returns the location of glewlwyd.
 * @returns {Promise<{ program: string, libraries: string, root: string }>} `libraries` is the value of LD_LIBRARY_PATH;
 *   `root` replaces `/` in the paths of its files
 */
export async function requireGlewlwyd() {
  const root = existsSync('/usr/bin/glewlwyd') ? '/' : await unpackPackage('glewlwyd', PACKAGE);
  return { root, program: join(root, 'usr/bin/glewlwyd'), libraries: libraryFolders(root).join(':') };
}
