import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../../.scripts/lib/processes.mjs';
import { type Application, install, scriptTag } from './application';

export const jupyterLab: Application = {
  name: 'jupyterlab-4.6.6',
  async install(folder) {
    await install('python3', ['-m', 'venv', folder]);
    await install(join(folder, 'bin/pip'), ['install', '--quiet', 'jupyterlab==4.6.6']);
  },
  start(installation) {
    const { folder, data, port } = installation;
    const templates = join(data, 'templates');
    cpSync(join(folder, 'share/jupyter/lab/static'), templates, { recursive: true });
    const page = join(templates, 'index.html');
    writeFileSync(page, readFileSync(page, 'utf8').replace('</body>', `${scriptTag(installation)}</body>`));
    writeFileSync(join(data, 'notes.md'), '# Notes\n');
    const env = Object.fromEntries(
      ['CONFIG', 'DATA', 'RUNTIME'].map(name => [`JUPYTER_${name}_DIR`, join(data, name)]),
    );
    const args = [
      'lab',
      '--allow-root',
      '--no-browser',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--IdentityProvider.token=',
    ];
    args.push('--LabApp.news_url=', `--LabApp.templates_dir=${templates}`, `--ServerApp.root_dir=${data}`);
    const url = `http://127.0.0.1:${port}/lab`;
    return startServer(join(folder, 'bin/jupyter'), args, { env, url, name: 'JupyterLab' });
  },
  path: '/lab',
  steps: [
    { on: null },
    { on: '.jp-LauncherCard' },
    {
      on: '.lm-MenuBar',
      free: true,
      until: '.jp-Dialog',
      async use(page) {
        await page.getByRole('menuitem', { name: 'Help' }).first().click();
        await page.getByRole('menuitem', { name: 'About JupyterLab' }).click();
      },
    },
    {
      on: '.jp-Dialog-button',
      async use(page) {
        await page.locator('[data-waypost] .primary').click();
        await page.locator('.jp-Dialog-button').click();
        await page.getByText('notes.md').first().dblclick();
      },
    },
    { on: '#jp-main-dock-panel', page: '/lab/tree/*' },
  ],
};
