import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../../.scripts/lib/processes.mjs';
import { type Application, install, scriptTag } from './application';

export const adminer: Application = {
  name: 'adminer-4.8.1-1',
  async install(folder) {
    await install('apt-get', ['install', '--yes', '--no-install-recommends', 'php-cli', 'php-sqlite3']);
    await install('apt-get', ['download', 'adminer'], folder);
    await install('sh', ['-c', 'dpkg --extract adminer_*.deb .'], folder);
  },
  start(installation) {
    const { folder, data, port, waypost } = installation;
    const source = join(folder, 'usr/share/adminer/adminer');
    const database = join(data, 'shop.db');
    const tag = scriptTag(installation, `' . nonce() . '`);
    writeFileSync(
      join(data, 'index.php'),
      `<?php
if (is_file($_SERVER['DOCUMENT_ROOT'] . strtok($_SERVER['REQUEST_URI'], '?'))) return false;
function adminer_object() {
  class WithTours extends Adminer {
    function login($login, $password) { return true; }
    function head() { echo '${tag}'; return true; }
    function csp() {
      $policies = csp();
      $policies[0]['script-src'] .= ' ${waypost}';
      $policies[0]['connect-src'] .= ' ${waypost}';
      return $policies;
    }
  }
  return new WithTours;
}
(new PDO('sqlite:${database}'))->exec('CREATE TABLE IF NOT EXISTS lamp (id INTEGER PRIMARY KEY, name TEXT)');
if ($_SERVER['REQUEST_URI'] === '/' && !$_POST) header('Location: /?sqlite=&username=&db=${database}');
chdir('${source}');
include './index.php';
`,
    );
    const args = ['-S', `127.0.0.1:${port}`, '-t', join(folder, 'usr/share/adminer'), join(data, 'index.php')];
    return startServer('php', args, { url: `http://127.0.0.1:${port}/?ready`, name: 'Adminer' });
  },
  path: '/',
  steps: [
    { on: null },
    { on: 'select[name="lang"]' },
    {
      on: 'input[type="submit"][value="Login"]',
      until: 'click',
      use: page => page.locator('input[type="submit"][value="Login"]').click(),
    },
    { on: '#menu' },
    { on: '#content table' },
  ],
};
