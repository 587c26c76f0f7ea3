import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../../.scripts/lib/processes.mjs';
import { type Application, install } from './application';

export const nodeRed: Application = {
  name: 'node-red-4.1.15',
  async install(folder) {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await install('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'node-red@4.1.15'], folder);
  },
  start({ folder, data, port, waypost, key }) {
    const script = join(data, 'tours.js');
    const tag = `{ src: '${waypost}/embed/v1.js' }`;
    writeFileSync(
      script,
      `{ const script = Object.assign(document.createElement('script'), ${tag}); script.dataset.key = '${key}'; document.head.append(script); }`,
    );
    const settings = {
      credentialSecret: 'secret',
      telemetry: { enabled: false },
      logging: { console: { level: 'warn' } },
      editorTheme: { tours: false, page: { scripts: [script] } },
    };
    writeFileSync(join(data, 'settings.js'), `module.exports = ${JSON.stringify(settings)};`);
    const red = join(folder, 'node_modules/node-red/red.js');
    const args = [red, '--userDir', data, '--settings', join(data, 'settings.js'), '--port', String(port)];
    return startServer(process.execPath, args, { url: `http://127.0.0.1:${port}/`, name: 'Node-RED' });
  },
  path: '/',
  steps: [
    { on: null },
    { on: '#red-ui-palette' },
    {
      on: '#red-ui-header-button-sidemenu',
      free: true,
      side: 'LEFT',
      until: '.ui-dialog',
      async use(page) {
        await page.locator('#red-ui-header-button-sidemenu').click();
        await page.locator('#menu-item-import').click();
      },
    },
    { on: '.ui-dialog textarea' },
    { on: '#red-ui-header-button-deploy', reload: true },
  ],
};
