import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { freePort, startServer } from '../../../.scripts/lib/processes.mjs';
import { type Application, install, scriptTag } from './application';

export const verdaccio: Application = {
  name: 'verdaccio-6.8.0',
  async install(folder) {
    // Missing in some registries.
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "overrides": { "node-fetch": "2.7.0" } }\n');
    await install('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'verdaccio@6.8.0'], folder);
  },
  async start(installation) {
    const { folder, data, port, waypost } = installation;
    const config = join(data, 'config.yaml');
    const settings = `storage: ${data}
auth: { htpasswd: { file: ${data}/htpasswd } }
packages: { '**': { access: $all } }
log: { type: stdout, format: pretty, level: warn }
web:
  scriptsBodyAfter: ['${scriptTag(installation)}']
`;
    writeFileSync(config, settings);
    const inner = await freePort();
    const args = [join(folder, 'node_modules/verdaccio/bin/verdaccio'), '-c', config, '-l', `127.0.0.1:${inner}`];
    const url = `http://127.0.0.1:${inner}/-/ping`;
    const service = await startServer(process.execPath, args, { url, name: 'Verdaccio' });
    // The policy cannot be changed.
    const proxy = createServer((incoming, outgoing) => {
      const { method, headers, url: path } = incoming;
      incoming.pipe(
        request({ host: '127.0.0.1', port: inner, method, headers, path }, response => {
          const policy = response.headers['content-security-policy'];
          if (policy !== undefined)
            response.headers['content-security-policy'] = String(policy).replace(
              'connect-src',
              `connect-src ${waypost}`,
            );
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        }),
      );
    }).listen(port, '127.0.0.1');
    return {
      async stop() {
        proxy.closeAllConnections();
        proxy.close();
        await service.stop();
      },
    };
  },
  path: '/',
  steps: [
    { on: null },
    { on: '[data-testid="search-container"] input, input' },
    {
      on: '#header--button-login, [data-testid="header--button-login"]',
      until: 'click',
      use: page => page.locator('#header--button-login, [data-testid="header--button-login"]').first().click(),
    },
    { on: '[role="dialog"] input' },
    { on: 'header', reload: true },
  ],
};
